/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/profile/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/model.h"

/* Numbers have 32 bits, and no machine has room for so many. */
enum { NUMBERS_MAX = 1 << 30 };

int64_t store_text(struct profile *p, const char *text)
{
    uint64_t *at = hash_find(&p->by_text, 0, text);
    const char **grown;
    char *copy;

    if (at)
        return (int64_t)*at - 1;
    copy = arena_str(&p->arena, text);
    grown = copy && p->text_count < NUMBERS_MAX
                ? arena_grow(&p->arena, p->texts, p->text_count, sizeof(*grown))
                : NULL;
    at = grown ? hash_add(&p->by_text, 0, copy) : NULL;
    if (!at)
        return -1;
    p->texts = grown;
    p->texts[p->text_count++] = copy;
    *at = p->text_count;
    return (int64_t)p->text_count - 1;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = hash_mix(hash, (unsigned char)*text);
    return hash;
}

int64_t store_frame(struct profile *p, const struct profile_frame *frame)
{
    uint64_t key = hash_text(hash_text((uint64_t)frame->line, frame->name), frame->file), *at;
    struct profile_frame *grown;

    for (; (at = hash_add(&p->by_frame, key, NULL)) != NULL; key++) {
        const struct profile_frame *is = *at ? &p->frames[*at - 1] : NULL;

        if (!is)
            break;
        if (is->line == frame->line && !strcmp(is->name, frame->name) && mdl_same(is->file, frame->file))
            return (int64_t)*at - 1;
    }
    grown = at && p->frame_count < NUMBERS_MAX
                ? arena_grow(&p->arena, p->frames, p->frame_count, sizeof(*grown))
                : NULL;
    if (!grown)
        return -1;
    p->frames = grown;
    p->frames[p->frame_count] = (struct profile_frame){arena_str(&p->arena, frame->name),
                                                       arena_str(&p->arena, frame->file), frame->line};
    if (p->arena.oom)
        return -1;
    *at = ++p->frame_count;
    return (int64_t)p->frame_count - 1;
}

static bool same_stack(const struct profile_stack *a, const struct profile_stack *b)
{
    return a->count == b->count && !memcmp(a->by, b->by, sizeof(a->by)) &&
           (!a->count || !memcmp(a->frame, b->frame, a->count * sizeof(*a->frame)));
}

int64_t store_stack(struct profile *p, const struct profile_stack *stack)
{
    struct profile_stack *grown;
    uint64_t key = stack->count, *at;
    uint32_t *frames;

    for (uint32_t i = 0; i < stack->count; i++)
        key = hash_mix(key, stack->frame[i]);
    for (int i = 0; i < PROFILE_BYS; i++)
        key = hash_mix(key, stack->by[i]);
    for (; (at = hash_add(&p->by_stack, key, NULL)) != NULL && *at; key++)
        if (same_stack(&p->stacks[*at - 1], stack))
            return (int64_t)*at - 1;
    grown = at && p->stack_count < NUMBERS_MAX
                ? arena_grow(&p->arena, p->stacks, p->stack_count, sizeof(*grown))
                : NULL;
    frames = grown ? arena_alloc(&p->arena, (stack->count + (size_t)1) * sizeof(*frames)) : NULL;
    if (!frames)
        return -1;
    if (stack->count)
        memcpy(frames, stack->frame, stack->count * sizeof(*frames));
    p->stacks = grown;
    p->stacks[p->stack_count] = *stack;
    p->stacks[p->stack_count].frame = frames;
    *at = ++p->stack_count;
    return (int64_t)p->stack_count - 1;
}

static struct profile_thread *thread_of(struct profile *p, int64_t lwp, bool initial)
{
    uint64_t *at = hash_add(&p->by_lwp, (uint64_t)lwp, NULL);
    struct profile_thread *grown;

    if (!at)
        return NULL;
    if (*at)
        return &p->threads[*at - 1];
    grown = arena_grow(&p->arena, p->threads, p->thread_count, sizeof(*grown));
    if (!grown)
        return NULL;
    p->threads = grown;
    p->threads[p->thread_count] = (struct profile_thread){.lwp = lwp, .initial = initial};
    *at = ++p->thread_count;
    p->totals.threads = p->thread_count;
    return &p->threads[p->thread_count - 1];
}

bool store_sample(struct profile *p, int64_t lwp, bool initial, uint32_t stack)
{
    struct profile_thread *t = thread_of(p, lwp, initial);
    struct profile_run *last = t && t->run_count ? &t->runs[t->run_count - 1] : NULL, *grown;

    if (!t)
        return false;
    t->samples++;
    if (last && last->stack == stack && last->count < UINT32_MAX) {
        last->count++;
        return true;
    }
    grown = arena_grow(&p->arena, t->runs, t->run_count, sizeof(*grown));
    if (!grown)
        return false;
    t->runs = grown;
    t->runs[t->run_count++] = (struct profile_run){stack, 1};
    return true;
}

uint64_t *store_counts(const struct profile *p, const struct profile_thread *thread)
{
    uint64_t *counts = calloc(p->stack_count + 1, sizeof(*counts));

    for (size_t i = 0; counts && i < p->thread_count; i++) {
        const struct profile_thread *t = &p->threads[i];

        for (size_t k = 0; (!thread || t == thread) && k < t->run_count; k++)
            counts[t->runs[k].stack] += t->runs[k].count;
    }
    return counts;
}

const char *store_thread_name(struct arena *a, const struct profile_thread *thread)
{
    return arena_printf(a, "LWP %" PRId64 "%s", thread->lwp, thread->initial ? " (initial thread)" : "");
}
