/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/model/words.h"

#include <string.h>

#include "inspect/inspect.h"
#include "inspect/model/crash.h"
#include "inspect/model/loop.h"
#include "inspect/model/model.h"

#define WORDS(name, count, ...)                                    \
    static const char *const name##_list[(count)] = {__VA_ARGS__}; \
    const struct mdl_words mdl_##name = {name##_list, (count)}

WORDS(wait_words, MDL_WAITS, [MDL_WAIT_LOCK] = "lock", [MDL_WAIT_NEST_LOCK] = "nest_lock",
      [MDL_WAIT_CRITICAL] = "critical", [MDL_WAIT_ORDERED] = "ordered", [MDL_WAIT_ATOMIC] = "atomic",
      [MDL_WAIT_REDUCTION] = "reduction", [MDL_WAIT_BARRIER] = "barrier", [MDL_WAIT_TASKWAIT] = "taskwait",
      [MDL_WAIT_TASKGROUP] = "taskgroup", [MDL_WAIT_DEPEND] = "depend", [MDL_WAIT_EVENT] = "event",
      [MDL_WAIT_TARGET] = "target", [MDL_WAIT_UNKNOWN] = "unknown");

WORDS(barrier_words, MDL_BARRIERS, [MDL_BARRIER_UNKNOWN] = "unknown", [MDL_BARRIER_EXPLICIT] = "explicit",
      [MDL_BARRIER_REGION_END] = "implicit_parallel", [MDL_BARRIER_WORKSHARE] = "implicit_workshare",
      [MDL_BARRIER_TEAMS] = "teams");

WORDS(owner_words, MDL_OWNERS, [MDL_OWNER_UNKNOWN] = "unknown", [MDL_OWNER_NONE] = "none",
      [MDL_OWNER_THREAD] = "thread", [MDL_OWNER_ENDED] = "ended", [MDL_OWNER_PROCESS] = "process",
      [MDL_OWNER_FORK] = "before_fork", [MDL_OWNER_GONE] = "gone", [MDL_OWNER_SOMEBODY] = "somebody");

#define STATE_WORD(name, word) [MDL_STATE_##name] = #word,
WORDS(state_words, MDL_STATES, MDL_STATE_LIST(STATE_WORD));

WORDS(region_words, MDL_REGIONS, [MDL_REGION_INITIAL] = "initial", [MDL_REGION_PARALLEL] = "parallel",
      [MDL_REGION_TEAMS] = "teams");

WORDS(task_words, MDL_TASKS, [MDL_TASK_INITIAL] = "initial", [MDL_TASK_IMPLICIT] = "implicit",
      [MDL_TASK_EXPLICIT] = "explicit", [MDL_TASK_UNDEFERRED] = "undeferred",
      [MDL_TASK_TASKLOOP] = "taskloop", [MDL_TASK_TARGET] = "target");

WORDS(task_state_words, MDL_TASK_STATES, [MDL_TASK_CREATED] = "created", [MDL_TASK_BLOCKED] = "blocked",
      [MDL_TASK_READY] = "ready", [MDL_TASK_RUNNING] = "running", [MDL_TASK_SUSPENDED] = "suspended",
      [MDL_TASK_COMPLETING] = "completing", [MDL_TASK_DETACHED] = "detached",
      [MDL_TASK_CANCELLED] = "cancelled");

WORDS(not_taken_words, MDL_NOT_TAKEN_REASONS, [MDL_NOT_TAKEN_UNKNOWN] = "unknown",
      [MDL_NOT_TAKEN_FREE] = "free", [MDL_NOT_TAKEN_BUSY] = "busy", [MDL_NOT_TAKEN_CONSTRAINT] = "constraint",
      [MDL_NOT_TAKEN_PRIORITY] = "priority", [MDL_NOT_TAKEN_SYSTEM_CALL] = "system_call");

WORDS(scope_words, MDL_SCOPES, [MDL_SCOPE_UNKNOWN] = "unknown", [MDL_SCOPE_GLOBAL] = "global",
      [MDL_SCOPE_ADDRESS_SPACE] = "address_space", [MDL_SCOPE_THREAD] = "thread",
      [MDL_SCOPE_PARALLEL] = "parallel", [MDL_SCOPE_IMPLICIT_TASK] = "implicit_task",
      [MDL_SCOPE_TASK] = "task", [MDL_SCOPE_TEAMS] = "teams", [MDL_SCOPE_TARGET] = "target");

WORDS(verdict_words, INSP_DEADLOCK + 1, [INSP_UNKNOWN] = "unknown", [INSP_NONE] = "none",
      [INSP_SUSPECTED] = "suspected", [INSP_STUCK] = "stuck", [INSP_DEADLOCK] = "deadlock");

WORDS(code_words, INSP_CODE_SYSTEM + 1, [INSP_CODE_UNKNOWN] = "unknown", [INSP_CODE_USER] = "user",
      [INSP_CODE_OPENMP] = "openmp", [INSP_CODE_LIBC] = "libc", [INSP_CODE_MPI] = "mpi",
      [INSP_CODE_CXX] = "c++", [INSP_CODE_SYSTEM] = "system");

