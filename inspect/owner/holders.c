/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/owner/holders.h"

#include <inttypes.h>
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/construct.h"
#include "inspect/frames/function.h"
#include "inspect/model/phrases.h"
#include "inspect/owner/bounds.h"
#include "inspect/owner/calls.h"
#include "inspect/owner/flow.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"
#include "inspect/unwind/unwind.h"

enum {
    THREADS_MAX = 64, /* whose stacks are looked through for one mutex */
    FRAMES_MAX = 256,
    NAMED_MAX = 8, /* candidates */
    CALL = 0xe8,
    CALL_LENGTH = 5
};

/* What has been answered: 256 threads are at few places. */
struct answer {
    uint64_t pc, entry;
    bool exact;
    enum flow_answer said;
    uint64_t taken; /* flow_question.taken */
};

struct search {
    insp_session *session;
    insp_snapshot *snap;
    struct places *places;
    struct calls calls;
    enum mdl_wait_kind kind;
    uint64_t mutex;
    struct answer *answers; /* about that mutex */
    int answer_count;
};

/* Who may hold one mutex. */
struct holders {
    int inside[NAMED_MAX], perhaps[NAMED_MAX]; /* indices of threads */
    uint64_t perhaps_pc;                       /* of the first of them */
    uint64_t taken; /* by the first one inside: where that call returns to, 0 not known */
    int inside_count, perhaps_count;
};

static bool read_code(void *arg, uint64_t addr, void *buf, size_t size)
{
    struct search *s = arg;

    return !still_read(s->session, addr, buf, size);
}

static bool part_of_code(void *arg, uint64_t addr, uint64_t *start, uint64_t *end, bool *entry)
{
    struct search *s = arg;

    return bounds_at(s->session, addr, start, end, entry);
}

static struct flow_call effect_of_call(void *arg, uint64_t target)
{
    struct search *s = arg;

    return calls_effect(&s->calls, target, s->kind, s->mutex);
}

/* Where the call that returns to PC goes, if it says so itself; 0. */
static uint64_t target_of_call(insp_session *s, uint64_t pc)
{
    uint8_t bytes[CALL_LENGTH];
    int32_t distance;

    if (pc < CALL_LENGTH || still_read(s, pc - CALL_LENGTH, bytes, sizeof(bytes)) || bytes[0] != CALL)
        return 0;
    memcpy(&distance, bytes + 1, sizeof(distance));
    return pc + (uint64_t)(int64_t)distance;
}

/* Where the function of FRAME begins; OUTER has called it, NULL: not known. 0: not known. */
static uint64_t entry_of(struct search *s, const struct insp_frame_registers *frame,
                         const struct insp_frame_registers *outer)
{
    uint64_t at = frame->exact ? frame->pc : frame->pc - 1, start, end;
    uint64_t target = outer && !outer->exact ? target_of_call(s->session, outer->pc) : 0;
    bool entry;

    if (!bounds_at(s->session, at, &start, &end, &entry))
        return 0;
    if (target >= start && target < end)
        return target;
    return entry ? start : target;
}

static struct answer ask(struct search *s, const struct insp_frame_registers *frame,
                         const struct insp_frame_registers *outer)
{
    const struct flow_code code = {s, read_code, part_of_code, effect_of_call};
    uint64_t taken = 0;
    struct flow_question question = {0, frame->pc, frame->exact != 0, s->mutex, &taken};
    struct answer *grown;

    for (int i = 0; i < s->answer_count; i++)
        if (s->answers[i].pc == frame->pc && s->answers[i].exact == question.exact)
            return s->answers[i];
    question.entry = entry_of(s, frame, outer);
    grown = arena_grow(&s->snap->arena, s->answers, (size_t)s->answer_count, sizeof(*grown));
    if (!grown)
        return (struct answer){.said = FLOW_UNKNOWN};
    s->answers = grown;
    grown += s->answer_count++;
    *grown = (struct answer){.pc = frame->pc, .exact = question.exact, .said = FLOW_UNKNOWN};
    if (question.entry)
        grown->said = flow_ask(&code, &question);
    grown->taken = taken;
    return *grown;
}

/* The best answer of the user's frames of a thread; its `pc` is the instruction, or in it. */
static struct answer ask_thread(struct search *s, int64_t lwp)
{
    struct insp_frame_registers frame, outer;
    struct answer best = {.said = FLOW_UNKNOWN};
    bool more = !unwind_frame(s->session, lwp, 0, &frame);

    for (uint32_t n = 1; more && n < FRAMES_MAX && best.said != FLOW_INSIDE; n++) {
        struct answer now = {.said = FLOW_UNKNOWN};

        more = !unwind_frame(s->session, lwp, n, &outer);
        if (code_is_users(code_at(s->session, frame.exact ? frame.pc : frame.pc - 1, NULL)))
            now = ask(s, &frame, more ? &outer : NULL);
        if (now.said > best.said) {
            best = now;
            best.pc = frame.exact ? frame.pc : frame.pc - 1;
        }
        frame = outer;
    }
    return best;
}

