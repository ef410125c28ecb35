/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libomp says where its members lie in up to three ways: it publishes offsets for its own OMPD library, if
 * that has been built; it publishes others for Intel's debugger, if it has been built for that (libiomp5 has:
 * decode_kmp_table.c); and its functions read the members (decode_kmp_code.c).
 */
#include "corefiles/layout/decode_kmp_parts.h"

#include <string.h>

#include "corefiles/layout/imply.h"

/*
 * Before it asks for OMP_DEBUG, libomp stores a constant into each of its variables ompd_access__*,
 * ompd_bitfield__* and ompd_sizeof__*, in the order of its public header ompd-specific.h: 54 offsets, 11
 * masks, the sizes of the 54, and 26 more sizes. Of 13 to 19 the list is the same.
 */
enum {
    OFFSETS = 54,
    MASKS = 11,
    SIZES = OFFSETS + MASKS,
    VALUES = 145,
    BACK_MAX = 1200, /* instructions */
    NONE = 0xff,
};

/* A member: offsets that are added up, the last one's size. */
static const struct {
    const char *name;
    uint8_t index[3];
} members[] = {
    {"kmp_info.th.th_current_task", {18, 0, NONE}},
    {"kmp_info.th.th_team", {18, 1, NONE}},
    {"kmp_info.th.th_info.ds.ds_thread", {2, 15, 16}},
    {"kmp_info.th.th_info.ds.ds_tid", {2, 15, 17}},
    {"kmp_info.th.ompt_thread_info.state", {3, 44, NONE}},
    {"kmp_info.th.ompt_thread_info.wait_id", {3, 45, NONE}},
    {"kmp_root.r.r_in_parallel", {21, 4, NONE}},
    {"kmp_team.t.t_active_level", {35, 7, NONE}},
    {"kmp_team.t.t_implicit_task_taskdata", {35, 8, NONE}},
    {"kmp_team.t.t_master_tid", {35, 9, NONE}},
    {"kmp_team.t.t_nproc", {35, 10, NONE}},
    {"kmp_team.t.t_level", {35, 11, NONE}},
    {"kmp_team.t.t_parent", {35, 12, NONE}},
    {"kmp_team.t.t_pkfn", {35, 13, NONE}},
    {"kmp_team.t.t_threads", {35, 14, NONE}},
    {"kmp_internal_control.dynamic", {22, NONE, NONE}},
    {"kmp_internal_control.max_active_levels", {23, NONE, NONE}},
    {"kmp_internal_control.nproc", {24, NONE, NONE}},
    {"kmp_internal_control.proc_bind", {25, NONE, NONE}},
    {"kmp_internal_control.sched.r_sched_type", {26, 19, NONE}},
    {"kmp_internal_control.sched.chunk", {26, 20, NONE}},
    {"kmp_internal_control.default_device", {27, NONE, NONE}},
    {"kmp_internal_control.thread_limit", {28, NONE, NONE}},
    {"kmp_taskdata.td_flags", {30, NONE, NONE}},
    {"kmp_taskdata.td_icvs", {31, NONE, NONE}},
    {"kmp_taskdata.td_parent", {32, NONE, NONE}},
    {"kmp_taskdata.td_team", {33, NONE, NONE}},
    {"kmp_task.routine", {34, NONE, NONE}},
};

static const struct {
    const char *name;
    uint8_t index;
} masks[] = {
    {"kmp_taskdata.td_flags.final", 54},    {"kmp_taskdata.td_flags.tiedness", 55},
    {"kmp_taskdata.td_flags.tasktype", 56}, {"kmp_taskdata.td_flags.task_serial", 57},
    {"kmp_taskdata.td_flags.started", 60},  {"kmp_taskdata.td_flags.executing", 61},
    {"kmp_taskdata.td_flags.complete", 62}, {"kmp_taskdata.td_flags.freed", 63},
};

static const struct {
    const char *name;
    uint8_t index;
} sizes[] = {
    {"kmp_info", 119}, {"kmp_taskdata", 120}, {"kmp_task", 121}, {"kmp_internal_control", SIZES + 31}};

