/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the threads of a mixed program say of themselves, each right before it waits. mixed_truth.py reads it.
 *
 * A line of JSON on standard output for each, and one of the process before them:
 *
 *   SAY {"pid": 17, "threads": 2, "verdict": "deadlock"}
 *   SAY {"pid": 17, "tid": 18, "line": 21, "kind": "mutex", "system": "futex", "name": "b", ...}
 *
 * kind: the word of threads[].activity. system: the call of the kernel in which the thread will be; "none":
 * it stays in user code; "" when it may be in some call now and then.
 */
#ifndef SAY_H
#define SAY_H

#ifdef __cplusplus
extern "C" {
#endif

/** First of all: THREADS threads of this process will say something. VERDICT: one word or more, of which each
 *  would be right. */
void say_verdict(int threads, const char *verdict);
/**
 * The calling thread is about to wait at LINE. FORMAT makes the rest of the line of JSON, with ' for ":
 * 'call' (which may have two names, a|b: some of libc's functions jump to another), 'name', 'object' (as %p),
 * 'owner' (tid), 'owner_is', 'timeout' (seconds), 'descriptor', 'child', and of 'kind' "openmp": 'wait' and
 * 'caller', the line that has called the wrapper with LINE.
 */
void say(int line, const char *kind, const char *system, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/** The same with an object of SIZE bytes, and its OWNER, 0 none. */
void say_object(int line, const char *kind, const char *call, const char *name, const volatile void *object,
                int size, int owner);
/** The thread is about to sleep for SAY_LONG. */
void say_sleep(int line);
/** The same as say_object for SAY_LONG at most. */
void say_limited(int line, const char *kind, const char *call, const char *name, const volatile void *object,
                 int size);
/** The same with a mutex whose owner is no thread of this process: "ended", "process", "before_fork",
 *  "gone", or two of these by "|": a core does not say more. */
void say_foreign(int line, const char *name, const volatile void *object, const char *is, int owner);
/** The same for Fortran: the rest of the line as it is, and 'owner' unless it is 0. */
void say_words(int line, const char *kind, const char *system, const char *words, int owner);
/** After a wait, so that no compiler makes a jump of it, which is on no stack. */
void say_after(void);
int say_tid(void);
void say_set(int *word, int value);
/** Until *WORD is VALUE or more. */
void say_await(const int *word, int value);
/** A pipe that nobody writes to, and that does not end: its descriptor. */
int say_silent(void);
/** Longer than any test. */
enum { SAY_LONG = 3600 };

#ifdef __cplusplus
}
#endif

/** The thread waits in the statement of the next line. */
#define SAY(kind, system, ...) say(__LINE__ + 1, kind, system, __VA_ARGS__)
#define SAY_MUTEX(name, object, owner) \
    say_object(__LINE__ + 1, "mutex", "pthread_mutex_lock", name, object, 40, owner)
#define SAY_OBJECT(kind, call, name, object, size, owner) \
    say_object(__LINE__ + 1, kind, call, name, object, size, owner)
#define SAY_LIMITED(kind, call, name, object, size) say_limited(__LINE__ + 1, kind, call, name, object, size)
#define SAY_LOCK(name, object, owner)                                                                \
    say(__LINE__ + 1, "openmp", "futex", "'wait':'lock','name':'%s','object':'%p','owner':%d", name, \
        (void *)object, owner)
/** A mutex whose owner is no thread of the process. */
#define SAY_FOREIGN(name, object, is, owner) say_foreign(__LINE__ + 1, name, object, is, owner)
#define SAY_SLEEP()                          say_sleep(__LINE__ + 1)
/** The thread goes to the end of its region, or to another barrier. */
#define SAY_BARRIER() say(0, "openmp", "futex", "%s", "'wait':'barrier'")

#endif
