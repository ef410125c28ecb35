/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The keys by which states are put together, from coarse to exact; 128 bits in hexadecimal.
 */
#ifndef INSPECT_STATE_KEYS_H
#define INSPECT_STATE_KEYS_H

#include <jansson.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STATE_ZOOMS = 3 };
struct state_keys {
    char key[STATE_ZOOMS][33];
};

/** Of a state that state_read has given. */
void state_make_keys(const json_t *state, struct state_keys *ret);

#ifdef __cplusplus
}
#endif
#endif
