/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/caller_rules.h"

#include <elfutils/libdw.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MAX = 65536, RULE_TEXT = 96 };
/* DWARF's numbers (psABI, figure 3.36). */
enum { RBP = 6, RSP = 7, RETURN_ADDRESS = 16 };

/* Code with one rule. */
struct range {
    uint64_t start, end;
    char rule[RULE_TEXT];
};

struct list {
    struct range *ranges;
    size_t count, room;
};

/* DWARF's numbers of the registers that a call keeps. */
static const struct {
    int number;
    const char *name;
} kept[] = {{3, "rbx"}, {6, "rbp"}, {12, "r12"}, {13, "r13"}, {14, "r14"}, {15, "r15"}};

static bool whole_words(int64_t bytes)
{
    return bytes > 0 && bytes <= FRAME_MAX && bytes % 8 == 0;
}

/* Where register NUMBER is saved: bytes below the canonical frame address, 0: it is as the caller had it.
   false: by a rule that a row does not have. */
static bool saved(Dwarf_Frame *frame, int number, int64_t *ret)
{
    Dwarf_Op memory[3], *ops;
    size_t count;

    if (dwarf_frame_register(frame, number, memory, &ops, &count))
        return false;
    *ret = 0;
    if (!count)
        return true; /* the psABI says so of these registers where the table says nothing */
    if (count != 2 || ops[0].atom != DW_OP_call_frame_cfa || ops[1].atom != DW_OP_plus_uconst)
        return false;
    *ret = -(int64_t)ops[1].number;
    return whole_words(*ret);
}

/* The rule for the code of FRAME as a row has it. */
static bool rule(Dwarf_Frame *frame, char text[RULE_TEXT])
{
    uint64_t number;
    size_t length;
    int64_t at;

    if (!ly_frame_base(frame, &number, &at) || !whole_words(at) || (number != RSP && number != RBP))
        return false;
    length = (size_t)snprintf(text, RULE_TEXT, "%s+%" PRId64, number == RSP ? "rsp" : "rbp", at);
    if (!saved(frame, RETURN_ADDRESS, &at) || at != 8)
        return false;
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        if (!saved(frame, kept[i].number, &at))
            return false;
        if (at)
            length += (size_t)snprintf(text + length, RULE_TEXT - length, " %s-%" PRId64, kept[i].name, at);
    }
    return length < RULE_TEXT;
}

/* The code from PC on that has one rule; RULE is empty where a row has none for it. false: no table describes
   it. elfutils' start of such code is wrong behind DW_CFA_restore_state: it begins where the last ended. */
static bool range_from(const struct ly_image *image, uint64_t pc, struct range *ret)
{
    Dwarf_Frame *frame = NULL;
    Dwarf_Addr end;
    bool found;

    if (!image->cfi || dwarf_cfi_addrframe(image->cfi, pc, &frame))
        return false;
    found = dwarf_frame_info(frame, NULL, &end, NULL) >= 0 && end > pc;
    ret->start = pc;
    ret->end = end;
    if (!rule(frame, ret->rule))
        ret->rule[0] = '\0';
    free(frame);
    return found;
}

/* May a thread stand at ONE, in a call until it returns, or behind BEFORE, a system call? */
static bool stands(const struct ly_instruction *before, const struct ly_instruction *one)
{
    return one->x86.kind == X86_CALL || one->x86.kind == X86_CALL_INDIRECT ||
           (before && before->x86.kind == X86_SYSCALL);
}

static int add(struct list *list, const struct range *range)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 256;
        struct range *grown = realloc(list->ranges, room * sizeof(*grown));

        if (!grown)
            return -1;
        list->ranges = grown;
        list->room = room;
    }
    list->ranges[list->count++] = *range;
    return 0;
}

static int find(const struct ly_image *image, const struct ly_code *code, struct list *ret)
{
    struct range range;

    for (size_t i = 0; i < code->count;) {
        bool stood = false;

        if (!range_from(image, code->list[i].pc, &range)) {
            i++;
            continue;
        }
        for (; i < code->count && code->list[i].pc < range.end; i++)
            stood |= stands(i ? &code->list[i - 1] : NULL, &code->list[i]);
        if (stood && range.rule[0] && add(ret, &range))
            return -1;
    }
    return 0;
}

/* By rule, then by address. */
static int compare(const void *a, const void *b)
{
    const struct range *one = a, *two = b;
    const int order = strcmp(one->rule, two->rule);

    return order ? order : one->start < two->start ? -1 : one->start > two->start;
}

int ly_frames(const struct ly_image *image, const struct ly_code *code, FILE *out)
{
    struct list list = {0};

    if (find(image, code, &list)) {
        free(list.ranges);
        return -1;
    }
    if (list.count) /* else there is no array */
        qsort(list.ranges, list.count, sizeof(*list.ranges), compare);
    fprintf(out, "  \"frames\": {");
    for (size_t i = 0; i < list.count; i++) {
        const struct range *one = &list.ranges[i];

        if (!i || strcmp(one[-1].rule, one->rule) != 0)
            fprintf(out, "%s\n    \"%s\": [", i ? "]," : "", one->rule);
        else
            fprintf(out, ", ");
        fprintf(out, "\"0x%" PRIx64 "\", \"0x%" PRIx64 "\"", one->start, one->end);
    }
    fprintf(out, "%s\n  }", list.count ? "]" : "");
    free(list.ranges);
    return 0;
}
