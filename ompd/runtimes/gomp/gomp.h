/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Inside the adapter for GNU libgomp: its structures as this library sees them, and the steps in which a
 * `struct world` is made of them.
 *
 * libgomp keeps a record of each thread in thread-local storage: its team, its number, its current task.
 * Teams and tasks point to their parents. Who waits and for what is in no record: a thread that waits sleeps
 * in a futex, or spins, at one of a few places of the library's code, and a register there holds the address
 * it waits on.
 *
 * All numbers have 64 bits, whatever the target's size is.
 */
#ifndef OMPD_GOMP_H
#define OMPD_GOMP_H

#include "providers/behind.h"
#include "runtimes/world/world.h"

/** struct gomp_thread. */
struct gomp_record {
    uint64_t team, work_share, team_id, level, active_level, task, pool, num_teams, team_num;
};

/** struct gomp_team. */
struct gomp_team {
    uint64_t nthreads, prev_team, prev_team_id, prev_level, prev_active_level, ordered_release, total,
        awaited, awaited_final, queue_root, queue_tasks, task_count;
    const uint8_t *bytes; /**< with the implicit tasks behind it, NULL for an initial region */
};

/** struct gomp_task. `priority` of an implicit task is not set by libgomp; not known: UINT64_MAX. */
struct gomp_task {
    uint64_t parent, children_root, children_tasks, taskgroup, dependers, taskwait, depend_count,
        num_dependees, priority, fn, kind, final_task;
};

/** enum gomp_task_kind. */
enum gomp_task_kind {
    GOMP_KIND_IMPLICIT,
    GOMP_KIND_UNDEFERRED,
    GOMP_KIND_WAITING,
    GOMP_KIND_TIED,
    GOMP_KIND_ASYNC_RUNNING,
    GOMP_KIND_DETACHED
};

/** struct gomp_thread_pool. */
struct gomp_native;
struct gomp_pool {
    uint64_t address, last_team;
    const struct gomp_native *owner; /**< the thread that starts its regions; NULL: not known */
    bool used;                       /**< it has a list of threads */
};

/** Where a thread is in the library's code. */
enum gomp_place {
    GOMP_OUTSIDE,  /**< in other code */
    GOMP_INSIDE,   /**< in libgomp, not waiting as far as can be seen */
    GOMP_SLEEPING, /**< in a futex call that waits */
    GOMP_SPINNING  /**< in a loop that waits */
};

/** As long as what is the word that a thread waits on, does it wait? */
enum gomp_until {
    GOMP_UNTIL_UNKNOWN,
    GOMP_UNTIL_CHANGES, /**< as long as it equals `expects` */
    GOMP_UNTIL_GREATER  /**< as long as it is not greater */
};

/** At which of its team's two barriers a thread waits. */
enum gomp_side {
    GOMP_SIDE_NONE,    /**< at none */
    GOMP_SIDE_END,     /**< the one at the end of the region */
    GOMP_SIDE_INSIDE,  /**< the one that all others in the region share */
    GOMP_SIDE_UNKNOWN, /**< some have come to each, and its call does not tell */
};

/** Does a thread whose record is empty wait for a mutex outside of all regions? */
enum gomp_lone {
    GOMP_LONE_NO,
    GOMP_LONE_PERHAPS, /**< for a mutex; its stack cannot be followed to its start */
    GOMP_LONE_YES
};

/** Target regions around one another on a stack whose records are kept. */
#define GOMP_TARGETS_MAX 8

/** One thread of the process. */
struct gomp_native {
    const struct stock_thread *stock;
    uint64_t address; /**< of its record; 0: it is not known where that is */
    struct gomp_record record;
    enum gomp_place place;
    uint64_t waits_on; /**< sleeping or spinning: the address */
    enum gomp_until until;
    uint64_t expects; /**< what the word there is compared with */
    uint64_t returns; /**< sleeping: the return address of the waiting function; 0 not known */
    int32_t thread;   /**< row in the world, WORLD_NONE: not one of OpenMP */
    bool readable;    /**< `record` was read */
    bool idle;
    bool called; /**< it is still at the dock of its pool, which has been opened for a region of its team */
    bool listed; /**< idle, but its team's region is being started */
    bool fresh;  /**< it has no record yet: this is what it was made for */
    bool ends;   /**< its inner region has ended, and so does the thread */
    enum gomp_lone lone;
    enum gomp_side side;
    bool strange;             /**< it is in a futex call that the layout does not have */
    const char *refused;      /**< why the record is not believed; NULL: it is sound */
    const char *task_refused; /**< why the current task is not believed */
    /**
     * `team` and `team_id` of the record as it was before each target region that the thread is in, innermost
     * first: on the host libgomp begins such a region with an empty record.
     */
    struct gomp_record *before;
    uint32_t before_count;
};

/** Teams refused whose reasons are kept. */
#define GOMP_REFUSALS 16

/** What the steps share while a world is made. */
struct gomp {
    aspace_t *aspace;
    struct world *world;
    struct gomp_native *natives;
    size_t native_count;
    struct gomp_pool *pools;
    size_t pool_count;
    struct gomp_team *teams; /**< by index of the world's teams; zeros for initial regions */
    int32_t team_room;
    struct gomp_task *tasks; /**< by index of the world's tasks; zeros for initial tasks without a record */
    int32_t task_room;
    struct gomp_refusal {
        uint64_t address;
        const char *why;
    } refused[GOMP_REFUSALS]; /**< teams of which nothing is believed */
    uint32_t refused_count;
};

static inline const struct lay *gomp_lay(const struct gomp *gomp)
{
    return &gomp->aspace->lay;
}
static inline bool gomp_has(const struct gomp *gomp, unsigned id)
{
    return lay_has(&gomp->aspace->lay, id);
}
static inline uint64_t gomp_offset(const struct gomp *gomp, unsigned id)
{
    return lay_offset(&gomp->aspace->lay, id);
}
/** The id of the initial region that the thread is in now; those before target regions lie below it. */
static inline uint64_t gomp_initial_id(const struct gomp_native *native)
{
    return native->address + native->before_count;
}
/** Bytes from the start of a barrier, which is that of a line, to its generation ID, the word that is
 *  waited on. A dock is a barrier too. */
static inline uint64_t gomp_generation_behind(const struct gomp *gomp, unsigned id)
{
    return gomp_offset(gomp, id) % BEHIND_LINE;
}
/** An empty record, as threads have that never met OpenMP. A worker that ends keeps its team's address, but
 *  neither its pool nor its task. */
static inline bool gomp_is_empty(const struct gomp_native *native)
{
    return native->readable && native->record.pool == 0 && native->record.task == 0;
}
/** The record of a thread that OpenMP has never written to, or emptied as a whole. */
static inline bool gomp_never_used(const struct gomp_native *native)
{
    return gomp_is_empty(native) && native->record.team == 0;
}
/** Why this ability is refused, NULL: it is not. */
static inline const char *gomp_lacks(const struct gomp *gomp, ompdx_ability_t ability)
{
    return gomp->aspace->stock->lacks[ability];
}

#endif
