/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/ompd/segments.h"

#include <string.h>

#include "inspect/model/model.h"
#include "inspect/target/discover.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"
#include "inspect/target/library.h"
#include "inspect/target/mapped.h"
#include "inspect/unwind/unwind.h"
#include "ompdx.h"

/** What a segment is an array of. */
union element {
    ompdx_registers_t registers;
    ompdx_frame_t frame;
    ompdx_native_thread_t thread;
    ompdx_module_t module;
};

static int registers(ompd_address_space_context_t *context, const ompd_thread_context_t *thread,
                     uint64_t index, union element *ret)
{
    if (index || !thread)
        return -1;
    ret->registers = (ompdx_registers_t){0};
    return still_registers(context->session, thread->thread.lwp, ret->registers.reg, &ret->registers.known);
}

static uint64_t code_at(insp_session *s, uint64_t addr)
{
    const struct insp_known_module *m = mapped_at(s, addr);

    if (!m)
        return ompdx_code_unknown;
    if (m->runtime || discover_stock(m))
        return ompdx_code_runtime;
    return library_code(mdl_base_name(m->path)) == INSP_CODE_LIBC ? ompdx_code_system : ompdx_code_program;
}

static int frame(ompd_address_space_context_t *context, const ompd_thread_context_t *thread, uint64_t index,
                 union element *ret)
{
    struct insp_frame_registers f;

    if (!thread || index > UINT32_MAX ||
        unwind_frame(context->session, thread->thread.lwp, (uint32_t)index, &f))
        return -1;
    ret->frame = (ompdx_frame_t){
        .pc = f.pc,
        .sp = f.sp,
        .known = f.known,
        .rbx = f.rbx,
        .rbp = f.rbp,
        .r12 = f.r12,
        .r13 = f.r13,
        .r14 = f.r14,
        .r15 = f.r15,
        .exact = f.exact != 0,
        /* A call may be the last instruction of its function, and that the last one of its file. */
        .code = code_at(context->session, f.pc - !f.exact),
    };
    return 0;
}

static int native_thread(ompd_address_space_context_t *context, const ompd_thread_context_t *thread,
                         uint64_t index, union element *ret)
{
    const insp_session *s = context->session;

    (void)thread;
    if (!s->taking || index >= (uint64_t)s->thread_count)
        return -1;
    ret->thread = (ompdx_native_thread_t){s->threads[index].thread.pthread, s->threads[index].thread.lwp};
    return 0;
}

static int module(ompd_address_space_context_t *context, const ompd_thread_context_t *thread, uint64_t index,
                  union element *ret)
{
    struct insp_known_module *m = &context->module;

    (void)thread;
    if (index)
        return -1;
    discover_build_id(context->session, m);
    ret->module = (ompdx_module_t){
        .base = m->base,
        .end = m->end > m->start ? m->end : 0,
        .bias = m->bias,
        .dynamic = m->dynamic,
        .build_id_size = m->build_id_size,
    };
    memcpy(ret->module.build_id, m->build_id, m->build_id_size);
    return 0;
}

static const struct {
    uint64_t segment, size;
    int (*get)(ompd_address_space_context_t *context, const ompd_thread_context_t *thread, uint64_t index,
               union element *ret);
} segments[] = {
    {OMPDX_SEGMENT_REGISTERS, sizeof(ompdx_registers_t), registers},
    {OMPDX_SEGMENT_FRAMES, sizeof(ompdx_frame_t), frame},
    {OMPDX_SEGMENT_THREADS, sizeof(ompdx_native_thread_t), native_thread},
    {OMPDX_SEGMENT_MODULE, sizeof(ompdx_module_t), module},
};
enum { SEGMENTS = sizeof(segments) / sizeof(*segments) };

static int find(uint64_t segment)
{
    for (int i = 0; i < SEGMENTS; i++)
        if (segments[i].segment == segment)
            return i;
    return -1;
}

bool segment_is_ours(uint64_t segment)
{
    return find(segment) >= 0;
}

int segment_read(ompd_address_space_context_t *context, const ompd_thread_context_t *thread,
                 const ompd_address_t *addr, void *buf, uint64_t size)
{
    const int which = find(addr->segment);
    uint64_t at = addr->address - OMPDX_SEGMENT_BASE;

    if (which < 0 || addr->address < OMPDX_SEGMENT_BASE)
        return -1;
    while (size) {
        uint64_t skip = at % segments[which].size, n = segments[which].size - skip;
        union element one;

        if (segments[which].get(context, thread, at / segments[which].size, &one))
            return -1;
        if (n > size)
            n = size;
        memcpy(buf, (const char *)&one + skip, n);
        buf = (char *)buf + n;
        at += n;
        size -= n;
    }
    return 0;
}
