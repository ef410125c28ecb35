/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/row_add.h"

#include <string.h>

#include "providers/frame_rule.h"
#include "providers/row_lay.h"
#include "providers/row_order.h"
#include "providers/spin_rule.h"
#include "text.h"

static struct row_added *added;

const struct row_added *row_added(void)
{
    return added;
}

bool row_is_added(const ompdx_layout_t *row)
{
    for (const struct row_added *one = row_added(); one != NULL; one = one->next)
        if (&one->row == row)
            return true;
    return false;
}

#define COUNT_MAX   65536u
#define NAME_MAX    256u
#define ADDRESS_MAX (UINT64_C(1) << 31)
#define BYTES_MAX   (1u << 20)
/** What a frame of a runtime's function may have at most. */
#define FRAME_MAX 65536u

static ompd_rc_t refuse(const char *row, const char *what, const char *name)
{
    struct text text = {0};
    text_add(&text, "libompd: the layout \"");
    text_add(&text, row);
    text_add(&text, "\" is refused: ");
    text_add(&text, what);
    if (name != NULL && name[0] != '\0') {
        text_add(&text, " \"");
        text_add(&text, name);
        text_add(&text, "\"");
    }
    text_add(&text, ".\n");
    tgt_say(text.buffer);
    return ompd_rc_bad_input;
}

static bool is_hexadecimal(const char *text)
{
    size_t length = 0;
    for (; text[length] != '\0'; length++)
        if (!((text[length] >= '0' && text[length] <= '9') || (text[length] >= 'a' && text[length] <= 'f')))
            return false;
    return length >= 8 && length <= 128 && length % 2 == 0;
}

