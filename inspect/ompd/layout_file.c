/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/ompd/layout_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inspect/base/printable.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/ompd/ompdlib.h"

/* A layout in the making; WHY is the first thing that is wrong with it. */
struct layout {
    ompdx_layout_entry_t *entries;
    uint64_t count;
    char *why;
};

static void wrong(struct layout *l, const char *format, const char *what)
{
    if (!l->why)
        l->why = insp_sentence(format, what);
}

static void add(struct layout *l, uint32_t kind, const char *name, uint64_t a, uint64_t b, uint64_t c)
{
    if (l->count < LAYOUT_ENTRIES_MAX)
        l->entries[l->count++] = (ompdx_layout_entry_t){kind, name, a, b, c};
    else
        wrong(l, "it has too many entries%s", "");
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* Element INDEX of ARRAY: a number, or an address as "0x1f823". */
static bool number(const json_t *array, size_t index, uint64_t *ret)
{
    const json_t *value = json_array_get(array, index);
    const char *text = json_string_value(value);
    char *end;

    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *ret = (uint64_t)json_integer_value(value);
        return true;
    }
    if (!text || strncmp(text, "0x", 2) != 0 || strlen(text) > 18 ||
        strspn(text + 2, "0123456789abcdef") == 0)
        return false;
    *ret = strtoull(text, &end, 16);
    return *end == '\0';
}

static bool reg(const json_t *array, size_t index, uint64_t *ret)
{
    static const char *const names[] = {"r15", "r14",      "r13", "r12", "rbp",    "rbx", "r11",
                                        "r10", "r9",       "r8",  "rax", "rcx",    "rdx", "rsi",
                                        "rdi", "orig_rax", "rip", "cs",  "eflags", "rsp"};
    const char *text = json_string_value(json_array_get(array, index));

    for (uint64_t i = 0; text && i < sizeof(names) / sizeof(names[0]); i++)
        if (!strcmp(text, names[i])) {
            *ret = i;
            return true;
        }
    return false;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static void size(struct layout *l, const char *name, const json_t *value)
{
    if (json_is_integer(value) && json_integer_value(value) > 0)
        add(l, ompdx_layout_size, name, (uint64_t)json_integer_value(value), 0, 0);
    else
        wrong(l, "the size of \"%s\" is no number", name);
}

static void field(struct layout *l, const char *name, const json_t *value)
{
    uint64_t at, bytes, mask = 0;

    if (number(value, 0, &at) && number(value, 1, &bytes) &&
        (json_array_size(value) == 2 || (json_array_size(value) == 3 && number(value, 2, &mask))))
        add(l, ompdx_layout_field, name, at, bytes, mask);
    else
        wrong(l, "the field \"%s\" is not [offset, bytes] or [offset, bytes, mask]", name);
}

static void variable(struct layout *l, const char *name, const json_t *value)
{
    uint64_t at, bytes;

    if (number(value, 0, &at) && number(value, 1, &bytes) && json_array_size(value) == 2)
        add(l, ompdx_layout_variable, name, at, bytes, 0);
    else
        wrong(l, "the variable \"%s\" is not [\"0xaddress\", bytes]", name);
}

static void constant(struct layout *l, const char *name, const json_t *value)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        add(l, ompdx_layout_constant, name, (uint64_t)json_integer_value(value), 0, 0);
    else
        wrong(l, "the constant \"%s\" is no number", name);
}

/* Ranges of code that have one name. */
static bool ranges(struct layout *l, uint32_t kind, const char *name, const json_t *value)
{
    uint64_t start, end;
    size_t count = json_array_size(value);

    for (size_t i = 0; i < count; i += 2)
        if (number(value, i, &start) && number(value, i + 1, &end))
            add(l, kind, name, start, end, 0);
        else
            count = 0;
    return count != 0;
}

/* A range, and those of older versions of the same name. */
static void function(struct layout *l, const char *name, const json_t *value)
{
    if (!ranges(l, ompdx_layout_function, name, value))
        wrong(l, "the function \"%s\" is not [\"0xstart\", \"0xend\"]", name);
}

static void frame(struct layout *l, const char *rule, const json_t *value)
{
    if (!ranges(l, ompdx_layout_frame, rule, value))
        wrong(l, "the frames of \"%s\" are not [\"0xstart\", \"0xend\"]", rule);
}

