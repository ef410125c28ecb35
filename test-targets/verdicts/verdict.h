/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a program of this folder says about itself besides truth.h: what the verdict on it must be, word for
 * word.
 *
 * It prints `VERDICT {json}` at its start and `THREAD {json}` for each thread that has reached the line where
 * it stays. In the sentence {A} stands for the thread that calls itself "A", {A.at} for the file and line
 * where it stays, and {task B} for a task and its line. The circle names the edges of the verdict in the same
 * letters, a task as "task".
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "truth.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * First call of main. THREADS threads will say where they stay, IDLE ones have only met, EVENTS times a
 * thread will say it again. KIND, CIRCLE ("" for none) and SENTENCE are the truth; a sentence "" claims
 * nothing.
 */
void verdict_start(const char *file, int threads, int idle, int events, const char *kind, const char *circle,
                   const char *sentence);
/** The calling thread is NAME in the sentence, and stays at LINE; 0: not known which line the compiler gives
 * it. */
void verdict_thread(const char *name, int line);
/** {NAME.at} of the sentence is LINE. */
void verdict_line(const char *name, int line);
/** The task {task NAME} of the sentence is constructed at LINE. */
void verdict_task(const char *name, int line);
/** Returns once thread TID, which is about to wait, does: it sleeps look after look, or spins. */
void verdict_await_wait(int tid);
/** A file from which nothing will ever be read, and that never ends. */
int verdict_silent_pipe(void);
/** Interrupts thread TID, wherever it is, and keeps it there; returns once it stands. */
void verdict_freeze(unsigned long pthread);

#ifdef __cplusplus
}
#endif

#define VERDICT(threads, events, kind, circle, sentence) \
    verdict_start(__FILE__, threads, 0, events, kind, circle, sentence)

#ifndef TRUTH_WITHOUT_OPENMP
#define VERDICT_AT_(name, line)                           \
    do {                                                  \
        verdict_thread(name, line);                       \
        TRUTH_WAITS_(0, NULL, NULL, NULL, 0, 0, NULL, 0); \
    } while (0)
/** The thread stays in the statement of the next line. */
#define VERDICT_STAYS(name) VERDICT_AT_(name, __LINE__ + 1)
/** The same of a construct to which only clang gives the line of its directive. */
#define VERDICT_STAYS_IN_CLANG(name) VERDICT_AT_(name, TRUTH_CLANG_LINE(__LINE__ + 1))
/** At a place whose line the compiler makes up. */
#define VERDICT_STAYS_SOMEWHERE(name) VERDICT_AT_(name, 0)
#endif

#endif
