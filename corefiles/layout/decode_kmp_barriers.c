/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers by which libomp's barriers count. A team has one for each kind of barrier, and each thread that
 * comes to the team takes them over: so the same function shows both, and how far one is from the next.
 */
#include "corefiles/layout/decode_kmp_parts.h"
#include "ompd/providers/behind.h"

enum { KINDS = 3, LINE = 64, PAIRS_MAX = 32 };

/* A word of the team, and where it goes in a member's record. */
struct pair {
    int32_t from, to;
};

/* Is it the record of a thread in the list of members that TEAM has at THREADS, or one that a function has
   returned, as the one that makes it does? */
static bool is_member(const struct ly_trace *t, uint16_t pointer, uint16_t team, int32_t threads)
{
    const struct ly_pointer *member = &t->pointers.list[pointer];
    const struct ly_pointer *list = &t->pointers.list[member->parent];

    return pointer >= LY_ROOTS && !member->stride &&
           (member->parent == LY_UNKNOWN ||
            (list->parent == team && list->offset == threads && !list->stride));
}

/* All words of a team that go to a thread in its list of members. By where they lie in the team. */
static size_t collect(const struct ly_trace *t, int32_t threads, struct pair pairs[PAIRS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        const struct ly_pointer *word = &t->pointers.list[access->stored.pointer];
        const struct pair pair = {word->offset, access->offset};
        size_t at = 0;
        if (access->how != LY_STORES || access->size != 8 || access->stored.pointer < LY_ROOTS ||
            access->stored.offset || word->stride || !word->parent ||
            !is_member(t, access->pointer, word->parent, threads))
            continue;
        while (at < count &&
               (pairs[at].from < pair.from || (pairs[at].from == pair.from && pairs[at].to < pair.to)))
            at++;
        if (count == PAIRS_MAX || (at < count && pairs[at].from == pair.from && pairs[at].to == pair.to))
            continue; /* of another member of the team */
        for (size_t k = count++; k > at; k--)
            pairs[k] = pairs[k - 1];
        pairs[at] = pair;
    }
    return count;
}

static bool has(const struct pair *pairs, size_t count, struct pair pair)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].from == pair.from && pairs[i].to == pair.to)
            return true;
    return false;
}

/* Those of the first kind: KINDS at equal distances, *from in the team and *to in the record. false: none, or
   more than one. */
static bool find_first(const struct pair *pairs, size_t count, struct pair *first, struct pair *distance)
{
    unsigned found = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            const struct pair step = {pairs[k].from - pairs[i].from, pairs[k].to - pairs[i].to};
            if (step.from <= 0 || step.to <= 0 || step.from % LINE || step.to % LINE ||
                pairs[i].from % LINE || pairs[i].to % LINE ||
                !has(pairs, count, (struct pair){pairs[k].from + step.from, pairs[k].to + step.to}))
                continue;
            *first = pairs[i];
            *distance = step;
            found++;
        }
    return found == 1;
}

/* A thread's part begins with a copy of control variables, b_go follows them, and b_arrived has a line of its
   own. */
static void claim(struct ly_decoding *d, struct pair first, struct pair distance)
{
    int32_t icvs, line = 0;

    if (ly_get(d, "kmp_internal_control", &icvs))
        line = (int32_t)behind_multiple((uint32_t)icvs + 8, LINE);
    if (first.to < line)
        return;
    ly_claim(d, "kmp_balign_team", distance.from, 0);
    ly_add(d, "kmp_balign_team.b_arrived", 0, 8);
    ly_claim(d, "kmp_team.t.t_bar", first.from, KINDS * (uint64_t)distance.from);
    if (!line)
        return;
    ly_claim(d, "kmp_balign", distance.to, 0);
    ly_add(d, "kmp_balign.bb.b_arrived", line, 8);
    ly_add(d, "kmp_balign.bb.b_go", icvs, 8);
    ly_claim(d, "kmp_info.th.th_bar", first.to - line, (uint64_t)(KINDS * distance.to));
}

/* The function has no name: each is looked at that deals with a list of members. */
void ly_decode_kmp_barriers(struct ly_decoding *d)
{
    struct pair pairs[PAIRS_MAX], first, distance;
    struct ly_trace t;
    int32_t threads;

    if (!ly_get(d, "kmp_team.t.t_threads", &threads))
        return;
    for (size_t at = 0; ly_follow_next(d, threads, &at, &t);) {
        const size_t count = collect(&t, threads, pairs);
        ly_trace_free(&t);
        if (find_first(pairs, count, &first, &distance))
            claim(d, first, distance);
    }
}
