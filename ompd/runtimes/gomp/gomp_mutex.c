/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_mutex.h"

#include <string.h>

#include "runtimes/gomp/gomp_fields.h"
#include "runtimes/gomp/gomp_regions.h"
#include "runtimes/gomp/gomp_teams.h"

static const char no_lock_owner[] = "libgomp does not record who holds a lock";
static const char no_critical_owner[] = "libgomp does not record who is in a critical region";
static const char no_atomic_owner[] = "libgomp does not record who is in an atomic region";
static const char unread[] = "the lock's memory cannot be read";
static const char ended_owner[] = "no task that is known has the nest lock";
static const char changing_owner[] = "the thread that has the nest lock has not recorded that yet";
static const char which_mutex[] =
    "it waits in libgomp for something of which neither its address nor the call says "
    "what it is: a lock or critical region of the program, or a mutex of libgomp's own";

/** A kind of mutex: how its wait looks. */
struct kind {
    int32_t wait, state;
    const char *no_owner;
};
static const struct kind lock = {ompdx_wait_lock, ompt_state_wait_lock, no_lock_owner};
static const struct kind nest_lock = {ompdx_wait_nest_lock, ompt_state_wait_lock, NULL};
static const struct kind critical = {ompdx_wait_critical, ompt_state_wait_critical, no_critical_owner};
static const struct kind atomic = {ompdx_wait_atomic, ompt_state_wait_atomic, no_atomic_owner};
/** A mutex of unknown kind, the user's or the library's. */
static const struct kind some_mutex = {ompdx_wait_none, ompt_state_undefined, NULL};

/** Those whose mutex is in the program's memory. */
static const struct {
    const char *name;
    const struct kind *kind;
} entries[] = {
    {"omp_set_lock", &lock},
    {"omp_set_lock_", &lock},
    {"omp_set_nest_lock", &nest_lock},
    {"omp_set_nest_lock_", &nest_lock},
    {"GOMP_critical_name_start", &critical},
};

static const char behind_pointer[] =
    "a nest lock of Fortran is a pointer to the lock, and where that is is not known";

/** Fortran's nest lock is a pointer to the lock. *RET is where it is; false: not known. */
static bool fortran_variable(struct gomp *gomp, const struct gomp_call *call, uint64_t object, uint64_t *ret)
{
    uint64_t word;
    *ret = gomp_constant_argument(gomp, call->codeptr);
    return *ret != 0 && pages_number(gomp->aspace, &gomp->world->pages, *ret, 8, &word) == ompd_rc_ok &&
           word == object;
}

static bool is_variable(const struct gomp *gomp, unsigned id, uint64_t address)
{
    return gomp_has(gomp, id) && lay_variable(gomp_lay(gomp), id) == address;
}

/** Is ADDRESS in the record of the thread's team, where no lock of the program can be? */
static bool is_in_team(const struct gomp *gomp, const struct gomp_native *native, uint64_t address)
{
    const uint64_t start = native->record.team;
    const int32_t team = gomp->world->threads[native->thread].team;
    return start != 0 && address >= start &&
           address < gomp_implicit_address(gomp, start, (uint64_t)gomp->world->teams[team].size);
}

/**
 * Is it a variable of libgomp's that guards its own data? Not where the call says that it should be one of
 * the program's mutexes: then the layout is wrong.
 */
static bool is_own(const struct gomp *gomp, const struct gomp_call *call, uint64_t address)
{
    if (!stock_inside(gomp->aspace->stock, address) || !gomp_has(gomp, LAY_V_default_lock) ||
        !gomp_has(gomp, LAY_V_atomic_lock) || (call->how != GOMP_CALL_NAMED && call->how != GOMP_CALL_INNER))
        return false;
    if (call->how == GOMP_CALL_INNER)
        return true;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (strcmp(entries[i].name, call->name) == 0)
            return false;
    return strncmp(call->name, "GOMP_critical", strlen("GOMP_critical")) != 0 &&
           strncmp(call->name, "GOMP_atomic", strlen("GOMP_atomic")) != 0;
}

/**
 * What kind of mutex it is; NULL: the one that guards a team's tasks, or another one of the library's own.
 * Of other sleeps in the library nothing is said: if the layout were wrong, a barrier would look like that.
 * HIDDEN: why it may be something else than a mutex, NULL.
 */
static const struct kind *kind_of(const struct gomp *gomp, const struct gomp_native *native,
                                  const struct gomp_call *call, const char *hidden)
{
    const uint64_t address = native->waits_on;
    if (gomp_has(gomp, LAY_F_gomp_team_task_lock) && native->record.team != 0 &&
        address == native->record.team + gomp_offset(gomp, LAY_F_gomp_team_task_lock))
        return NULL;
    if (is_variable(gomp, LAY_V_default_lock, address))
        return &critical;
    if (is_variable(gomp, LAY_V_atomic_lock, address))
        return &atomic;
    if (is_own(gomp, call, address))
        return NULL;
    if (stock_inside(gomp->aspace->stock, address))
        return &some_mutex;
    if (is_in_team(gomp, native, address))
        return &some_mutex;
    switch (call->how) {
    case GOMP_CALL_NAMED:
        for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
            if (strcmp(entries[i].name, call->name) == 0)
                return entries[i].kind;
        return &some_mutex;
    case GOMP_CALL_JUMP:
        /*
         * A call at a function's end becomes a jump. So can omp_set_lock. What starts a critical region
         * cannot, nor a nest lock's wait, in which the library's function has work to do afterwards.
         */
        return hidden == NULL ? &lock : &some_mutex;
    default:
        return &some_mutex;
    }
}