/* The instruction that takes the address of "OMP_DEBUG". */
static size_t find_end(const struct ly_image *image, const struct ly_code *code)
{
    static const char text[] = "\0OMP_DEBUG";
    uint64_t address = ly_find(image, text, sizeof text);

    for (size_t i = 0; address && i < code->count; i++)
        if (code->list[i].x86.kind == X86_LEA && code->list[i].x86.address == address + 1)
            return i;
    return code->count;
}

/* What a register holds: the address of a variable, or a constant. */
struct held {
    enum { HELD_UNKNOWN, HELD_ADDRESS, HELD_CONSTANT } what;
    uint64_t constant;
};

static void hold(struct held held[X86_RIP], const struct x86_instruction *x86)
{
    enum { OP_XOR_TO = 0x31, OP_XOR = 0x33 };
    const bool is_zero = x86->encoding == X86_LEGACY && x86->map == 0 && x86->mod == 3 &&
                         (x86->opcode == OP_XOR || x86->opcode == OP_XOR_TO) && x86->rm == x86->reg;

    for (unsigned reg = 0; reg < X86_RIP; reg++)
        if (x86->writes & 1u << reg)
            held[reg].what = HELD_UNKNOWN;
    if (is_zero)
        held[x86->rm] = (struct held){HELD_CONSTANT, 0};
    else if (x86->kind == X86_SET && x86->to < X86_RIP)
        held[x86->to] = (struct held){HELD_CONSTANT, (uint64_t)x86->immediate};
    else if ((x86->kind == X86_LEA || x86->kind == X86_LOAD) && x86->has_modrm &&
             x86->memory.base == X86_RIP && x86->to < X86_RIP)
        held[x86->to].what = HELD_ADDRESS;
}

/* Is a constant of 8 bytes stored to a variable? */
static bool is_store(const struct held held[X86_RIP], const struct x86_instruction *x86, uint64_t *value)
{
    const uint8_t base = x86->memory.base;
    const bool by_register = base < X86_RIP && held[base].what == HELD_ADDRESS && !x86->memory.displacement;

    if (x86->kind != X86_STORE || x86->size != 8 || (base != X86_RIP && !by_register))
        return false;
    *value = (uint64_t)x86->immediate;
    if (x86->from == X86_NONE)
        return true;
    *value = held[x86->from % X86_RIP].constant;
    return held[x86->from % X86_RIP].what == HELD_CONSTANT;
}

/* The constants that are stored before the instruction END, in their order. */
static size_t read_values(const struct ly_code *code, size_t end, uint64_t values[VALUES])
{
    struct held held[X86_RIP] = {0};
    uint64_t value;
    size_t count = 0;

    for (size_t i = end > BACK_MAX ? end - BACK_MAX : 0; i < end; i++) {
        const struct x86_instruction *x86 = &code->list[i].x86;
        if (is_store(held, x86, &value)) {
            if (count == VALUES)
                memmove(values, values + 1, --count * sizeof values[0]);
            values[count++] = value;
        }
        hold(held, x86);
    }
    return count;
}

/* Numbers that no build of any version can have otherwise: pointers and ints, single bits. */
static bool is_list(const uint64_t values[VALUES])
{
    for (unsigned i = OFFSETS; i < SIZES; i++)
        if (values[i] == 0 || (values[i] & (values[i] - 1)) != 0 || values[i] >> 32 != 0)
            return false;
    for (unsigned i = 0; i < OFFSETS; i++)
        if (values[i] > 1 << 16 || values[SIZES + i] > 1 << 16)
            return false;
    return values[SIZES] == 8 && values[SIZES + 1] == 8 && values[SIZES + 10] == 4 && values[141] == 4 &&
           values[142] == 1;
}

