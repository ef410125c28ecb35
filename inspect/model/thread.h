/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The snapshot's row of a thread: where it is, what it waits for and what it does. How rows are kept:
 * model.h.
 */
#ifndef INSPECT_THREAD_H
#define INSPECT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect/model/kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A field that cannot be known, and the reason. */
struct mdl_unknown {
    const char *field, *reason;
};

/** A place in the user's program. */
struct mdl_place {
    const char *function, *file;
    int line;           /**< 0 unknown */
    const char *module; /**< path of the file that has it, where no function is known: a stripped library */
};

struct mdl_wait {
    enum mdl_wait_kind kind;
    uint64_t id;
    uint64_t object;      /**< id of the region, task or taskgroup waited on, 0 none */
    const char *name;     /**< the user's name of the object */
    enum mdl_owner owner; /**< meaningful for mutexes and ordered */
    uint64_t owner_pthread;
    int64_t owner_tid;
    int64_t owner_lwp;       /**< 0 none */
    const char *owner_doubt; /**< why another than owner_lwp may be the owner, NULL: it is that one */
    enum mdl_owner_how owner_how;
    /** Of an owner that is not known: threads that perhaps are it, by where they are; the reason is that of
     *  wait.owner_lwp in `unknown`. */
    const int64_t *candidates;
    int candidate_count;
    enum mdl_barrier barrier;
    bool arrivals_known;
    const int *arrived, *missing; /**< thread numbers, ascending */
    int arrived_count, missing_count;
    const int64_t *missing_lwp; /**< one for each of missing, 0 unknown */
    uint64_t codeptr;           /**< where the user's call that waits returns to; 0 unknown */
    struct mdl_place at;
    /** Of a wait in a wrapper (a constructor, a destructor, or what a system header has): where the program
     *  has called it. Unknown without INSP_STACKS and INSP_ACTIVITY. */
    struct mdl_place caller;
    struct mdl_place taken_at; /**< where the owner took it; with OMP_DEBUG=enabled only */
    /** What ends the wait was looked at, and has not come: whether the thread sleeps or spins makes no
     *  difference. False: it has come (mdl_thread.released), or it is not known. */
    bool lasts;
    bool for_itself;  /**< the owner is the thread itself, and was when it began to wait */
    bool uncancelled; /**< at a barrier: its region is known not to have been cancelled */
    bool stable;      /**< of a stable snapshot: its address is not said */
};

/** An argument or a local variable. */
struct mdl_local {
    const char *name, *type; /**< type: NULL not known */
    const char *value, *why; /**< one of them is NULL */
    bool argument;
    int depth;   /**< blocks that are left from the innermost one to its own */
    bool hidden; /**< behind another one of this name, of a block further in */
};

struct mdl_frame {
    uint64_t pc; /**< frame 0: of the instruction; others: the return address */
    struct mdl_place place;
    const char *module;
    enum insp_code code;
    const char *symbol; /**< the function as the linker names it; place.function is for people */
    bool inlined;       /**< into the function of the next frame */
    /** The kernel's, for a signal's handler: the next frame was interrupted, it has called nothing. */
    bool signal;
    struct mdl_local *locals; /**< of the user's frames, with INSP_LOCALS */
    int local_count;
    bool locals_left; /**< there are more */
    /** Of a body that is several functions, where the outer one begins; 0: it is one. */
    uint64_t entry;
};

/** Values of mdl_activity.timeout_ns that are no length of time. */
enum {
    MDL_TIMEOUT_NONE = -1,
    MDL_TIMEOUT_SOME = -2 /**< there is one; how much of it is left is not known */
};

/**
 * What a thread does, whether it is an OpenMP thread or not. An object that is waited for is told by its
 * address, as far as the call gives that: what a mutex has for its owner is no more than one read of it.
 */