WORDS(schedule_words, MDL_SCHEDULES, [MDL_SCHEDULE_STATIC] = "static", [MDL_SCHEDULE_DYNAMIC] = "dynamic",
      [MDL_SCHEDULE_GUIDED] = "guided", [MDL_SCHEDULE_SECTIONS] = "sections",
      [MDL_SCHEDULE_TASKLOOP] = "taskloop");

WORDS(loop_source_words, MDL_LOOP_SOURCES, [MDL_LOOP_OF_RUNTIME] = "runtime", [MDL_LOOP_OF_FRAME] = "frame");

WORDS(
    activity_words, MDL_ACTIVITIES, [MDL_ACTIVITY_UNKNOWN] = "unknown", [MDL_ACTIVITY_COMPUTES] = "computes",
    [MDL_ACTIVITY_OPENMP] = "openmp", [MDL_ACTIVITY_MUTEX] = "mutex", [MDL_ACTIVITY_RWLOCK] = "rwlock",
    [MDL_ACTIVITY_SPINLOCK] = "spinlock", [MDL_ACTIVITY_CONDITION] = "condition",
    [MDL_ACTIVITY_BARRIER] = "barrier", [MDL_ACTIVITY_SEMAPHORE] = "semaphore", [MDL_ACTIVITY_JOIN] = "join",
    [MDL_ACTIVITY_ONCE] = "once", [MDL_ACTIVITY_ATOMIC] = "atomic", [MDL_ACTIVITY_FUTURE] = "future",
    [MDL_ACTIVITY_LOADER] = "loader", [MDL_ACTIVITY_MALLOC] = "malloc", [MDL_ACTIVITY_FUTEX] = "futex",
    [MDL_ACTIVITY_SLEEP] = "sleep", [MDL_ACTIVITY_READ] = "read", [MDL_ACTIVITY_WRITE] = "write",
    [MDL_ACTIVITY_POLL] = "poll", [MDL_ACTIVITY_IO_URING] = "io_uring", [MDL_ACTIVITY_CHILD] = "child",
    [MDL_ACTIVITY_SIGNAL] = "signal", [MDL_ACTIVITY_SYSTEM_CALL] = "system_call", [MDL_ACTIVITY_MPI] = "mpi",
    [MDL_ACTIVITY_STOPPED] = "stopped", [MDL_ACTIVITY_TRACED] = "traced", [MDL_ACTIVITY_ZOMBIE] = "zombie",
    [MDL_ACTIVITY_KERNEL] = "kernel");

WORDS(
    owner_how_words,
    MDL_HOWS, [MDL_HOW_RECORDED] = "recorded", [MDL_HOW_KERNEL] = "kernel", [MDL_HOW_CODE] = "code position");

WORDS(crash_words, MDL_CRASH_KINDS, [MDL_CRASH_UNKNOWN] = "unknown", [MDL_CRASH_SENT] = "sent",
      [MDL_CRASH_STACK] = "stack_overflow", [MDL_CRASH_NULL] = "null", [MDL_CRASH_NO_ADDRESS] = "no_address",
      [MDL_CRASH_GUARD] = "guard_page", [MDL_CRASH_UNMAPPED] = "not_mapped",
      [MDL_CRASH_READ_ONLY] = "read_only", [MDL_CRASH_NO_EXECUTE] = "not_executable",
      [MDL_CRASH_NO_ACCESS] = "no_access", [MDL_CRASH_ALLOWED] = "allowed",
      [MDL_CRASH_FILE_END] = "end_of_file", [MDL_CRASH_NO_MEMORY] = "no_memory",
      [MDL_CRASH_ALIGNMENT] = "alignment", [MDL_CRASH_HARDWARE] = "hardware",
      [MDL_CRASH_ARITHMETIC] = "arithmetic", [MDL_CRASH_TRAP] = "trap", [MDL_CRASH_ILLEGAL] = "illegal",
      [MDL_CRASH_ABORT] = "abort", [MDL_CRASH_EXCEPTION] = "exception", [MDL_CRASH_TERMINATE] = "terminate");

WORDS(stack_of_words,
      3, [MDL_STACK_OTHER] = "other", [MDL_STACK_WORKER] = "openmp", [MDL_STACK_INITIAL] = "initial");

WORDS(finding_words, MDL_FINDING_KINDS, [MDL_FINDING_CROWDED] = "oversubscribed",
      [MDL_FINDING_TOGETHER] = "same_processor", [MDL_FINDING_RUNTIMES] = "two_runtimes");

const char *mdl_word(const struct mdl_words *words, int value)
{
    return value >= 0 && value < words->count ? words->word[value] : NULL;
}

int mdl_word_value(const struct mdl_words *words, const char *word)
{
    for (int i = 0; word && i < words->count; i++)
        if (words->word[i] && !strcmp(words->word[i], word))
            return i;
    return -1;
}
