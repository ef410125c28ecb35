/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Inside the adapter for Companion: its structures as this library sees them, and how to get at them.
 *
 * All members have 64 bits, whatever the target's size is. What a field means stands in runtime/layout.def.
 */
#ifndef OMPD_COMPANION_H
#define OMPD_COMPANION_H

#include "runtimes/base/runtime.h"

/** Kinds of slabs as the cache numbers them; the target's own numbers are constants of its table. */
enum co_kind { CO_THREAD, CO_TEAM, CO_TASK, CO_TASKGROUP, CO_EDGE };

struct co_thread {
    uint64_t address, serial, pthread;
    int64_t tid;
    uint64_t cur_task, switching_team, state, wait_kind, wait_own, wait_id, wait_codeptr, kind, held,
        lock_number;
    int64_t place; /**< means nothing where the layout has no such field */
};

struct co_team {
    uint64_t address, serial, kind;
    int64_t nthreads, level, active_level, num_teams, team_num;
    uint64_t parent_task, parent_serial, fn, codeptr, loc, members, bar_gen, cancelled, first_task;
};

struct co_task {
    uint64_t address, serial, team, team_serial, parent, fn, codeptr, loc, flags, state;
    int64_t thread_num;
    uint64_t exit_frame, enter_frame, sched_parent, thread, children, bar_seq, bar_left, loop, loop_first,
        loop_last;
    int64_t creator_thread_num, nthreads, thread_limit, max_active_levels;
    uint64_t sched;
    int64_t chunk;
    uint64_t dyn, bind;
    int64_t default_device;
    uint64_t taskgroup, frame_flags;
    int64_t priority;
    bool unbegun; /**< an implicit task that its thread has not begun: see companion_unbegun.c */
};

struct co_taskgroup {
    uint64_t address, serial, parent, task;
};

/**
 * Parts of a thread, a team and a task: a call outside a bracket reads those that it needs and no more.
 * Serial and address are always there; members of other parts are 0.
 */
enum co_thread_part {
    CO_THREAD_PLACE = 1, /**< cur_task */
    CO_THREAD_STATE = 2, /**< state, wait_kind, wait_own */
    CO_THREAD_WAIT = 4,  /**< wait_id */
    CO_THREAD_PTHREAD = 8,
    CO_THREAD_TID = 16,
    CO_THREAD_SWITCH = 32, /**< switching_team */
    CO_THREAD_REST = 64    /**< wait_codeptr, kind, held, lock_number, place */
};
enum co_team_part {
    CO_TEAM_SIZE = 1,    /**< nthreads; who asks for it has it checked */
    CO_TEAM_MEMBERS = 2, /**< members, first_task */
    CO_TEAM_FN = 4,
    CO_TEAM_PARENT = 8, /**< parent_task, parent_serial */
    CO_TEAM_KIND = 16,
    CO_TEAM_LEVEL = 32,  /**< level, active_level */
    CO_TEAM_LEAGUE = 64, /**< num_teams, team_num */
    CO_TEAM_REST = 128   /**< codeptr, loc, bar_gen, cancelled */
};
enum co_task_part {
    CO_TASK_TEAM = 1, /**< team, team_serial */
    CO_TASK_KIND = 2, /**< flags, state */
    CO_TASK_FN = 4,
    CO_TASK_PARENT = 8,
    CO_TASK_RUN = 16,    /**< thread, thread_num, sched_parent; with them CO_TASK_KIND */
    CO_TASK_FRAMES = 32, /**< exit_frame, enter_frame, frame_flags */
    CO_TASK_ICVS = 64,
    CO_TASK_REST = 128
};
#define CO_ALL 0xffffu

/** Where a thread is: the answer to every question about "current". */
struct co_place {
    bool busy; /**< false: idle, the rest means nothing */
    struct co_task task;
    struct co_team team;
};

/* ---- companion_directory.c: the root, the directory of slabs ------------------------------------------- */

