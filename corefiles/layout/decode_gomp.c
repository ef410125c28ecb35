/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/decode.h"

#include <string.h>

/* What an accessor does first: it loads a word of the thread's record, %fs:OFFSET(register). */
struct accessor {
    const char *function, *member;
};
static const struct accessor accessors[] = {
    {"omp_get_num_threads", "gomp_thread.ts.team"},
    {"omp_get_thread_num", "gomp_thread.ts.team_id"},
    {"omp_get_level", "gomp_thread.ts.level"},
    {"omp_get_max_threads", "gomp_thread.task"},
    {"omp_get_active_level", "gomp_thread.ts.active_level"},
};

static const struct x86_instruction *next(const struct ly_code *code, const struct ly_function *function,
                                          size_t *at)
{
    return *at < code->count && code->list[*at].pc < function->end ? &code->list[(*at)++].x86 : NULL;
}

static bool decode_accessor(const struct ly_code *code, const struct ly_function *function,
                            const char *member, struct ly_fact *ret)
{
    const struct x86_instruction *x86;
    size_t at = function ? ly_at(code, function->start) : code->count;

    while (function && (x86 = next(code, function, &at)))
        if (x86->has_modrm && x86->mod != 3 && x86->memory.segment == 'f' && x86->memory.base != X86_NONE &&
            x86->memory.base != X86_RIP) {
            *ret = (struct ly_fact){member, (uint64_t)x86->memory.displacement, x86->size, 0};
            return x86->memory.displacement >= 0;
        }
    return false;
}

/* omp_get_max_threads: the control variables lie in the task that the thread's record names. */
static bool decode_icv(const struct ly_code *code, const struct ly_function *function, struct ly_fact *ret)
{
    const struct x86_instruction *x86;
    size_t at = function ? ly_at(code, function->start) : code->count;

    while (function && (x86 = next(code, function, &at)))
        if (x86->kind == X86_LEA && x86->memory.base < X86_RIP && x86->memory.displacement > 0) {
            *ret = (struct ly_fact){"gomp_task.icv", (uint64_t)x86->memory.displacement, 0, 0};
            return true;
        }
    return false;
}

/* omp_in_final: one byte of the task. */
static bool decode_final(const struct ly_code *code, const struct ly_function *function, struct ly_fact *ret)
{
    const struct x86_instruction *x86;
    size_t at = function ? ly_at(code, function->start) : code->count;

    while (function && (x86 = next(code, function, &at)))
        if (x86->map == 1 && x86->opcode == 0xb6 && x86->mod != 3 && x86->memory.base < X86_RIP &&
            x86->memory.segment == 0) {
            *ret = (struct ly_fact){"gomp_task.final_task", (uint64_t)x86->memory.displacement, 1, 0};
            return x86->memory.displacement >= 0;
        }
    return false;
}

size_t ly_decode_gomp(const struct ly_image *image, const struct ly_code *code,
                      struct ly_fact facts[LY_FACTS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof accessors / sizeof accessors[0]; i++)
        count += decode_accessor(code, ly_function(image, accessors[i].function), accessors[i].member,
                                 &facts[count]);
    count += decode_icv(code, ly_function(image, "omp_get_max_threads"), &facts[count]);
    count += decode_final(code, ly_function(image, "omp_in_final"), &facts[count]);
    return count;
}