static bool waits_for(const struct mdl_thread *t, enum mdl_wait_kind kind, uint64_t mutex)
{
    return t->wait.kind == kind && t->wait.id == mutex;
}

static void ask_all(struct search *s, bool waiters, struct holders *ret)
{
    for (int i = 0; i < s->snap->thread_count; i++) {
        const struct mdl_thread *t = &s->snap->threads[i];
        struct answer found;

        if (t->running || (t->openmp && t->state == MDL_STATE_IDLE) ||
            waits_for(t, s->kind, s->mutex) != waiters)
            continue;
        found = ask_thread(s, t->lwp);
        /* A lock may be given back by what the function calls. */
        if (found.said == FLOW_INSIDE && s->kind == MDL_WAIT_LOCK)
            found.said = FLOW_PERHAPS;
        if (found.said == FLOW_INSIDE && ret->inside_count < NAMED_MAX) {
            ret->taken = ret->inside_count ? ret->taken : found.taken;
            ret->inside[ret->inside_count++] = i;
        } else if (found.said == FLOW_PERHAPS && ret->perhaps_count < NAMED_MAX) {
            ret->perhaps_pc = ret->perhaps_count ? ret->perhaps_pc : found.pc;
            ret->perhaps[ret->perhaps_count++] = i;
        }
    }
}

/* " in f, x.c:41", as far as that is known. */
static const char *place_text(struct search *s, uint64_t pc)
{
    struct arena *a = &s->snap->arena;
    struct insp_place place;
    const char *name;

    if (host_place(s->session, pc, &place))
        return "";
    name = function_name(a, place.symbol, place.file);
    if (name && place.file && place.line > 0)
        return arena_printf(a, " in %s, %s:%d", name, mdl_base_name(place.file), place.line);
    return name ? arena_printf(a, " in %s", name) : "";
}

static const char *names_of(struct search *s, const int *threads, int count)
{
    struct arena *a = &s->snap->arena;
    const char *text = "";

    for (int i = 0; text && i < count; i++)
        text = arena_printf(a, "%s%s%s", text, i ? " or " : "",
                            mdl_thread_name(a, s->snap, s->snap->threads[threads[i]].lwp));
    return text ? text : "?";
}

/* Why it is not known, and who comes into question. */
static const char *reason(struct search *s, const struct mdl_thread *waiter, const struct holders *h)
{
    struct arena *a = &s->snap->arena;
    const char *why = mdl_unknown_reason(waiter->unknown, waiter->unknown_count, "wait.owner_lwp");

    why = why ? why : "the runtime does not record who holds it";
    if (h->inside_count > 1)
        return arena_printf(a, "%s, and by their code %s would", why,
                            names_of(s, h->inside, h->inside_count));
    if (h->perhaps_count > 1)
        return arena_printf(a, "%s; perhaps %s", why, names_of(s, h->perhaps, h->perhaps_count));
    if (h->perhaps_count != 1)
        return why;
    return arena_printf(a,
                        s->kind == MDL_WAIT_LOCK
                            ? "%s; probably %s: it is between omp_set_lock and omp_unset_lock of it%s"
                            : "%s; probably %s: it may be in that critical region%s",
                        why, names_of(s, h->perhaps, 1), place_text(s, h->perhaps_pc));
}

/* TAKEN: where the call that took it returns to, 0 not known. */
static void set_fact(struct search *s, struct mdl_thread *t, const struct mdl_thread *owner, uint64_t taken)
{
    struct mdl_wait *w = &t->wait;

    w->owner = MDL_OWNER_THREAD;
    w->owner_how = MDL_HOW_CODE;
    w->owner_lwp = owner->lwp;
    w->owner_pthread = owner->pthread;
    w->owner_tid = owner->target_tid;
    w->for_itself = t == owner;
    if (taken)
        construct_call(s->places, taken, &w->taken_at);
    for (int i = 0; i < t->unknown_count; i++)
        if (!strcmp(t->unknown[i].field, "wait.owner_lwp"))
            t->unknown[i--] = t->unknown[--t->unknown_count];
}

/* Writes what was found into all threads that wait for the mutex. */
static void give(struct search *s, const struct holders *h)
{
    insp_snapshot *snap = s->snap;
    int64_t *lwps = arena_alloc(&snap->arena, NAMED_MAX * sizeof(*lwps));

    for (int i = 0; lwps && i < h->perhaps_count; i++)
        lwps[i] = snap->threads[h->perhaps[i]].lwp;
    for (int i = 0; lwps && i < snap->thread_count; i++) {
        struct mdl_thread *t = &snap->threads[i];

        if (!waits_for(t, s->kind, s->mutex))
            continue;
        if (h->inside_count == 1) {
            set_fact(s, t, &snap->threads[h->inside[0]], h->taken);
            continue;
        }
        mdl_unknown_instead(snap, &t->unknown, &t->unknown_count, "wait.owner_lwp", reason(s, t, h));
        t->wait.candidates = lwps;
        t->wait.candidate_count = h->inside_count ? 0 : h->perhaps_count;
    }
}