/** The owner of a nest lock is recorded: the task whose control variables the word points to. */
static void nest_owner(struct gomp *gomp, struct world_thread *thread)
{
    struct world *world = gomp->world;
    uint64_t word;
    thread->owner_kind = ompdx_owner_unknown;
    thread->unknown[ompdx_fact_owner] = unread;
    if (!gomp_has(gomp, LAY_C_gomp_nest_lock_owner) ||
        pages_number(gomp->aspace, &world->pages,
                     thread->wait_id + lay_constant(gomp_lay(gomp), LAY_C_gomp_nest_lock_owner), 8,
                     &word) != ompd_rc_ok)
        return;
    if (word == 0) { /* who has just got it, or is about to release it, is in libgomp's code */
        thread->unknown[ompdx_fact_owner] = changing_owner;
        thread->owner_kind = ompdx_owner_somebody;
        return;
    }
    const char *no_icv = gomp_missing(gomp, LAY_F_gomp_task_icv);
    thread->unknown[ompdx_fact_owner] = no_icv != NULL ? no_icv : ended_owner;
    if (no_icv != NULL) {
        thread->owner_kind = ompdx_owner_somebody;
        return;
    }
    const int32_t task = world_task_at(world, word - gomp_offset(gomp, LAY_F_gomp_task_icv));
    if (task == WORLD_NONE || world->tasks[task].thread == WORLD_NONE)
        return;
    thread->unknown[ompdx_fact_owner] = NULL;
    thread->owner_kind = ompdx_owner_thread;
    thread->owner = world->tasks[task].thread;
}

static void find_owner(struct gomp *gomp, const struct kind *kind, struct world_thread *thread)
{
    uint64_t word;
    thread->owner_kind = ompdx_owner_unknown;
    thread->unknown[ompdx_fact_owner] = unread;
    if (pages_number(gomp->aspace, &gomp->world->pages, thread->wait_id, 4, &word) != ompd_rc_ok)
        return;
    thread->unknown[ompdx_fact_owner] = kind->no_owner;
    if ((uint32_t)word != 0)
        thread->wait_flags = OMPDX_WAIT_LASTS; /* whoever it was that it was woken for */
    if (word == 0) {
        thread->owner_kind = ompdx_owner_none; /* it was released, and the thread is about to find out */
        thread->unknown[ompdx_fact_owner] = NULL;
    } else if (kind == &nest_lock) {
        nest_owner(gomp, thread);
    } else {
        thread->owner_kind = ompdx_owner_somebody; /* it has not got it as long as it sleeps or spins */
    }
}

/**
 * The library holds a mutex of its own for a few instructions, in which it waits for nobody: who waits goes
 * on by itself, as long as a thread is there that may be the holder.
 */
static ompd_rc_t own_mutex(struct gomp *gomp, const struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    uint64_t word;
    bool held = false;
    thread->state = ompt_state_overhead;
    if (pages_number(gomp->aspace, &gomp->world->pages, native->waits_on, 4, &word) != ompd_rc_ok)
        return ompd_rc_ok;
    for (size_t i = 0; (uint32_t)word != 0 && !held && i < gomp->native_count; i++)
        if (&gomp->natives[i] != native)
            TRY(gomp_is_on_the_way(gomp, &gomp->natives[i], &held));
    if ((uint32_t)word == 0 || held)
        thread->wait_flags = OMPDX_WAIT_OVER;
    return ompd_rc_ok;
}

ompd_rc_t gomp_mutex_wait(struct gomp *gomp, const struct gomp_native *native, const struct gomp_call *call)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    const char *hidden = gomp_hidden_wait(gomp, native, call->how == GOMP_CALL_JUMP);
    const struct kind *kind = kind_of(gomp, native, call, hidden);
    if (kind == NULL)
        return own_mutex(gomp, native);
    thread->state = kind->state;
    if (kind == &some_mutex) {
        thread->unknown[ompdx_fact_state] = thread->unknown[ompdx_fact_wait_kind] =
            thread->unknown[ompdx_fact_wait_id] = thread->unknown[ompdx_fact_owner] =
                hidden != NULL ? hidden : which_mutex;
        return ompd_rc_ok;
    }
    thread->wait_kind = kind->wait;
    thread->wait_id = native->waits_on;
    find_owner(gomp, kind, thread);
    if (call->how != GOMP_CALL_NAMED || strcmp(call->name, "omp_set_nest_lock_") != 0 ||
        fortran_variable(gomp, call, native->waits_on, &thread->wait_id))
        return ompd_rc_ok;
    thread->wait_id = 0;
    thread->unknown[ompdx_fact_wait_id] = behind_pointer;
    return ompd_rc_ok;
}
