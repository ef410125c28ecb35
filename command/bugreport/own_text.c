/* SPDX-License-Identifier: Apache-2.0 */
#include "own_text.h"

#include <ctype.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/mem.h"

enum {
    SENTENCE_LEAST = 12, /* characters; a shorter one would fit what it was not made for */
    SENTENCE_MOST = 4096,
};

static bool is_ours(const struct own_text *o, const char *name)
{
    return !name || !*name || (o->library && !strcmp(name, o->library));
}

/* A copy: AddressSanitizer lets nobody read what it leaves between two constants, and `volatile` keeps this
 * from becoming a call of memcpy(3), which it checks, too. */
__attribute__((no_sanitize("address"))) static void copy(char *to, const volatile char *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = from[i];
}

static bool add_part(struct own_text *o, const char *from, size_t size)
{
    struct own_part *grown = array_grow(o->parts, o->part_count, sizeof(*grown));
    char *bytes = malloc(size);

    if (grown)
        o->parts = grown;
    if (!grown || !bytes) {
        free(bytes);
        return false;
    }
    copy(bytes, from, size);
    o->parts[o->part_count++] = (struct own_part){bytes, size};
    return true;
}

static int add_parts(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct own_text *o = arg;

    (void)size;
    for (int i = 0; is_ours(o, info->dlpi_name) && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *head = &info->dlpi_phdr[i];

        if (head->p_type != PT_LOAD || !(head->p_flags & PF_R) || head->p_flags & PF_W || !head->p_filesz)
            continue;
        /* The loader gives addresses as numbers. */
        if (!add_part(o, (const char *)(uintptr_t)(info->dlpi_addr + head->p_vaddr), head->p_filesz)) {
            o->failed = true;
            return 1;
        }
    }
    return 0;
}

static bool is_text(char c)
{
    return (unsigned char)c >= ' ' && c != 0x7f;
}

static void add_sentence(struct own_text *o, const char *text, size_t length)
{
    const char **grown;

    if (length < SENTENCE_LEAST || length > SENTENCE_MOST || !memchr(text, ' ', length))
        return;
    grown = array_grow(o->sentences, o->sentence_count, sizeof(*grown));
    if (!grown) {
        o->failed = true;
        return;
    }
    o->sentences = grown;
    o->sentences[o->sentence_count++] = text;
}

static void add_sentences(struct own_text *o, const struct own_part *part)
{
    const char *begin = part->at, *end = part->at + part->size;

    for (const char *c = begin; c < end && !o->failed; c++) {
        if (is_text(*c))
            continue;
        if (!*c)
            add_sentence(o, begin, (size_t)(c - begin));
        begin = c + 1;
    }
}

bool own_text_load(struct own_text *o, const char *library)
{
    *o = (struct own_text){.library = library};
    dl_iterate_phdr(add_parts, o);
    for (size_t i = 0; i < o->part_count; i++)
        add_sentences(o, &o->parts[i]);
    return !o->failed;
}

void own_text_free(struct own_text *o)
{
    for (size_t i = 0; i < o->part_count; i++)
        free(o->parts[i].at);
    free(o->parts);
    free(o->sentences);
    *o = (struct own_text){0};
}

/* The linker lets a text begin in the middle of another that ends alike. */
bool own_text_has(const struct own_text *o, const char *text)
{
    bool found = false;

    for (size_t i = 0; !found && *text && i < o->part_count; i++)
        found = memmem(o->parts[i].at, o->parts[i].size, text, strlen(text) + 1);
    return found;
}

/* The bytes of what printf(3) replaces at PATTERN, 0: it replaces nothing there. */
static size_t directive(const char *pattern)
{
    size_t n = 1;

    if (*pattern != '%' || pattern[1] == '%')
        return 0;
    n += strspn(pattern + n, "-+ #0123456789.*hlzjt");
    return pattern[n] ? n + 1 : 0;
}

/* The length without a full stop, which a report takes away. */
static size_t without_stop(const char *text)
{
    size_t n = strlen(text);

    return n && text[n - 1] == '.' ? n - 1 : n;
}

/* Can TEXT have been made from PATTERN? A report may have changed how large the first letter is. */
static bool fits(const char *pattern, const char *text)
{
    const char *pattern_end = pattern + without_stop(pattern), *end = text + without_stop(text);
    const char *again = NULL, *from = NULL, *first = text;

    while (text < end || pattern < pattern_end) {
        size_t n = pattern < pattern_end ? directive(pattern) : 0;

        if (n) {
            again = pattern += n;
            from = text;
        } else if (text < end && pattern < pattern_end &&
                   (*pattern == *text ||
                    (text == first && toupper((unsigned char)*pattern) == toupper((unsigned char)*text)))) {
            pattern += *pattern == '%' ? 2 : 1;
            text++;
        } else if (again && from < end) { /* what was filled in there is longer */
            pattern = again;
            text = ++from;
        } else {
            return false;
        }
    }
    return true;
}

/* How many letters and digits of it are its own. */
static size_t letters(const char *pattern)
{
    size_t count = 0, n;

    for (; *pattern; pattern += n ? n : 1) {
        n = directive(pattern);
        count += !n && isalnum((unsigned char)*pattern);
    }
    return count;
}

static char *with_gaps(const char *pattern)
{
    struct sbuf out = {0};

    for (size_t n; *pattern; pattern += n) {
        n = directive(pattern);
        if (n) {
            sbuf_add(&out, "…");
            continue;
        }
        n = *pattern == '%' ? 2 : 1;
        sbuf_add_n(&out, pattern, 1);
    }
    return sbuf_take(&out);
}

char *own_text_of(const struct own_text *o, const char *sentence)
{
    const char *best = NULL;
    size_t most = SENTENCE_LEAST - 1;

    if (strlen(sentence) > most && strchr(sentence, ' ') && own_text_has(o, sentence))
        return strdup(sentence);
    for (size_t i = 0; i < o->sentence_count; i++) {
        const char *pattern = o->sentences[i];
        size_t own;

        if (fits(pattern, sentence) && (own = letters(pattern)) > most) {
            most = own;
            best = pattern;
        }
    }
    return best ? with_gaps(best) : NULL;
}
