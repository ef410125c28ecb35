/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/decode.h"

#include <string.h>

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

/* The constants that are stored before the instruction END, in their order. */
static size_t read_values(const struct ly_code *code, size_t end, uint64_t values[VALUES])
{
    bool known[X86_RIP] = {0};
    size_t count = 0;

    for (size_t i = end > BACK_MAX ? end - BACK_MAX : 0; i < end; i++) {
        const struct x86_instruction *x86 = &code->list[i].x86;
        if (x86->kind == X86_STORE && x86->from == X86_NONE && x86->size == 8 &&
            ((x86->memory.base == X86_RIP) ||
             (x86->memory.base < X86_RIP && known[x86->memory.base] && x86->memory.displacement == 0))) {
            if (count == VALUES)
                memmove(values, values + 1, --count * sizeof values[0]);
            values[count++] = (uint64_t)x86->immediate;
        }
        for (unsigned reg = 0; reg < X86_RIP; reg++)
            if (x86->writes & 1u << reg)
                known[reg] = false;
        if ((x86->kind == X86_LEA || x86->kind == X86_LOAD) && x86->has_modrm &&
            x86->memory.base == X86_RIP && x86->to < X86_RIP)
            known[x86->to] = true;
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

size_t ly_decode_kmp(const struct ly_image *image, const struct ly_code *code,
                     struct ly_fact facts[LY_FACTS_MAX])
{
    uint64_t values[VALUES];
    size_t count = 0, end = find_end(image, code);

    if (end == code->count || read_values(code, end, values) != VALUES || !is_list(values))
        return 0;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct ly_fact fact = {.name = members[i].name};
        for (unsigned k = 0; k < 3 && members[i].index[k] != NONE; k++) {
            fact.offset += values[members[i].index[k]];
            fact.size = values[SIZES + members[i].index[k]];
        }
        facts[count++] = fact;
    }
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        facts[count++] = (struct ly_fact){masks[i].name, values[30], 4, values[masks[i].index], false};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        facts[count++] = (struct ly_fact){sizes[i].name, values[sizes[i].index], 0, 0, false};
    return count;
}