/** Makes sure that brk.root, the whole structure, is there. */
WARN_UNUSED ompd_rc_t co_read_root(aspace_t *aspace);
/** BYTES of the root from OFFSET on. */
WARN_UNUSED ompd_rc_t co_root_bytes(aspace_t *aspace, uint64_t offset, uint64_t bytes, void *ret);
/** A number of the root, also of a runtime that has not started. */
WARN_UNUSED ompd_rc_t co_root_number(aspace_t *aspace, unsigned id, uint64_t *ret);
WARN_UNUSED ompd_rc_t co_root_signed(aspace_t *aspace, unsigned id, int64_t *ret);
/** unavailable: the runtime has not started. */
WARN_UNUSED ompd_rc_t co_started(aspace_t *aspace);

/**
 * Makes sure that brk has the slabs as they are now, for a call that lists or searches; also ok (with no
 * slabs) before the runtime has started.
 */
WARN_UNUSED ompd_rc_t co_directory(aspace_t *aspace);
/**
 * aspace->kept->directory, what the process handle remembers of the slabs, has at least the slabs that there
 * are now. Slabs are never unmapped and keep their kind (runtime/layout.def), so what it has stays true.
 */
WARN_UNUSED ompd_rc_t co_update_directory(aspace_t *aspace);
/** How many slots of a slab of the directory were ever used: asks again, for it grows. */
WARN_UNUSED ompd_rc_t co_update_used(aspace_t *aspace, struct brk_slab *slab);
/** Makes the process handle forget all. */
void co_forget(aspace_t *aspace);
/**
 * Is there a used slot of KIND at ADDRESS? *in_cache: brk has the slabs. Codes: ok; error: there is none
 * (after a sentence); those of reading the directory.
 */
WARN_UNUSED ompd_rc_t co_check_slot(aspace_t *aspace, enum co_kind kind, uint64_t address, bool *in_cache);
/** Slots of KIND that were ever used, as far as this call or the handle knows. */
uint64_t co_slots_used(const aspace_t *aspace, enum co_kind kind);
/** Bytes of the structure in a slot of KIND. */
uint32_t co_slot_bytes(const aspace_t *aspace, enum co_kind kind);

/* ---- companion_slots.c: layout, slots ------------------------------------------------------------------ */

/** Does the layout table have what this library needs? Codes: ok; incompatible (after a sentence). */
WARN_UNUSED ompd_rc_t co_op_check(aspace_t *aspace);

/** PARTS of the slot at ADDRESS, whose serial may be 0. error: the address is no such slot. */
WARN_UNUSED ompd_rc_t co_get_thread(aspace_t *aspace, uint64_t address, unsigned parts,
                                    struct co_thread *ret);
WARN_UNUSED ompd_rc_t co_get_team(aspace_t *aspace, uint64_t address, unsigned parts, struct co_team *ret);
WARN_UNUSED ompd_rc_t co_get_task(aspace_t *aspace, uint64_t address, unsigned parts, struct co_task *ret);
WARN_UNUSED ompd_rc_t co_get_taskgroup(aspace_t *aspace, uint64_t address, struct co_taskgroup *ret);

/** Takes COUNT fields of the slot at ADDRESS. */
WARN_UNUSED ompd_rc_t co_get_slot(aspace_t *aspace, enum co_kind kind, uint64_t address,
                                  const struct lay_wanted *fields, size_t count, void *ret);

/** As above for a handle: stale_handle when the slot holds something else by now. */
WARN_UNUSED ompd_rc_t co_live_thread(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts,
                                     struct co_thread *ret);
WARN_UNUSED ompd_rc_t co_live_team(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts,
                                   struct co_team *ret);

/**
 * Fields that runtimes before layout 1.1 do not have. Codes: unsupported: this one is such a runtime;
 * incompatible (after a sentence): the table's entry makes no sense.
 */
WARN_UNUSED ompd_rc_t co_need(const aspace_t *aspace, const uint16_t *ids);
/** Fields of a task that were not in the first layout. */
struct co_extra {
    uint64_t rest, rest_count, allocator;
    int64_t place_first, place_count;
};
/** Those of a task in a slot. unsupported as co_need. */
WARN_UNUSED ompd_rc_t co_get_extra(aspace_t *aspace, const struct co_task *task, struct co_extra *ret);

