/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/row_rules.h"

#include "providers/behind.h"

/** Members of a structure in the order of its declaration. BYTES: 0 is an array without a size. */
struct member {
    uint16_t id;
    uint8_t bytes;
    int8_t behind;
};

#define STOCK_STRUCT(id, tag, comment)
#define STOCK_FIELD(id, tag, member, path, bytes, behind, comment) {LAY_F_##tag##_##member, bytes, behind},
#define STOCK_VAR(id, variable, comment)
#define STOCK_CONST(id, name, comment)
static const struct member gomp_members[] = {
#include "providers/gomp.def"
};
static const struct member kmp_members[] = {
#include "providers/kmp.def"
};

static uint32_t end_of(const struct lay_entry *entry)
{
    return (uint32_t)entry->offset + entry->size;
}

static bool is_member(const struct lay_entry *entry)
{
    return entry->kind == LAY_FIELD || entry->kind == LAY_BITS;
}

/** BEFORE: the member of the structure that comes before it, NULL: there is none. */
static bool fits(const struct member *member, const struct lay_entry *entry, const struct lay_entry *before)
{
    const uint32_t offset = (uint32_t)entry->offset, align = behind_alignment(member->bytes);
    if ((member->bytes != 0 && entry->size != member->bytes) || offset % align != 0)
        return false;
    if (member->behind == AT_LINE && offset % BEHIND_LINE != 0)
        return false;
    if (before == NULL)
        return true;
    const uint32_t end = end_of(before);
    switch (member->behind) {
    case ANYWHERE:
    case AT_LINE:
        return offset >= end;
    case AT_MOST_FOUR:
        return offset == end || offset == end + 4;
    case SAME:
        return entry->offset == before->offset && entry->size == before->size;
    default:
        return offset == behind_multiple(end + (uint32_t)member->behind, align);
    }
}

/** Members that a row does not have may lie between two others, but for bits of one word. */
static unsigned wrong_member(const struct lay *lay, const struct member *members, size_t count)
{
    const struct lay_entry *before = NULL;
    unsigned owner = 0;
    bool next = true, word = false; /* is the member of this word there? */
    for (size_t i = 0; i < count; i++) {
        const struct lay_entry *entry = lay_at(lay, members[i].id);
        struct member member = members[i];
        if (member.behind == UNORDERED)
            continue;
        if (member.behind == HALF_LINE) {
            if (is_member(entry) &&
                (entry->size != member.bytes || entry->offset % (int32_t)(BEHIND_LINE / 2) != 0))
                return member.id;
            continue;
        }
        if (lay_owner(lay->names, member.id) != owner) {
            owner = lay_owner(lay->names, member.id);
            before = NULL;
            next = true;
        }
        if (member.behind != SAME)
            word = false;
        if (!is_member(entry)) {
            next = next && member.behind == SAME;
            continue;
        }
        if (member.behind == SAME && !word)
            member.behind = ANYWHERE;
        word = true;
        if (!next && member.behind != AT_LINE && member.behind != SAME)
            member.behind = ANYWHERE;
        if (!fits(&member, entry, before))
            return member.id;
        before = entry;
        next = true;
    }
    return 0;
}

/** What holds between entries of a row that are there; first those that look at `other`. */
enum sort {
    HOLDS,      /**< the member or variable `id` is as long as `number` structures `other` */
    ARRAY,      /**< as HOLDS, or longer by whole ones */
    ENDS,       /**< the structure `id` ends with the member `other` */
    BESIDE,     /**< the member `id` of `number` bytes ends where `other` begins, or begins where it ends */
    WHOLE,      /**< the structure `id` is whole lines */
    AT_IN_LINE, /**< the member `id` lies `number` bytes behind the start of a line */
    CONSTANT,   /**< the constant `id` is 0, unless `other`, or `number` */
    VERSION     /**< the constant `id` is a value of _OPENMP */
};

struct rule {
    enum sort sort;
    unsigned id, other, number;
};

