/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is an expression as `ompd print` takes it, and damage to the debug information
 * in whose types it is followed (team.cc and team_f.f90, the programs of team_test.py). A refusal has a
 * reason; what is parsed means the same when it is written out again.
 *
 * Bytes: the file and the number of damages (up to 7), where it begins among the file's variables and what
 * it is in (bit 0: a register), then four for each damage: where (two), its sort, its value. The rest is the
 * text; a byte of 128 or more stands for a word.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/arch.h"
#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/expression.h"
#include "corefiles/memory.h"
#include "corefiles/value.h"
#include "ompd/fuzz/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 3, DAMAGE = 4, TEXT_MAX = 600, FILE_MAX = 1 << 17, VARIABLES_MAX = 96, DEPTH_MAX = 8 };
enum { MEMORY = 1 << 16, MEMORY_AT = 1 << 20 };

static uint8_t bytes[FILE_MAX];

static void must(bool holds)
{
    if (!holds)
        abort();
}

static int file_with(const void *data, size_t size)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);

    must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    return fd;
}

/* A target whose memory is pointers into itself, small numbers and zeros. */
static struct cf_target *target(void)
{
    static struct cf_segment segment = {
        .vaddr = MEMORY_AT, .memsz = MEMORY, .filesz = MEMORY, .flags = PF_R | PF_W};
    static struct cf_target t = {.core_fd = -1, .core_size = MEMORY, .segments = &segment};
    static uint64_t words[MEMORY / 8];

    if (t.core_fd >= 0)
        return &t;
    for (uint64_t i = 0, random = 1; i < MEMORY / 8; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        words[i] = random >> 62 ? MEMORY_AT + (random >> 33) % MEMORY : random >> 33 & 7;
    }
    t.arch = cf_arch_of(EM_X86_64);
    t.core_fd = file_with(words, MEMORY);
    t.segment_count = 1;
    return &t;
}

/* ---- the text ---------------------------------------------------------------------------- */

static void make_text(const uint8_t *data, size_t size, char *text)
{
    static const char *const words[] = {
        "g",     "to",      "same", "cells", "value", "next", "id", "numbers", "table", "bits",
        "inner", "counter", "->",   "::",    "(1,2)", "[3]",  "%",  "[0][1]",  ".",     "*"};
    size_t at = 0;

    for (size_t i = 0; i < size && at < TEXT_MAX - 16; i++) {
        if (data[i] >= 128)
            at += (size_t)sprintf(text + at, "%s", words[data[i] % (sizeof(words) / sizeof(*words))]);
        else if (data[i])
            text[at++] = (char)data[i];
    }
    text[at] = '\0';
}

/* The text that means the same. Indices one by one: "(3, 4)" is "[3][4]". */
static void write_out(const struct cf_expression *e, char *text)
{
    char *to = text;

    for (int i = 0; i < e->steps; i++)
        if (e->step[i].kind == CF_STEP_STAR)
            to += sprintf(to, "*");
    to += sprintf(to, "%s", e->name);
    for (int i = 0; i < e->steps; i++) {
        if (e->step[i].kind == CF_STEP_MEMBER)
            to += sprintf(to, ".%s", e->step[i].name);
        else if (e->step[i].kind == CF_STEP_INDEX)
            to += sprintf(to, "[%lld]", (long long)e->step[i].index);
    }
}

static void same(const struct cf_expression *a, const struct cf_expression *b)
{
    must(a->steps == b->steps && !strcmp(a->name, b->name));
    for (int i = 0; i < a->steps; i++) {
        must(a->step[i].kind == b->step[i].kind && a->step[i].index == b->step[i].index);
        must(a->step[i].kind != CF_STEP_MEMBER ||
             (*a->step[i].name && !strcmp(a->step[i].name, b->step[i].name)));
    }
}

static bool parsed(const char *text, struct cf_expression *e)
{
    static char again[CF_EXPRESSION_MAX + CF_STEPS_MAX * 32];
    struct cf_expression other;
    const char *why = NULL;

    if (cf_expression_parse(text, e, &why)) {
        must(why && *why);
        return false;
    }
    must(e->steps >= 0 && e->steps <= CF_STEPS_MAX && e->name && *e->name);
    write_out(e, again);
    if (strlen(again) < CF_EXPRESSION_MAX / 2) {
        must(!cf_expression_parse(again, &other, &why));
        same(e, &other);
    }
    return true;
}

/* ---- the types --------------------------------------------------------------------------- */

struct variables {
    struct die of[VARIABLES_MAX];
    int count;
};

static void collect(struct die *parent, int depth, uint64_t *last, struct variables *ret)
{
    struct die child;

    if (depth == DEPTH_MAX || die_child(parent, &child) || !die_is_ahead(&child, last))
        return;
    do {
        const unsigned tag = die_tag(&child);

        if ((tag == TAG_variable || tag == TAG_formal_parameter) && ret->count < VARIABLES_MAX)
            ret->of[ret->count++] = child;
        collect(&child, depth + 1, last, ret);
    } while (!die_sibling(&child, &child) && die_is_ahead(&child, last));
}

static void follow(struct debuginfo *of, const struct cf_expression *e, uint8_t which, bool is_value)
{
    struct cf_eval_context context = {.t = target()};
    struct cf_location place = {MEMORY_AT + which * 64U, is_value};
    struct variables found = {.count = 0};
    const char *why = NULL;
    uint64_t at = 0, last;
    struct die unit, type;

    while (!debuginfo_next_unit(of, &at, &unit)) {
        last = unit.offset;
        collect(&unit, 0, &last, &found);
    }
    if (!found.count || die_type(&found.of[which % found.count], &type))
        return;
    if (cf_expression_follow(&context, e, &type, &place, &why)) {
        must(why && *why);
        return;
    }
    free(cf_value_text(&context, &type, &place, CF_ELEMENTS));
}

/* Anywhere but in the ELF header. */
static void damage(const struct mem_file *file, const uint8_t *how)
{
    const size_t at = 64 + (size_t)(how[0] | how[1] << 8) * (file->size - 128) / 65536;

    if (how[2] % 3 == 0)
        bytes[at] = how[3];
    else if (how[2] % 3 == 1)
        bytes[at] ^= (uint8_t)(1U << (how[3] & 7));
    else
        memmove(bytes + at, bytes + 64 + how[3] * (file->size - 128) / 256, 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cf_expression e;
    char text[TEXT_MAX];
    const char *why;

    if (size < HEAD)
        return 0;
    const size_t damages = data[0] & 7, text_at = HEAD + damages * DAMAGE;
    const struct mem_file *file = &mem_files[(data[0] >> 3) % mem_file_count];

    must(file->size <= FILE_MAX - 8);
    if (text_at > size)
        return 0;
    make_text(data + text_at, size - text_at, text);
    if (!parsed(text, &e))
        return 0;
    memcpy(bytes, file->data, file->size);
    for (size_t i = 0; i < damages; i++)
        damage(file, data + HEAD + i * DAMAGE);

    const int fd = file_with(bytes, file->size);
    struct debuginfo *of = debuginfo_open(fd, NULL, &why);

    if (of)
        follow(of, &e, data[1], data[2] & 1);
    debuginfo_close(of);
    close(fd);
    return 0;
}