/** The task's team when it is still the one that the task was created in, else *alive is false. */
WARN_UNUSED ompd_rc_t co_team_of_task(aspace_t *aspace, const struct co_task *task, unsigned parts,
                                      struct co_team *ret, bool *alive);

static inline uint64_t co_constant(const aspace_t *aspace, unsigned id)
{
    return lay_constant(&aspace->lay, id);
}
/** Do a task's flags say that it is implicit or initial? */
static inline bool co_is_implicit(const aspace_t *aspace, uint64_t flags)
{
    const uint64_t initial = co_constant(aspace, LAY_C_RT_TASK_INITIAL);
    return (flags & (initial | co_constant(aspace, LAY_C_RT_TASK_IMPLICIT))) != 0;
}
/** A team's size that is possible at all. */
WARN_UNUSED ompd_rc_t co_check_team(aspace_t *aspace, const struct co_team *team);

/* ---- companion_known.c: what a process handle remembers of threads and tasks --------------------------- */

/**
 * The live thread with this number of the system's. Codes: ok; unavailable: none has it; device_read_error:
 * not all threads can be read; unsupported: the runtime (before layout 1.6) does not say whether threads
 * have come.
 */
WARN_UNUSED ompd_rc_t co_find_native(aspace_t *aspace, ompd_thread_id_t kind, uint64_t native,
                                     struct rtm_ref *ret);
/** TEAM, of which address and serial are known, is the region with that serial. */
void co_know_region(aspace_t *aspace, const struct co_team *team);
/** The slot that the region was in; 0: not known. */
uint64_t co_known_region(const aspace_t *aspace, uint64_t serial);
/** TASK, of which address, serial and team are known, has not been begun by its thread. */
void co_know_unbegun(aspace_t *aspace, const struct co_task *task);
/** The team of an unbegun task, which is to be asked whether it still is one; 0: not known. */
uint64_t co_known_unbegun(const aspace_t *aspace, const struct rtm_ref *ref);

/* ---- companion_index.c: look-ups of a bulk view -------------------------------------------------------- */

enum co_index {
    CO_THREADS_BY_SERIAL, /**< serial -> slot, all live threads */
    CO_THREADS_BY_PTHREAD,
    CO_THREADS_BY_TID,
    CO_THREADS_BY_TASK, /**< slot of the current task -> slot of the thread */
    CO_TEAMS_BY_SERIAL,
    CO_BEGUN_TASKS_BY_SERIAL, /**< tasks to report that are in their slots */
    CO_IMPLICIT_BY_TEAM,      /**< slot of the team -> slot of an implicit or initial task that it has now */
    CO_EDGES_BY_SUCCESSOR,    /**< slot of the successor -> slot of the predecessor */
    CO_THREADS_BY_LOCK,       /**< number in mutex words -> slot of the thread */
    CO_TEAMS_BY_FIRST_TASK,   /**< serial of the first implicit task -> slot of the team */
    CO_TASKS_BY_LOCK,         /**< number in mutex words -> slot of the untied task */
    CO_SLOT_INDICES, /**< those before are of co_index(), those behind of the function that is named */
    CO_TASKS_BY_SERIAL = CO_SLOT_INDICES, /**< co_all_tasks() */
    CO_OWNERS_BY_LOOP, /**< companion_waits.c: ordered loop -> slot of the thread whose turn it is, 0 none */
    CO_INDICES
};
_Static_assert(CO_INDICES <= BRK_INDICES, "room in the cache");

/** An index, built on first use from whole slabs. */
WARN_UNUSED ompd_rc_t co_index(aspace_t *aspace, enum co_index which, const struct index **ret);
/** Were slots of this kind unreadable? */
bool co_has_holes(const aspace_t *aspace, enum co_kind kind);
/** Entry NUMBER of the team's array of members: the slot of its implicit task, 0 none. */
WARN_UNUSED ompd_rc_t co_member_task(aspace_t *aspace, const struct co_team *team, int64_t number,
                                     uint64_t *ret);
/** The implicit task NUMBER of the team, CO_TASK_TEAM and _RUN of it. unavailable: it has not begun. */
WARN_UNUSED ompd_rc_t co_find_implicit(aspace_t *aspace, const struct co_team *team, int64_t number,
                                       struct co_task *ret);