static void decode_published(struct ly_decoding *d)
{
    uint64_t values[VALUES];
    const size_t end = find_end(d->image, d->code);

    if (end == d->code->count || read_values(d->code, end, values) != VALUES || !is_list(values))
        return;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        uint64_t offset = 0, size = 0;
        for (unsigned k = 0; k < 3 && members[i].index[k] != NONE; k++) {
            offset += values[members[i].index[k]];
            size = values[SIZES + members[i].index[k]];
        }
        ly_add(d, members[i].name, (int64_t)offset, size);
    }
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        ly_add_mask(d, masks[i].name, (int64_t)values[30], values[masks[i].index]);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        ly_add(d, sizes[i].name, (int64_t)values[sizes[i].index], 0);
}

void ly_add_mask(struct ly_decoding *d, const char *name, int64_t offset, uint64_t mask)
{
    const size_t count = d->count;

    ly_add(d, name, offset, 4);
    if (d->count > count)
        d->facts[count].mask = mask;
}

/* Bits of a task's flags: the first half is the interface to compilers, the second one the same in all
   versions. */
static void add_flags(struct ly_decoding *d)
{
    static const struct {
        const char *name;
        unsigned bit;
    } flags[] = {
        {"kmp_taskdata.td_flags.tiedness", 0},  {"kmp_taskdata.td_flags.final", 1},
        {"kmp_taskdata.td_flags.tasktype", 16}, {"kmp_taskdata.td_flags.task_serial", 17},
        {"kmp_taskdata.td_flags.started", 20},  {"kmp_taskdata.td_flags.executing", 21},
        {"kmp_taskdata.td_flags.complete", 22}, {"kmp_taskdata.td_flags.freed", 23},
    };
    int32_t offset;

    for (size_t i = 0; ly_get(d, "kmp_taskdata.td_flags", &offset) && i < sizeof flags / sizeof flags[0]; i++)
        ly_add_mask(d, flags[i].name, offset, 1U << flags[i].bit);
}

/* What the code shows; false: it is not what the runtime publishes. */
static bool add_shown(struct ly_decoding *d)
{
    struct ly_fact facts[LY_FACTS_MAX];
    struct ly_decoding shown = {d->image, d->code, facts, 0};

    ly_decode_kmp_code(&shown);
    for (size_t i = 0; i < shown.count; i++) {
        const struct ly_fact *known = ly_fact(d->facts, d->count, facts[i].name);
        if (known && known->offset != facts[i].offset)
            return false;
        ly_add(d, facts[i].name, (int64_t)facts[i].offset, facts[i].size);
    }
    return true;
}

/* Is the fact's structure one of which it is contested how large it is? */
static bool is_in_contested(const struct ly_fact *facts, size_t count, const char *name)
{
    const size_t tag = strcspn(name, ".");

    for (size_t i = 0; i < count; i++)
        if (facts[i].standing == LY_CONTESTED && !facts[i].name[strcspn(facts[i].name, ".")] &&
            strlen(facts[i].name) == tag && !strncmp(facts[i].name, name, tag))
            return true;
    return false;
}

/* What places that show it do not agree on is not known; nor are elements of an array whose size is not. */
static size_t without_contested(struct ly_fact facts[LY_FACTS_MAX], size_t count)
{
    struct ly_fact all[LY_FACTS_MAX];
    size_t kept = 0;

    memcpy(all, facts, count * sizeof *all);
    for (size_t i = 0; i < count; i++)
        if (all[i].standing != LY_CONTESTED && !is_in_contested(all, count, all[i].name))
            facts[kept++] = all[i];
    return kept;
}

size_t ly_decode_kmp(const struct ly_image *image, const struct ly_code *code,
                     struct ly_fact facts[LY_FACTS_MAX])
{
    struct ly_decoding d = {image, code, facts, 0};

    decode_published(&d);
    if (!ly_decode_kmp_table(&d) || !add_shown(&d))
        return 0;
    add_flags(&d);
    if (!ly_imply(true, facts, &d.count) || !ly_decode_kmp_tasks(&d))
        return 0;
    ly_decode_kmp_function(&d);
    ly_decode_kmp_barriers(&d);
    ly_decode_kmp_locks(&d);
    return ly_imply(true, facts, &d.count) ? without_contested(facts, d.count) : 0;
}