static bool is_word(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/** NULL, or what is wrong with the entry alone. */
static const char *wrong_entry(const ompdx_layout_entry_t *entry)
{
    switch (entry->kind) {
    case ompdx_layout_size:
        return entry->a != 0 && entry->a <= BYTES_MAX ? NULL : "no structure has the size of";
    case ompdx_layout_field:
        if (entry->a > BYTES_MAX || entry->b > BYTES_MAX)
            return "no structure is as large as this field would need it:";
        if (entry->c != 0 && (!is_word(entry->b) || (entry->b < 8 && entry->c >> (8 * entry->b) != 0)))
            return "the mask does not fit the field";
        return NULL;
    case ompdx_layout_variable:
        return entry->a < ADDRESS_MAX && entry->b <= BYTES_MAX ? NULL : "no file is so large:";
    case ompdx_layout_constant:
        return NULL;
    case ompdx_layout_site:
        /* The first argument of a system call is in one register. */
        return entry->a < ADDRESS_MAX && entry->b >= 8 && entry->b % 8 == 0 && entry->b <= FRAME_MAX &&
                       entry->c == ompdx_reg_rdi
                   ? NULL
                   : "a site is impossible";
    case ompdx_layout_spin: {
        struct spin_rule rule;
        return entry->a < entry->b && entry->b < ADDRESS_MAX && entry->c < ompdx_registers &&
                       (entry->name[0] == '\0' || spin_rule_parse(entry->name, &rule))
                   ? NULL
                   : "a spinning loop is impossible";
    }
    case ompdx_layout_function:
        return entry->a < entry->b && entry->b < ADDRESS_MAX ? NULL : "this function has no sensible range:";
    case ompdx_layout_slot:
        return entry->a < ompdx_registers && entry->b <= 1 && entry->c <= FRAME_MAX
                   ? NULL
                   : "the place of the mutex is impossible in";
    case ompdx_layout_build_id:
        return is_hexadecimal(entry->name) ? NULL : "this is no build-id:";
    case ompdx_layout_fingerprint:
        return is_hexadecimal(entry->name) ? NULL : "this is no fingerprint:";
    case ompdx_layout_frame: {
        ompdx_frame_rule_t rule;
        return entry->a < entry->b && entry->b < ADDRESS_MAX && frame_rule_parse(entry->name, &rule)
                   ? NULL
                   : "this rule of a frame is impossible:";
    }
    default:
        return "an entry has a kind that this library does not know";
    }
}

/** NULL, or what is wrong with an entry and the one before it. */
static const char *wrong_pair(const ompdx_layout_entry_t *before, const ompdx_layout_entry_t *entry)
{
    if (before->kind != entry->kind)
        return NULL;
    if (entry->kind == ompdx_layout_site)
        return before->a == entry->a ? "a site is there twice" : NULL;
    if (row_by_address(entry->kind))
        return before->b > entry->a ? "ranges of code overlap" : NULL;
    return strcmp(before->name, entry->name) == 0 ? "there are two entries for" : NULL;
}

static const char *wrong_field(const ompdx_layout_t *row, const ompdx_layout_entry_t *field)
{
    char tag[NAME_MAX];
    const char *dot = strchr(field->name, '.');
    if (dot == NULL || dot == field->name)
        return "this field names no structure:";
    memcpy(tag, field->name, (size_t)(dot - field->name));
    tag[dot - field->name] = '\0';
    const ompdx_layout_entry_t *structure = row_named(row, ompdx_layout_size, tag);
    if (structure == NULL)
        return "there is no size of the structure of";
    return field->a + field->b <= structure->a ? NULL : "this field is not inside its structure:";
}

/** The length of TEXT with its end; 0: NULL or too long. */
static size_t text_bytes(const char *text)
{
    const size_t length = text != NULL ? strnlen(text, NAME_MAX) : NAME_MAX;
    return length < NAME_MAX ? length + 1 : 0;
}

static const char *const unnamed = "";

static ompd_rc_t measure(const ompdx_layout_t *layout, uint64_t *ret)
{
    uint64_t bytes = text_bytes(layout->family) + text_bytes(layout->name) + text_bytes(layout->source);
    for (uint64_t i = 0; i < layout->count; i++) {
        const ompdx_layout_entry_t *entry = &layout->entries[i];
        const bool nameless = entry->kind == ompdx_layout_site || entry->kind == ompdx_layout_spin;
        const size_t name = nameless && entry->name == NULL ? 1 : text_bytes(entry->name);
        if (name == 0 || (!nameless && name == 1))
            return refuse(layout->name, "an entry's name is missing or too long", NULL);
        bytes += name;
    }
    *ret = bytes;
    return ompd_rc_ok;
}

static const char *keep(char **room, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *kept = memcpy(*room, text, bytes);
    *room += bytes;
    return kept;
}

static ompd_rc_t copy(const ompdx_layout_t *layout, struct row_added **ret)
{
    uint64_t text = 0;
    struct row_added *one = NULL;
    TRY(measure(layout, &text));
    TRY(tgt_alloc(sizeof *one + layout->count * sizeof layout->entries[0] + text, &one));
    ompdx_layout_entry_t *entries = (ompdx_layout_entry_t *)(one + 1);
    char *room = (char *)(entries + layout->count);
    for (uint64_t i = 0; i < layout->count; i++) {
        entries[i] = layout->entries[i];
        entries[i].name = keep(&room, entries[i].name != NULL ? entries[i].name : unnamed);
    }
    row_sort(entries, layout->count);
    one->row = (ompdx_layout_t){.size = sizeof one->row,
                                .family = keep(&room, layout->family),
                                .name = keep(&room, layout->name),
                                .source = keep(&room, layout->source),
                                .count = layout->count,
                                .entries = entries};
    *ret = one;
    return ompd_rc_ok;
}

static ompd_rc_t check(const ompdx_layout_t *row)
{
    for (uint64_t i = 0; i < row->count; i++) {
        const ompdx_layout_entry_t *entry = &row->entries[i];
        const char *wrong = wrong_entry(entry);
        if (wrong == NULL && i > 0)
            wrong = wrong_pair(entry - 1, entry);
        if (wrong == NULL && entry->kind == ompdx_layout_field)
            wrong = wrong_field(row, entry);
        if (wrong != NULL)
            return refuse(row->name, wrong, entry->name);
    }
    struct lay lay;
    return row_lay(row, 0, &lay) == ompd_rc_ok ? ompd_rc_ok : ompd_rc_bad_input;
}

ompd_rc_t row_add(const ompdx_layout_t *layout)
{
    __attribute__((cleanup(tgt_free_guard))) struct row_added *one = NULL;
    if (layout->size < sizeof *layout || layout->entries == NULL || text_bytes(layout->name) <= 1 ||
        text_bytes(layout->family) <= 1 || text_bytes(layout->source) == 0)
        return refuse("?", "it has no family, name, source or entries", NULL);
    if (strcmp(layout->family, "gomp") != 0 && strcmp(layout->family, "kmp") != 0)
        return refuse(layout->name, "this library knows no family", layout->family);
    if (layout->count == 0 || layout->count > COUNT_MAX)
        return refuse(layout->name, "it has no entries, or too many", NULL);
    TRY(copy(layout, &one));
    TRY(check(&one->row));
    one->next = added;
    added = one;
    one = NULL;
    return ompd_rc_ok;
}

void row_forget(void)
{
    while (added != NULL) {
        struct row_added *next = added->next;
        tgt_free(added);
        added = next;
    }
}
