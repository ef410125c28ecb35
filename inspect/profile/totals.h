/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How much a profile has in it, for those who ask and for those who keep it.
 */
#ifndef INSPECT_PROFILE_TOTALS_H
#define INSPECT_PROFILE_TOTALS_H

#include <stdint.h>

/** Until now. */
struct profile_totals {
    uint64_t samples, lost, threads, stopped_ns;
    double seconds;
};

#endif