/** A pool's dock is a barrier too: a line begins with its total. */
static const struct rule gomp_rules[] = {
    {HOLDS, LAY_F_gomp_task_icv, LAY_S_gomp_task_icv, 1},
    {HOLDS, LAY_V_gomp_global_icv, LAY_S_gomp_task_icv, 1},
    {HOLDS, LAY_F_gomp_team_work_shares, LAY_S_gomp_work_share, 8},
    {ENDS, LAY_S_gomp_task, LAY_F_gomp_task_parent_depends_on, 0},
    {ENDS, LAY_S_gomp_team, LAY_F_gomp_team_implicit_task, 0},
    {AT_IN_LINE, LAY_F_gomp_thread_pool_dock_generation, 0, 4},
    {AT_IN_LINE, LAY_F_gomp_work_share_next, 0, 8},
    {CONSTANT, LAY_C_gomp_nest_lock_owner, 1, 8},
    {VERSION, LAY_C_gomp_openmp_version, 0, 0},
};

/** There are three sorts of barriers, in libiomp5 a thread has one more. */
static const struct rule kmp_rules[] = {
    {WHOLE, LAY_S_kmp_taskdata, 0, 0},
    {WHOLE, LAY_S_kmp_thread_data, 0, 0},
    {WHOLE, LAY_S_kmp_balign, 0, 0},
    {WHOLE, LAY_S_kmp_balign_team, 0, 0},
    {HOLDS, LAY_F_kmp_taskdata_icvs, LAY_S_kmp_internal_control, 1},
    {ARRAY, LAY_F_kmp_info_bar, LAY_S_kmp_balign, 3},
    {HOLDS, LAY_F_kmp_team_bar, LAY_S_kmp_balign_team, 3},
    {BESIDE, LAY_F_kmp_info_teams_level, LAY_F_kmp_info_teams_microtask, 4},
    {CONSTANT, LAY_C_kmp_hidden_helpers, 0, 8},
    {VERSION, LAY_C_kmp_openmp_version, 0, 0},
};

/** _OPENMP of all versions from 3.1 on. */
static bool is_version(uint64_t number)
{
    static const uint32_t versions[] = {201107, 201307, 201511, 201611, 201811, 202011, 202111, 202411};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (number == versions[i])
            return true;
    return false;
}

static bool is_kept(const struct lay *lay, const struct rule *rule)
{
    const unsigned id = rule->id, other = rule->other;
    const bool is_alone = rule->sort > BESIDE;
    if (!lay_has(lay, id) || (!is_alone && !lay_has(lay, other)))
        return true;
    switch (rule->sort) {
    case HOLDS:
        return lay_size(lay, id) == rule->number * lay_size(lay, other);
    case ARRAY:
        return lay_size(lay, other) != 0 && lay_size(lay, id) % lay_size(lay, other) == 0 &&
               lay_size(lay, id) / lay_size(lay, other) >= rule->number;
    case ENDS:
        return lay_size(lay, id) == behind_multiple(end_of(lay_at(lay, other)), 8);
    case BESIDE:
        return lay_size(lay, id) == rule->number && (end_of(lay_at(lay, id)) == lay_offset(lay, other) ||
                                                     lay_offset(lay, id) == end_of(lay_at(lay, other)));
    case WHOLE:
        return lay_size(lay, id) % BEHIND_LINE == 0;
    case AT_IN_LINE:
        return lay_offset(lay, id) % BEHIND_LINE == rule->number;
    case CONSTANT:
        return lay_constant(lay, id) == rule->number || (other == 0 && lay_constant(lay, id) == 0);
    default:
        return is_version(lay_constant(lay, id));
    }
}

/** The first entry that breaks a rule. */
static unsigned broken(const struct lay *lay, const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_kept(lay, &rules[i]))
            return rules[i].id;
    return 0;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

unsigned row_contradiction(const struct lay *lay)
{
    const bool gomp = lay->names == &lay_gomp;
    const unsigned member = gomp ? wrong_member(lay, gomp_members, COUNT(gomp_members))
                                 : wrong_member(lay, kmp_members, COUNT(kmp_members));
    if (member != 0)
        return member;
    return gomp ? broken(lay, gomp_rules, COUNT(gomp_rules)) : broken(lay, kmp_rules, COUNT(kmp_rules));
}