static void not_searched(insp_snapshot *snap, struct mdl_thread *t, int count)
{
    const char *why = mdl_unknown_reason(t->unknown, t->unknown_count, "wait.owner_lwp");

    mdl_unknown_instead(
        snap, &t->unknown, &t->unknown_count, "wait.owner_lwp",
        arena_printf(&snap->arena, "%s; it was not searched for among %d threads, which are more than %d",
                     why ? why : "the runtime does not record who holds it", count, THREADS_MAX));
}

static void find_one(struct search *s, int waiter)
{
    insp_snapshot *snap = s->snap;
    struct holders holders = {.inside_count = 0}, again = holders;
    int others = 0, waiters = 0;

    s->kind = snap->threads[waiter].wait.kind;
    s->mutex = snap->threads[waiter].wait.id;
    s->answers = NULL;
    s->answer_count = 0;
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (waits_for(t, s->kind, s->mutex))
            waiters++;
        else
            others += !t->running && !(t->openmp && t->state == MDL_STATE_IDLE);
    }
    if (others > THREADS_MAX) {
        for (int i = 0; i < snap->thread_count; i++)
            if (waits_for(&snap->threads[i], s->kind, s->mutex))
                not_searched(snap, &snap->threads[i], others);
        return;
    }
    ask_all(s, false, &holders);
    /* One that waits to enter it once more is surely inside; one that perhaps is may as well only wait. */
    if (!holders.inside_count && waiters <= THREADS_MAX &&
        (!holders.perhaps_count || s->kind != MDL_WAIT_LOCK))
        ask_all(s, true, &again);
    if (again.inside_count || (again.perhaps_count && !holders.perhaps_count))
        holders = again;
    give(s, &holders);
}

/* Does not the runtime say who holds what T waits for, and may its code? */
static bool is_open(const insp_snapshot *snap, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;

    if (!w->id || (w->owner != MDL_OWNER_UNKNOWN && w->owner != MDL_OWNER_SOMEBODY) ||
        (w->kind != MDL_WAIT_CRITICAL && w->kind != MDL_WAIT_LOCK && w->kind != MDL_WAIT_ATOMIC))
        return false;
    for (int i = 0; i < snap->runtime_count; i++)
        if (snap->runtimes[i].id == t->runtime)
            return !mdl_same(snap->runtimes[i].kind, "companion");
    return false;
}

/* Was it looked for when an earlier thread was seen? */
static bool is_first(const insp_snapshot *snap, int thread)
{
    const struct mdl_wait *w = &snap->threads[thread].wait;

    for (int i = 0; i < thread; i++)
        if (waits_for(&snap->threads[i], w->kind, w->id))
            return false;
    return true;
}

void holders_find(insp_session *session, insp_snapshot *snap, struct places *places)
{
    struct search s = {.session = session,
                       .snap = snap,
                       .places = places,
                       .calls = {.session = session, .known = {.arena = &snap->arena}}};

    for (int i = 0; i < snap->thread_count && !snap->moving; i++)
        if (is_open(snap, &snap->threads[i]) && is_first(snap, i))
            find_one(&s, i);
}

/* Of libstdc++'s guards: the first byte says that the variable is there, the second that it is being made. */
static bool is_pending(insp_session *session, uint64_t guard)
{
    uint8_t word[2];

    return !still_read(session, guard, word, sizeof(word)) && !word[0] && word[1] == 1;
}

int64_t holders_of_guard(insp_session *session, insp_snapshot *snap, uint64_t guard)
{
    struct search s = {.session = session,
                       .snap = snap,
                       .calls = {.session = session, .known = {.arena = &snap->arena}},
                       .kind = CALLS_GUARD,
                       .mutex = guard};
    int64_t found = 0;
    int count = 0;

    if (snap->moving || snap->thread_count > THREADS_MAX || !is_pending(session, guard))
        return 0;
    for (int i = 0; i < snap->thread_count; i++) {
        enum flow_answer said = FLOW_UNKNOWN;

        if (snap->threads[i].running)
            return 0;
        if (snap->threads[i].activity.kind == MDL_ACTIVITY_ONCE && snap->threads[i].activity.object == guard)
            continue;
        said = ask_thread(&s, snap->threads[i].lwp).said;
        if (said != FLOW_INSIDE && said != FLOW_PERHAPS)
            continue;
        found = snap->threads[i].lwp;
        count++;
    }
    return count == 1 ? found : 0;
}
