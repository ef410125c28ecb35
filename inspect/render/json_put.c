/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/json_put.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/base/utf8.h"

static bool is_utf8(const char *s)
{
    size_t n = 1;

    for (; *s && n; s += n)
        n = utf8_len(s);
    return n;
}

json_t *utf8_json(const char *s)
{
    struct sbuf out = {0};
    json_t *value;

    if (!s)
        return json_null();
    if (is_utf8(s))
        return json_string(s);
    while (*s) {
        size_t n = utf8_len(s);

        sbuf_add_n(&out, n ? s : "\xef\xbf\xbd", n ? n : 3);
        s += n ? n : 1;
    }
    value = out.oom ? NULL : json_string(out.text);
    sbuf_free(&out);
    return value;
}

void put_text(json_t *object, const char *key, const char *s)
{
    struct sbuf name = {0}, bytes = {0};

    put(object, key, utf8_json(s));
    if (!s || is_utf8(s))
        return;
    sbuf_printf(&name, "%s_bytes", key);
    for (; *s; s++)
        sbuf_printf(&bytes, "%02x", (unsigned char)*s);
    if (!name.oom && !bytes.oom)
        json_object_set_new(object, name.text, json_string(bytes.text));
    sbuf_free(&name);
    sbuf_free(&bytes);
}

void put_unknown(json_t *object, const struct mdl_unknown *list, int count)
{
    json_t *map = json_object_get(object, "unknown");

    if (!map)
        put(object, "unknown", map = json_object());
    for (int i = 0; i < count; i++)
        put(map, list[i].field, utf8_json(list[i].reason));
}

/* jansson escapes C0; other such characters can only be in a string, where \u is their escape. All are
 * below U+FFFF. */
static char *escape(const char *text)
{
    struct sbuf out = {0};
    const char *from = text;

    for (size_t n; *text; text += n) {
        bool good;

        n = printable_next(text, &good);
        if (good || *text == '\n')
            continue;
        sbuf_add_n(&out, from, (size_t)(text - from));
        sbuf_printf(&out, "\\u%04x", utf8_point(text, n));
        from = text + n;
    }
    sbuf_add(&out, from);
    return sbuf_take(&out);
}

static char *dump(json_t *root, size_t how)
{
    char *text = root ? json_dumps(root, how) : NULL, *safe = text ? escape(text) : NULL;

    free(text);
    json_decref(root);
    return safe;
}

char *dump_document(json_t *root)
{
    return dump(root, JSON_INDENT(1));
}

char *dump_line(json_t *root)
{
    return dump(root, JSON_COMPACT | JSON_REAL_PRECISION(12));
}