/** The thread whose current task this is. unavailable: none. */
WARN_UNUSED ompd_rc_t co_find_runner(aspace_t *aspace, const struct co_task *task, struct co_thread *ret);
/** clang's "source" string of an ident_t, 0 when unknown. */
WARN_UNUSED ompd_rc_t co_source(aspace_t *aspace, uint64_t loc, uint64_t *ret);

/* ---- companion_unbegun.c: implicit tasks whose threads have not begun them yet ------------------------- */

/**
 * Such a task by the number of its thread, by its id and slot. It has its identity and no execution.
 * unavailable: it is none, or the runtime is older than layout 1.3.
 */
WARN_UNUSED ompd_rc_t co_unbegun_member(aspace_t *aspace, const struct co_team *team, int64_t number,
                                        struct co_task *ret);
/** serial -> slot, of all tasks to report, begun or not. */
WARN_UNUSED ompd_rc_t co_all_tasks(aspace_t *aspace, const struct index **ret);
/** The task of a handle, begun or not: stale_handle when the slot holds something else by now. */
WARN_UNUSED ompd_rc_t co_live_task(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts,
                                   struct co_task *ret);
/** The same with its team, which lives too. */
WARN_UNUSED ompd_rc_t co_live_task_team(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts,
                                        unsigned team_parts, struct co_task *task, struct co_team *team);

/**
 * The variables that an unbegun task will have when it begins: TASK's icv members are filled, and EXTRA.
 * unavailable: they come from elsewhere than the encountering task.
 */
WARN_UNUSED ompd_rc_t co_unbegun_icvs(aspace_t *aspace, const struct co_team *team, struct co_task *task,
                                      struct co_extra *extra);

/* ---- the operations, by subject ------------------------------------------------------------------------ */