static void slot(struct layout *l, const char *name, const json_t *value)
{
    uint64_t base, offset = 0;

    if (reg(value, 0, &base) &&
        (json_array_size(value) == 1 || (json_array_size(value) == 2 && number(value, 1, &offset))))
        add(l, ompdx_layout_slot, name, base, json_array_size(value) == 2, offset);
    else
        wrong(l, "the slot of \"%s\" is not [\"register\"] or [\"register\", offset]", name);
}

static void build_id(struct layout *l, const json_t *value)
{
    if (json_is_string(value))
        add(l, ompdx_layout_build_id, json_string_value(value), 0, 0, 0);
    else
        wrong(l, "a build-id is no text%s", "");
}

static void site(struct layout *l, const json_t *value)
{
    uint64_t pc, frame, base;

    if (number(value, 0, &pc) && number(value, 1, &frame) && reg(value, 2, &base))
        add(l, ompdx_layout_site, NULL, pc, frame, base);
    else
        wrong(l, "a site is not [\"0xaddress\", bytes, \"register\"]%s", "");
}

static void spin(struct layout *l, const json_t *value)
{
    const char *rule = json_string_value(json_array_get(value, 3)); /* NULL: older files have none */
    uint64_t start, end, base;

    if (number(value, 0, &start) && number(value, 1, &end) && reg(value, 2, &base))
        add(l, ompdx_layout_spin, rule, start, end, base);
    else
        wrong(l, "a spinning loop is not [\"0xstart\", \"0xend\", \"register\", \"rule\"]%s", "");
}

static void read_object(struct layout *l, const json_t *root, const char *part,
                        void (*each)(struct layout *l, const char *name, const json_t *value))
{
    json_t *object = json_object_get(root, part), *value;
    const char *name;

    if (!json_is_object(object)) {
        wrong(l, "it has no object \"%s\"", part);
        return;
    }
    json_object_foreach(object, name, value) each(l, name, value);
}

static void read_array(struct layout *l, const json_t *root, const char *part,
                       void (*each)(struct layout *l, const json_t *value))
{
    const json_t *array = json_object_get(root, part);

    if (!json_is_array(array)) {
        wrong(l, "it has no array \"%s\"", part);
        return;
    }
    for (size_t i = 0; i < json_array_size(array); i++)
        each(l, json_array_get(array, i));
}

static void read_parts(struct layout *l, const json_t *root)
{
    const char *machine = json_string_value(json_object_get(root, "machine"));
    const char *print = json_string_value(json_object_get(root, "fingerprint"));

    if (json_integer_value(json_object_get(root, "format")) != 1)
        wrong(l, "its format is not 1, the only one that is known%s", "");
    if (!machine || strcmp(machine, "x86-64") != 0)
        wrong(l, "it is not for x86-64%s", "");
    read_array(l, root, "build_ids", build_id);
    if (print && *print)
        add(l, ompdx_layout_fingerprint, print, 0, 0, 0);
    read_object(l, root, "sizes", size);
    read_object(l, root, "fields", field);
    read_object(l, root, "variables", variable);
    read_object(l, root, "constants", constant);
    read_array(l, root, "sites", site);
    read_array(l, root, "spins", spin);
    read_object(l, root, "functions", function);
    read_object(l, root, "slots", slot);
    if (json_object_get(root, "frames")) /* older files have none */
        read_object(l, root, "frames", frame);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* libompd's own sentence is the better one: it names the entry. */
static void hand_over(insp_session *s, struct layout *l, const json_t *root)
{
    const ompdx_layout_t row = {.size = sizeof(row),
                                .family = json_string_value(json_object_get(root, "family")),
                                .name = json_string_value(json_object_get(root, "name")),
                                .source = json_string_value(json_object_get(root, "source")),
                                .count = l->count,
                                .entries = l->entries};
    insp_session *before;
    ompd_rc_t rc;

    if (!s->lib || !s->lib->ompdx_layout_add) {
        wrong(l, "%s", s->lib ? "the OMPD library takes no layouts" : s->lib_why);
        return;
    }
    before = callbacks_activate(s);
    s->opening = true;
    rc = s->lib->ompdx_layout_add(&row);
    s->opening = false;
    callbacks_restore(before);
    if (s->said)
        s->said[strcspn(s->said, "\n")] = '\0';
    if (rc != ompd_rc_ok)
        wrong(l, "%s", s->said ? s->said : "the OMPD library refuses it");
    free(s->said);
    s->said = NULL;
}

static void take_text(insp_session *s, struct layout *l, const char *text, size_t length)
{
    json_error_t error;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    char place[JSON_ERROR_TEXT_LENGTH + 40];

    if (!root) {
        snprintf(place, sizeof(place), "line %d: %s", error.line, error.text);
        wrong(l, "it is no JSON: %s", place);
        return;
    }
    l->entries = calloc(LAYOUT_ENTRIES_MAX, sizeof(*l->entries));
    if (!l->entries)
        wrong(l, "there is no memory for it%s", "");
    else if (!json_is_object(root))
        wrong(l, "it is no layout, but something else in JSON%s", "");
    else
        read_parts(l, root);
    if (!l->why)
        hand_over(s, l, root);
    free(l->entries);
    json_decref(root);
}

/* The bytes of PATH, free(); NULL with WHY. */
static char *read_file(const char *path, size_t *length, struct layout *l)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would wait for a writer */
    char *text = NULL;
    ssize_t got;

    if (fd < 0 || fstat(fd, &status)) {
        wrong(l, "%s", strerror(errno));
    } else if (!S_ISREG(status.st_mode) || status.st_size > LAYOUT_FILE_MAX) {
        wrong(l, "it is no file, or too large for a layout%s", "");
    } else if ((text = malloc(LAYOUT_FILE_MAX)) != NULL) {
        for (*length = 0; *length < LAYOUT_FILE_MAX; *length += (size_t)got)
            if ((got = read(fd, text + *length, LAYOUT_FILE_MAX - *length)) <= 0)
                break;
    }
    if (fd >= 0)
        close(fd);
    return text;
}

