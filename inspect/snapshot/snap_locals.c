/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_locals.h"

#include <string.h>

#include "inspect/target/hostcall.h"

/* Of one frame, and of all frames of a process: what is more, nobody reads. */
enum { FRAME_MAX = 64, ALL_MAX = 20000 };

/* Of several with one name, the program's source means the one of the innermost block. */
static void hide(struct mdl_frame *row, struct mdl_local *last)
{
    for (struct mdl_local *one = row->locals; one < last; one++)
        if (mdl_same(one->name, last->name))
            (one->depth > last->depth ? one : last)->hidden = true;
}

void snap_locals(insp_session *s, insp_snapshot *snap, int64_t lwp, uint32_t frame, struct mdl_frame *row)
{
    struct insp_local local;

    for (uint32_t i = 0; !host_local(s, lwp, frame, i, &local); i++) {
        struct mdl_local *grown;

        if (!local.name)
            continue;
        if (row->local_count == FRAME_MAX || snap->local_count == ALL_MAX) {
            row->locals_left = true;
            return;
        }
        grown = arena_grow(&snap->arena, row->locals, (size_t)row->local_count, sizeof(*grown));
        if (!grown)
            return;
        row->locals = grown;
        grown[row->local_count] = (struct mdl_local){
            .name = arena_str(&snap->arena, local.name),
            .type = arena_str(&snap->arena, local.type),
            .value = arena_str(&snap->arena, local.value),
            .why = local.value ? NULL : arena_str(&snap->arena, local.why ? local.why : "not known"),
            .argument = local.argument != 0,
            .depth = local.depth,
        };
        hide(row, &grown[row->local_count++]);
        snap->local_count++;
    }
}