/* companion_threads.c */
WARN_UNUSED ompd_rc_t co_place(aspace_t *aspace, const struct co_thread *thread, struct co_place *ret);
/** The same; of task and team only address and serial are there. */
WARN_UNUSED ompd_rc_t co_place_alone(aspace_t *aspace, const struct co_thread *thread, struct co_place *ret);
ompd_rc_t co_op_find_thread(aspace_t *, ompd_thread_id_t kind, uint64_t native, struct rtm_ref *ret);
ompd_rc_t co_op_thread_native(aspace_t *, const struct rtm_ref *, ompd_thread_id_t kind, uint64_t *ret);
ompd_rc_t co_op_thread_state(aspace_t *, const struct rtm_ref *, ompd_word_t *state, uint64_t *wait_id);
ompd_rc_t co_op_thread_region(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t co_op_thread_task(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
/* companion_conditions.c: whether what ends a wait has come */
/** The number of barriers that the team has completed, as far as its members show. */
WARN_UNUSED ompd_rc_t co_barriers_passed(aspace_t *aspace, const struct co_team *team, uint32_t *ret);
/** Is TASK counted at a barrier that is not among the PASSED ones? */
bool co_is_counted(const struct co_task *task, uint32_t passed);
/** Fills wait_flags, after the owner. */
WARN_UNUSED ompd_rc_t co_wait_flags(aspace_t *aspace, const struct co_thread *thread,
                                    const struct co_place *place, ompdx_thread_info_t *info);

/* companion_mutexes.c */
/** What the runtime calls a kind of wait, or of mutex. */
ompdx_wait_kind_t co_wait_kind(const aspace_t *aspace, uint64_t number);
/** Bytes of a mutex's word: four whatever the target, what every compiler's omp_lock_t has room for. */
#define CO_MUTEX_BYTES 4
/** May a thread's number in a mutex word have been another thread's before? */
WARN_UNUSED ompd_rc_t co_numbers_reused(aspace_t *aspace, uint64_t *ret);
/**
 * Who executes the untied task that has the NUMBER. Between two of its parts the task is in a queue, and any
 * thread may take it: then, and where it is not known, ret->serial is 0 and *why says it.
 */
WARN_UNUSED ompd_rc_t co_task_owner(aspace_t *aspace, uint64_t number, struct co_thread *ret,
                                    const char **why);
/* companion_waits.c */
ompd_rc_t co_op_thread_info(aspace_t *, const struct rtm_ref *, ompdx_thread_info_t *ret);
/* companion_held.c */
struct co_held {
    uint64_t object, codeptr;
    ompdx_wait_kind_t kind; /**< unknown before layout 1.6 */
};
/**
 * The record of what THREAD holds, the latest last, as it stands; *ret is tgt_alloc memory. incomplete: it is
 * full, so there may be more. unsupported: the runtime keeps none. error: it makes no sense.
 */
WARN_UNUSED ompd_rc_t co_read_held(aspace_t *aspace, const struct co_thread *thread, struct co_held **ret,
                                   uint32_t *count);
ompd_rc_t co_op_thread_held(aspace_t *, const struct rtm_ref *, ompdx_held_t **ret, int *count);
ompd_rc_t co_op_thread_place(aspace_t *, const struct rtm_ref *, int *place, struct grown *processors);
/* companion_teams.c */
ompd_rc_t co_op_region_enclosing(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t co_op_region_thread(aspace_t *, const struct rtm_ref *, int number, struct rtm_ref *ret);
ompd_rc_t co_op_region_task(aspace_t *, const struct rtm_ref *, int number, struct rtm_ref *ret);
ompd_rc_t co_op_region_info(aspace_t *, const struct rtm_ref *, ompdx_parallel_info_t *ret);
ompd_rc_t co_op_region_arrivals(aspace_t *, const struct rtm_ref *, int **ret, int *count);
int32_t co_generator(const aspace_t *aspace, const struct co_team *team);
/* companion_tasks.c */
ompd_rc_t co_op_task_generator(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t co_op_task_scheduler(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t co_op_task_region(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t co_op_task_function(aspace_t *, const struct rtm_ref *, uint64_t *ret);
ompd_rc_t co_op_task_frame(aspace_t *, const struct rtm_ref *, ompd_frame_info_t *, ompd_frame_info_t *);
ompd_rc_t co_op_task_info(aspace_t *, const struct rtm_ref *, ompdx_task_info_t *ret);
ompd_rc_t co_op_task_predecessors(aspace_t *, const struct rtm_ref *, uint64_t **ret, int *count);
/* companion_loops.c */
ompd_rc_t co_op_loop_info(aspace_t *, const struct rtm_ref *, ompdx_loop_info_t *ret);
/* companion_tool.c */
ompd_rc_t co_op_tool_data(aspace_t *, enum rtm_entity, const struct rtm_ref *, uint64_t *value,
                          uint64_t *pointer);
/* companion_icvs.c */
ompd_rc_t co_op_icv(aspace_t *, enum rtm_icv, const struct rtm_ref *, ompd_scope_t,
                    struct rtm_icv_value *ret);
ompd_rc_t co_op_initial_task(aspace_t *, struct rtm_ref *ret);

/** place-partition-var of a task whose scope has been checked. */
struct co_partition {
    int64_t first, count;
};
WARN_UNUSED ompd_rc_t co_partition(aspace_t *aspace, const struct rtm_ref *task, ompd_scope_t scope,
                                   struct co_partition *ret);

/* companion_env.c: struct rt_env */
/** Address of a field of rt_env. Codes: ok; as co_need. */
WARN_UNUSED ompd_rc_t co_env_address(aspace_t *aspace, unsigned id, uint64_t *ret);
WARN_UNUSED ompd_rc_t co_setting(aspace_t *aspace, unsigned id, uint64_t *ret); /**< a number of rt_env */
/** Items of bind-var from LEVEL on, at most MAX. */
WARN_UNUSED ompd_rc_t co_bind_list(aspace_t *aspace, int64_t level, int64_t *items, uint32_t max,
                                   uint32_t *ret);
/* companion_settings.c: what is text */
ompd_rc_t co_op_icv_text(aspace_t *, enum rtm_icv, const struct rtm_ref *, ompd_scope_t, struct grown *ret);
/** The processors of one place. error: there is no such place. */
WARN_UNUSED ompd_rc_t co_place_text(aspace_t *aspace, int64_t place, struct grown *text);
ompd_rc_t co_op_setting_text(aspace_t *, enum rtm_setting, struct grown *ret);

#endif
