/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks through a runtime whose file is missing (inspect.h, insp_caller). */
#include <stdlib.h>

#include "inspect/frames/frame_pointer.h"
#include "inspect/ompd/callbacks.h"
#include "inspect/unwind/caller.h"
#include "inspect/target/discover.h"
#include "inspect/unwind/frame_rules.h"
#include "inspect/ompd/open.h"
#include "ompdx.h"

/* The runtime that publishes its state and is mapped at ADDR. */
static const struct insp_known_module *published_at(const insp_session *s, uint64_t addr)
{
    for (int i = 0; i < s->module_count; i++)
        if (s->modules[i].runtime && s->modules[i].seen == s->scan && addr >= s->modules[i].start &&
            addr < s->modules[i].end)
            return &s->modules[i];
    return NULL;
}

static bool by_frame_pointer(const struct insp_known_module *m, insp_read *read, void *ctx,
                             struct insp_frame_registers *frame)
{
    struct frame_step step = {frame->pc, frame->sp, frame->rbp};

    if (!frame_pointer_step(read, ctx, m->start, m->end, frame->exact, true, &step))
        return false;
    *frame = (struct insp_frame_registers){.pc = step.pc, .known = UINT64_C(1) << ompdx_reg_rip};
    caller_put(frame, EH_RSP, step.sp);
    caller_put(frame, EH_RBP, step.fp);
    return true;
}

int insp_caller(insp_session *s, insp_read *read, void *ctx, struct insp_frame_registers *frame)
{
    const uint64_t needed = UINT64_C(1) << ompdx_reg_rsp | UINT64_C(1) << ompdx_reg_rbp;
    const uint64_t code = frame->pc - !frame->exact;
    const struct insp_known_module *m;
    struct insp_frame_registers caller;
    struct eh_rules rules;

    if (!s || !read)
        return 1;
    m = published_at(s, code);
    if (m)
        return (frame->known & needed) == needed && by_frame_pointer(m, read, ctx, frame) ? 0 : 1;
    if (!frame_rules_find(s, code, &rules) ||
        caller_find(&rules, read, ctx, frame, &caller) != CALLER_FOUND ||
        !frame_rules_lead_to(s, read, ctx, caller.pc))
        return 1;
    *frame = caller;
    return 0;
}

/* Has the layout of this runtime, which publishes nothing, rules for its frames? */
static bool has_rules(insp_session *s, const struct insp_known_module *m)
{
    ompd_address_space_context_t *context;
    char *why = NULL;

    if (!s->lib || !discover_stock(m))
        return false;
    if (insp_session_context(s, m, &context, &why)) {
        free(why);
        return false;
    }
    return context->rule_count != 0;
}

int insp_frame_ranges(insp_session *s, uint64_t (*ranges)[2], int n)
{
    insp_session *before;
    int found = 0;

    if (!s)
        return 0;
    s->host_failed = false;
    before = callbacks_activate(s);
    if (discover_scan(s) >= 0)
        for (int i = 0; i < s->module_count; i++) {
            const struct insp_known_module *m = &s->modules[i];

            if (m->seen != s->scan || !(m->runtime || has_rules(s, m)))
                continue;
            if (ranges && found < n) {
                ranges[found][0] = m->start;
                ranges[found][1] = m->end;
            }
            found++;
        }
    callbacks_restore(before);
    return found;
}
