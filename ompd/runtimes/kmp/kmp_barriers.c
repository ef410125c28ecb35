/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: what a thread does at a barrier, by the numbers that its loops test.
 *
 * Each thread has b_arrived and b_go for each kind of barrier, each team one b_arrived. They gather
 * (linear, by a tree, by a hypercube, which is the default, or by a hierarchy), then release in the same
 * manner:
 *
 * 1. A thread below which others are waits until each of these has counted itself: for their b_arrived,
 *    the next value of the team's. The flag of that wait is on its stack: the address of the number, and
 *    the value.
 * 2. It counts itself: its own b_arrived is one step (4) ahead of the team's. The primary thread never
 *    does.
 * 3. It waits for its b_go, which is 0, to become 4.
 * 4. The primary thread, when all below it have counted, lets the team's b_arrived take that step. If
 *    there may be tasks it waits until no thread has any: for a number in the team's record of tasks,
 *    whose address is on its stack, to become 0.
 * 5. It sets the b_go of those below it, which set it back to 0, set it for those below them, and leave.
 *
 * So a thread whose number is ahead of the team's waits. If it is not, and b_go is 0, then the thread is
 * at 1, between 4 and 5, or has left at 5 and still has the call on its stack. A flag of 1 tells, for the
 * value in it is this barrier's; in 4 the primary thread tells of all. Nobody else waits for anything but
 * a processor.
 *
 * Bit 0 of all these numbers says that somebody sleeps there: of b_arrived that who gathers does, of b_go
 * that its own thread does. At the end of a region (KMP_FORKJOIN) 1 to 4 end the region, and 5 begins the
 * next one.
 *
 * The "dist" pattern has flags of its own and leaves all these numbers 0. If one barrier has it, all
 * have.
 */
#include "runtimes/kmp/kmp.h"

/** What an arrival adds to b_arrived, and a release to b_go. */
#define STEP 4u
/** Bits below it: sleepers. */
#define COUNT(number) ((number) & ~(uint64_t)(STEP - 1))
/** Bytes of a stay in the runtime that are looked at. */
#define STAY_MAX 8192u
/** Words behind the address in a flag among which the value is: older ones have their sort in between. */
#define FLAG_WORDS 3
/** Of a record of tasks, lines of 64 bytes: numbers that many threads write have one of their own. */
#define LINE      64u
#define LINES_MAX 8u

bool kmp_has_counters(const struct lay *lay)
{
    return lay_has(lay, LAY_F_kmp_info_bar) && lay_has(lay, LAY_F_kmp_balign_arrived) &&
           lay_has(lay, LAY_F_kmp_team_bar) && lay_has(lay, LAY_F_kmp_balign_team_arrived) &&
           lay_has(lay, LAY_S_kmp_balign) && lay_has(lay, LAY_S_kmp_balign_team);
}

static bool is_ahead(const struct kmp_thread *thread, const struct kmp_team *team, unsigned bar)
{
    return COUNT(thread->arrived[bar]) == COUNT(team->arrived[bar]) + STEP;
}

bool kmp_has_counted(const struct kmp_thread *thread, const struct kmp_team *team, unsigned bar)
{
    return thread->tid != 0 && is_ahead(thread, team, bar);
}

bool kmp_is_called(const struct kmp_thread *thread, unsigned bar)
{
    return (thread->go[bar] & STEP) != 0;
}

/** The words of one stay. */
struct words {
    uint64_t *word;
    size_t count;
};

