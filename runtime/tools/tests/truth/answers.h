/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What each thread is told by the windows, in words: what truth_test.py compares with OMPD. The two OMPTs
 * have the same names in C, so the one of 2016 has a library of its own.
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdint.h>

/** One window's answer in a signal handler, as numbers under names; -1: it says that there is none. */
struct answer {
    const char *name;
    int64_t value;
};
#define ANSWERS 8

/** Asks the OMPT of 2016; how many answers. */
int draft_ask(struct answer *answers);
/** Events that it has told. */
long draft_events(void);

#endif
