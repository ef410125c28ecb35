/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LINES_H
#define LINES_H

extern int table[16];
void held(void);

static inline void touch(int i)
{
    table[i]++;
}

template <class T> void spread(T *of)
{
#pragma omp task depend(in : of[0])
    table[3]++;
#pragma omp task depend(in : of[0])
    touch(4);
}

#endif