struct mdl_activity {
    enum mdl_activity_kind kind;
    bool asleep;      /**< is in a system call: whatever the kind, it does not compute */
    const char *call; /**< as libc, MPI or the kernel calls it: "pthread_mutex_lock", "MPI_Recv", "read" */
    uint64_t object;  /**< address of what it waits for; 0 none, or not known */
    const char *name; /**< the program's name of the object */
    enum mdl_owner owner;
    enum mdl_owner_how owner_how;
    int64_t owner_tid;       /**< as the target's pid namespace numbers it; of a join: who is waited for */
    int64_t owner_lwp;       /**< the host's number of it; 0 none, or not a thread here */
    int64_t owner_pid;       /**< of MDL_OWNER_PROCESS and MDL_OWNER_FORK, where it is known; else 0 */
    const char *owner_doubt; /**< why another than owner may hold it; NULL: that one does */
    int64_t timeout_ns;      /**< the whole, or what is left; MDL_TIMEOUT_NONE, MDL_TIMEOUT_SOME */
    int descriptor;          /**< -1 none */
    const char *file;        /**< what the descriptor is; NULL not known */
    int64_t child;           /**< pid; -1 any child, 0 none */
    struct mdl_place at;     /**< the innermost line of the user's code */
    const char *pool;        /**< it is a worker of this library's pool and waits for work; NULL: it is not */
    bool stable;             /**< of a stable snapshot: addresses and numbers of the system are not said */
    const char *why;         /**< of MDL_ACTIVITY_UNKNOWN: the reason */
};

/** Something that a thread holds. One of the two is there. */
struct mdl_hold {
    const struct mdl_wait *wait; /**< of OpenMP: of one who waits for it, or what the runtime has recorded */
    const struct mdl_activity *activity; /**< of others, as somebody waits for it */
    int waiters;
    bool perhaps; /**< it is only probable that it is this thread */
};

struct mdl_thread {
    int64_t lwp;
    const char *stable; /**< its name in a stable snapshot: "OpenMP thread 3"; else NULL */
    int64_t target_tid; /**< 0 unknown */
    uint64_t pthread;
    int gdb_num; /**< 0 none */
    bool current, running, openmp;
    bool worker;     /**< the runtime has created it; known while the snapshot is taken */
    bool stranger;   /**< the runtime's records mean another thread, which had its pthread_t; as `worker` */
    bool strays;     /**< idle as the runtime has it, and its stack is in other code; as `worker` */
    int runtime;     /**< id, 0 none */
    uint64_t serial; /**< the runtime's id of the thread, 0 unknown */
    int thread_num, team_size, level, active_level;
    uint64_t region, task;
    enum mdl_state state;
    const char *other_state; /**< of MDL_STATE_OTHER: the name that the OMPD library has for it */
    /** Idle, and a member of a region that exists and in which it has no implicit task yet: it was called,
     *  and has not come so far. With more threads than processors that takes milliseconds, and the others may
     *  all wait for it at a barrier. */
    bool called;
    /** Of a called thread: who may not have let it go yet, for it has not begun its own part; 0: it has. */
    int64_t called_by;
    /** What it waited for has come: its turn, the end of its barrier, its part of a region, a word that was
     *  changed. Or it is awake in a function that sleeps while it has to wait. It goes on by itself as soon
     *  as it has a processor. */
    bool released;
    /** It waits for members of its region that are gone (mdl_member): for ever. */
    bool abandoned;
    bool moving; /**< it went on while the snapshot was taken, without a stop: insp_moved */
    int asleep;  /**< 1: in a system call that is in force, 0: it is not, -1 not known, or not asked */
    struct mdl_wait wait;
    struct mdl_activity activity;
    int processor;       /**< where it ran last; -1 not known */
    const char *allowed; /**< on which processors it may run: "0-3"; NULL not known */
    /** The number of the place it is bound to, -1 none or not known, with its processors as OMP_PLACES spells
     *  them; bind-var of its task. With INSP_PLACEMENT. */
    int place_num;
    const char *place, *bind;
    struct mdl_wait *held; /**< what the runtime has recorded that it holds */
    int held_count;
    struct mdl_hold *holds;
    int hold_count;
    uint64_t cpu_ns;    /**< processor time used, 0 unknown */
    uint64_t registers; /**< a hash of its registers: equal ones at two moments mean that it did not move */
    /** A hash of what its registers hold besides where it is; 0: not known, or it is in a system call. In a
     *  loop that only reads it is the same at all moments. */
    uint64_t values;
    struct mdl_frame *frames; /**< innermost first */
    int frame_count;
    struct mdl_unknown *unknown;
    int unknown_count;
    struct mdl_unknown *placement_unknown; /**< the same of `holds`, `place` and `bind` */
    int placement_unknown_count;
};

#ifdef __cplusplus
}
#endif
#endif
