/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/imply.h"

#include <string.h>

#include "corefiles/layout/members.h"

/*
 * Structures that begin with their first member of gomp.def or kmp.def. Members that not all versions have:
 * only code tells that they are there. The control variables are all shown by functions of their own. Of
 * worksharing constructs the code shows too little.
 */
static const char *const first[] = {
    "gomp_thread_pool.threads", "gomp_taskwait.in_taskwait", "gomp_dependers_vec.n_elem",
    "gomp_taskgroup.prev",      "kmp_taskdata.td_task_id",   "kmp_task.shareds",
    "kmp_taskgroup.count",      "kmp_depnode_list.node",     "kmp_queuing_lock.lk.initialized"};
static const char *const seldom[] = {"gomp_thread.num_teams",
                                     "gomp_thread.team_num",
                                     "gomp_taskgroup.workshare",
                                     "gomp_team.work_shares",
                                     "kmp_task_team.tt.tt_num_task_pri",
                                     "kmp_task_team.tt.tt_hidden_helper_task_encountered"};
static const char *const not_followed[] = {"gomp_task_icv", "gomp_work_share", "prio_splay_tree_node_s",
                                           "kmp_internal_control", "kmp_indirect_lock_table"};

/* A member, and where it lies if that is known. */
struct place {
    const struct ly_member *member;
    bool known;
    uint64_t offset;
};
enum { PLACES_MAX = 160 };

struct places {
    struct place list[PLACES_MAX];
    size_t count;
};

static bool is_in(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], name))
            return true;
    return false;
}
#define IS_IN(name, list) is_in(name, list, sizeof(list) / sizeof(list)[0])

const struct ly_fact *ly_named(const struct ly_fact *facts, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(facts[i].name, name))
            return &facts[i];
    return NULL;
}

const struct ly_fact *ly_fact(const struct ly_fact *facts, size_t count, const char *name)
{
    const struct ly_fact *fact = ly_named(facts, count, name);

    return fact && fact->standing != LY_CONTESTED ? fact : NULL;
}

static void collect(bool kmp, struct places *places, const struct ly_fact *facts, size_t fact_count)
{
    size_t count;
    const struct ly_member *members = ly_members(kmp, &count);

    places->count = 0;
    for (size_t i = 0; i < count && places->count < PLACES_MAX; i++) {
        const char *name = members[i].name;
        const struct ly_fact *fact = ly_fact(facts, fact_count, name);
        if (!members[i].path || members[i].behind == UNORDERED || members[i].behind == HALF_LINE ||
            members[i].behind == SAME || IS_IN(members[i].tag, not_followed) ||
            (!fact && IS_IN(name, seldom)))
            continue;
        places->list[places->count++] =
            (struct place){&members[i], fact || IS_IN(name, first), fact ? fact->offset : 0};
    }
}

/* Where AFTER lies if BEFORE is known and nothing else may be between them; before a line in libomp's
   structures, there is more. */
static bool forward(bool kmp, const struct place *before, const struct place *after, uint64_t *ret)
{
    const uint32_t end = (uint32_t)before->offset + before->member->bytes;
    const int16_t behind = after->member->behind;

    if (!before->member->bytes || before->offset > UINT16_MAX || (behind < 0 && (behind != AT_LINE || kmp)))
        return false;
    *ret = behind == AT_LINE
               ? behind_multiple(end, BEHIND_LINE)
               : behind_multiple(end + (uint32_t)behind, behind_alignment(after->member->bytes));
    return true;
}

/* The same the other way round: only where no room can be left between them. */
static bool backward(const struct place *before, const struct place *after, uint64_t *ret)
{
    const uint32_t bytes = before->member->bytes;

    if (after->member->behind != 0 || !bytes || after->offset < bytes ||
        behind_alignment(after->member->bytes) > behind_alignment(bytes))
        return false;
    *ret = after->offset - bytes;
    return *ret % behind_alignment(bytes) == 0;
}

static bool are_neighbours(const struct places *places, size_t i)
{
    return i > 0 && !strcmp(places->list[i - 1].member->tag, places->list[i].member->tag);
}

/* false: two members that are known lie otherwise than in any version. */
static bool follow(bool kmp, struct places *places)
{
    uint64_t offset;

    for (size_t i = 0; i < places->count; i++) {
        struct place *at = &places->list[i];
        if (!are_neighbours(places, i) || !at[-1].known || !forward(kmp, &at[-1], at, &offset))
            continue;
        if (at->known && at->offset != offset)
            return false;
        at->known = true;
        at->offset = offset;
    }
    for (size_t i = places->count; i-- > 1;) {
        struct place *at = &places->list[i];
        if (are_neighbours(places, i) && at->known && !at[-1].known && backward(&at[-1], at, &offset)) {
            at[-1].known = true;
            at[-1].offset = offset;
        }
    }
    return true;
}

bool ly_imply(bool kmp, struct ly_fact facts[LY_FACTS_MAX], size_t *count)
{
    struct places places;

    collect(kmp, &places, facts, *count);
    /* Once more: what follows backwards has neighbours before it too. */
    if (!follow(kmp, &places) || !follow(kmp, &places))
        return false;
    for (size_t i = 0; i < places.count && *count < LY_FACTS_MAX; i++) {
        const struct place *at = &places.list[i];
        if (at->known && !ly_named(facts, *count, at->member->name))
            facts[(*count)++] = (struct ly_fact){.name = at->member->name,
                                                 .offset = at->offset,
                                                 .size = at->member->bytes,
                                                 .is_unsized = !at->member->bytes};
    }
    return true;
}