static int done(struct layout *l, bool read, const char *path, char **error)
{
    size_t end = l->why ? strlen(l->why) : 0;

    if (read && !l->why)
        return 0;
    if (end && l->why[end - 1] == '.')
        l->why[end - 1] = '\0';
    *error = insp_sentence("The layout %s cannot be used: %s.", path, l->why ? l->why : "out of memory");
    free(l->why);
    return -1;
}

int insp_layout_file(insp_session *s, const char *path, char **error)
{
    struct layout l = {0};
    size_t length = 0;
    char *text = read_file(path, &length, &l);

    if (text)
        take_text(s, &l, text, length);
    free(text);
    return done(&l, text != NULL, path, error);
}

/* ---- layouts that a tool makes ------------------------------------------------------------------------- */

static char *name_of(const char *text, size_t length)
{
    json_t *root = json_loadb(text, length, 0, NULL);
    const char *name = json_string_value(json_object_get(root, "name"));
    char *ret = name ? strdup(name) : NULL;

    json_decref(root);
    return ret;
}

int insp_layout_text(insp_session *s, const char *text, size_t length, const char *of, char **error)
{
    struct layout l = {0};
    char *name;
    int rc;

    take_text(s, &l, text, length);
    rc = done(&l, true, of, error);
    name = rc || s->made_count == INSP_RUNTIMES_MAX ? NULL : name_of(text, length);
    if (name)
        s->made[s->made_count++] = name;
    return rc;
}

int insp_layout_wanted(const insp_session *s, uint32_t index, uint64_t *base, const char **path)
{
    if (!s->lib || !s->lib->ompdx_layout_add || s->unknown_scan != s->scan ||
        index >= (uint32_t)s->unknown_count)
        return 1;
    *base = s->unknown[index];
    *path = "";
    for (int i = 0; i < s->module_count; i++)
        if (s->modules[i].seen == s->scan && s->modules[i].base == *base)
            *path = s->modules[i].path;
    return 0;
}

void layout_unknown(insp_session *s, uint64_t base)
{
    if (s->unknown_scan != s->scan)
        s->unknown_count = 0;
    s->unknown_scan = s->scan;
    for (int i = 0; i < s->unknown_count; i++)
        if (s->unknown[i] == base)
            return;
    if (s->unknown_count < INSP_RUNTIMES_MAX)
        s->unknown[s->unknown_count++] = base;
}

bool layout_made(const insp_session *s, const char *name)
{
    for (int i = 0; name && i < s->made_count; i++)
        if (!strcmp(s->made[i], name))
            return true;
    return false;
}

void layout_forget(insp_session *s)
{
    while (s->made_count)
        free(s->made[--s->made_count]);
}