static ompd_rc_t read_words(struct kmp *kmp, uint64_t low, uint64_t high, struct words *ret)
{
    ret->count = 0;
    if (low % 8 != 0 || high <= low)
        return ompd_rc_ok;
    const size_t count = (size_t)((high - low < STAY_MAX ? high - low : STAY_MAX) / 8);
    TRY(brk_alloc(&kmp->aspace->brk, count * sizeof *ret->word, &ret->word));
    for (; ret->count < count; ret->count++) {
        ompd_rc_t rc =
            pages_number(kmp->aspace, &kmp->world->pages, low + 8 * ret->count, 8, &ret->word[ret->count]);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    return ompd_rc_ok;
}

/** The member of TEAM whose b_arrived of BAR is at ADDRESS, NULL. It may be in a region inside, where it has
 * another number. */
static const struct kmp_thread *whose_count(const struct kmp *kmp, const struct kmp_team *team, unsigned bar,
                                            uint64_t address)
{
    const struct lay *lay = &kmp->aspace->lay;
    const uint64_t offset = lay_offset(lay, LAY_F_kmp_info_bar) +
                            (uint64_t)bar * lay_size(lay, LAY_S_kmp_balign) +
                            lay_offset(lay, LAY_F_kmp_balign_arrived);
    const int32_t at = address > offset ? kmp_thread_at(kmp, address - offset) : WORLD_NONE;
    for (uint64_t i = 1; at != WORLD_NONE && team->member != NULL && i < team->nproc; i++)
        if (team->member[i] == kmp->threads[at].address)
            return &kmp->threads[at];
    return NULL;
}

/** Is a flag of 1 for the barrier BAR of TEAM on the stack of THREAD, and has one waited for not come? */
static ompd_rc_t gathers(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                         unsigned bar, bool *found, bool *waits)
{
    struct kmp_stay stay = {0};
    struct words words;
    *found = *waits = false;
    ompd_rc_t rc = kmp_next_stay(kmp, thread, 0, &stay);
    if (rc != ompd_rc_ok || !stay.meets)
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    TRY(read_words(kmp, stay.low, stay.high, &words));
    for (size_t i = 0; i + 1 < words.count; i++) {
        const struct kmp_thread *other = whose_count(kmp, team, bar, words.word[i]);
        bool is_flag = false;
        if (other == NULL || other == thread)
            continue;
        for (size_t j = i + 1; j <= i + FLAG_WORDS && j < words.count; j++)
            is_flag = is_flag || words.word[j] == COUNT(team->arrived[bar]) + STEP;
        *found = *found || is_flag;
        *waits = *waits || (is_flag && !is_ahead(other, team, bar));
    }
    return ompd_rc_ok;
}

/**
 * Is WORD the address of the number of threads that may have tasks, in the record TASK_TEAM, and is that not
 * 0? It is at the start of a line. So are locks, behind whose first word is their address.
 */
static ompd_rc_t counts_tasks(struct kmp *kmp, uint64_t task_team, uint64_t word, bool *ret)
{
    uint64_t number, behind = 0;
    *ret = false;
    if (word <= task_team || word - task_team >= LINES_MAX * LINE || (word - task_team) % LINE != 0)
        return ompd_rc_ok;
    ompd_rc_t rc = pages_number(kmp->aspace, &kmp->world->pages, word, 4, &number);
    if (rc == ompd_rc_ok)
        rc = pages_number(kmp->aspace, &kmp->world->pages, word + 8, 8, &behind);
    *ret = rc == ompd_rc_ok && number != 0 && number <= KMP_THREADS_MAX && behind != word;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

/** Does the primary thread of TEAM wait for tasks at a barrier to which all have come? */
static ompd_rc_t closes(struct kmp *kmp, const struct kmp_team *team, bool *ret)
{
    struct kmp_stay stay = {0};
    struct words words;
    *ret = false;
    if (team->primary == WORLD_NONE)
        return ompd_rc_ok;
    const struct kmp_thread *primary = &kmp->threads[team->primary];
    if (primary->team != team->address || primary->task_team == 0)
        return ompd_rc_ok;
    for (;;) {
        ompd_rc_t rc = kmp_next_stay(kmp, primary, stay.next, &stay);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
        if (!stay.meets)
            continue;
        TRY(read_words(kmp, stay.low, stay.high, &words));
        for (size_t i = 0; i < words.count && !*ret; i++)
            TRY(counts_tasks(kmp, primary->task_team, words.word[i], ret));
        return ompd_rc_ok;
    }
}

/**
 * Has a member been released, or come to a later barrier already? Then the primary thread releases the
 * others: what is on its stack of its wait for tasks is left over.
 */
static bool is_open(const struct kmp *kmp, const struct kmp_team *team)
{
    for (uint64_t i = 1; team->member != NULL && i < team->nproc; i++) {
        const int32_t at = kmp_thread_at(kmp, team->member[i]);
        const struct kmp_thread *thread = at != WORLD_NONE ? &kmp->threads[at] : NULL;
        for (unsigned bar = 0; thread != NULL && thread->team == team->address && bar < KMP_BARRIERS; bar++)
            if (kmp_has_counted(thread, team, bar) || kmp_is_called(thread, bar))
                return true;
    }
    return false;
}

static ompd_rc_t is_closing(struct kmp *kmp, const struct kmp_team *team, bool *ret)
{
    struct kmp_team *known = &kmp->teams[team - kmp->teams];
    bool closing = false;
    if (known->closing == KMP_CLOSING_ASK) {
        if (!is_open(kmp, team))
            TRY(closes(kmp, team, &closing));
        known->closing = closing ? KMP_CLOSING : KMP_CLOSING_NOT;
    }
    *ret = known->closing == KMP_CLOSING;
    return ompd_rc_ok;
}

ompd_rc_t kmp_stand(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                    unsigned bar, enum kmp_stand *ret)
{
    bool found, waits;
    *ret = KMP_STAND_UNKNOWN;
    if (!kmp_has_counters(&kmp->aspace->lay))
        return ompd_rc_ok;
    if (kmp_has_counted(thread, team, bar)) {
        *ret = KMP_STAND_WAITS;
        return ompd_rc_ok;
    }
    if (thread->tid != 0 && COUNT(thread->arrived[bar]) != COUNT(team->arrived[bar]))
        return ompd_rc_ok;
    if (thread->tid != 0 && kmp_is_called(thread, bar)) {
        *ret = KMP_STAND_GOES_ON;
        return ompd_rc_ok;
    }
    TRY(gathers(kmp, thread, team, bar, &found, &waits));
    if (!found)
        TRY(is_closing(kmp, team, &waits));
    if (found || waits || kmp->counted)
        *ret = waits ? KMP_STAND_WAITS : KMP_STAND_GOES_ON;
    return ompd_rc_ok;
}
