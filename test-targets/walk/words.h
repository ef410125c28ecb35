/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of this folder say of themselves: one line `TRUTH {json}`, once the function around the
 * region and all four members have spoken. Members stop after that, each in its own way.
 */
#ifndef WORDS_H
#define WORDS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { MEMBERS = 4, TASKS = 3 };

/** The variables of the function around the region: OUTER is of what lies around that, UNUSED in no body. */
void words_around(int pass, int unused, int outer);
/** A member's number, the iteration that it is in, its own variable and its place; then it stops. */
void words_of_member(int number, int iteration, int mine, int place);
/** Until all have spoken, and one is busy. */
void words_await(void);

void stay_asleep(void);
void stay_busy(void);

#ifdef __cplusplus
}
#endif

#endif
