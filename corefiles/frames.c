/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the host tells inspect of stacks. inspect asks for frames one by one: a stack is unwound once.
 */
#include "corefiles/frames.h"

#include <stdlib.h>
#include <string.h>

#include "corefiles/target.h"

/* inspect asks for no more. */
enum { MAX_FRAMES = 1024 };

struct cf_frames {
    int64_t lwp;
    uint32_t count;
    bool none; /**< the thread has no stack */
    struct insp_frame frame[MAX_FRAMES];
};

static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static int keep(const struct cf_frame *frame, void *arg)
{
    struct cf_frames *f = arg;

    f->frame[f->count++] = (struct insp_frame){
        .pc = frame->pc,
        .place = {copy(frame->symbol), frame->offset, copy(frame->file), frame->line, frame->module},
        .inlined = frame->inlined,
    };
    return f->count == MAX_FRAMES;
}

static void forget(struct cf_frames *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        free((char *)f->frame[i].place.symbol);
        free((char *)f->frame[i].place.file);
    }
    f->count = 0;
}

void cf_frames_free(struct cf_frames *f)
{
    if (f)
        forget(f);
    free(f);
}

int cf_host_frame(struct cf_target *t, int64_t lwp, uint32_t index, struct insp_frame *ret)
{
    const char *why;

    if (t->nameless)
        return 1;
    if (!t->frames)
        t->frames = calloc(1, sizeof(*t->frames));
    if (!t->frames)
        return -1;
    if (t->frames->lwp != lwp) {
        forget(t->frames);
        t->frames->lwp = lwp;
        t->frames->none = cf_stack(t, lwp, MAX_FRAMES, keep, t->frames, &why) < 0;
    }
    if (index >= t->frames->count)
        return t->frames->none ? -1 : 1;
    *ret = t->frames->frame[index];
    return 0;
}
