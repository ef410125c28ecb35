/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Barriers of other runtimes and of textbooks, written here after their descriptions, so that the same model
 * counts them: what a thread reads and writes of shared memory, and nothing else that those runtimes do.
 */
#ifndef MESI_DESCRIBED_H
#define MESI_DESCRIBED_H

struct described {
    const char *name;
    void (*start)(int threads);
    void (*barrier)(int thread, int threads);
    /* A parallel region: what its primary does before and behind its code, and what the others do. */
    void (*fork)(int threads);
    void (*join)(int threads);
    void (*begin)(int thread, int threads);
    void (*end)(int thread, int threads);
};
/** NULL: none has that name. */
const struct described *described_named(const char *name);

#endif
