/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One process, looked at again and again: its files, symbols and debug information are opened once.
 */
#ifndef COMMAND_SAMPLER_H
#define COMMAND_SAMPLER_H

#include "command/cmd.h"

struct sampler {
    struct cmd_args args; /**< nothing is said on the way: the screen may be ours */
    unsigned want;        /**< of insp_take */
    char *library;
    void *loaded;
    struct cf_target *target; /**< NULL: to be opened */
    insp_session *session;
    bool fresh; /**< no sample has been taken of this target */
    bool begun; /**< one has been taken of the process */
};

/** CMD_ALL, or a status having said why. Does not look at the process yet. */
int sampler_open(struct sampler *s, const struct cmd_args *args, unsigned want)
    __attribute__((warn_unused_result));

enum sample {
    SAMPLE_TAKEN,
    SAMPLE_MISSED, /**< another one may be had */
    SAMPLE_ENDED,  /**< the process has ended */
};
/** *ret: the snapshot, and how long the process stood still for it. SAMPLE_MISSED: *why is the sentence,
 *  malloc'ed, NULL out of memory. */
enum sample sampler_take(struct sampler *s, insp_snapshot **ret, uint64_t *stopped_ns, char **why)
    __attribute__((warn_unused_result));
void sampler_close(struct sampler *s);

#endif
