/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The mapped file at an address.
 */
#ifndef INSPECT_MAPPED_H
#define INSPECT_MAPPED_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The module of the last scan whose mapping covers ADDR; NULL none, or its headers cannot be read. They are
 * read once, also those of a library that the scan leaves out. */
struct insp_known_module *mapped_at(insp_session *s, uint64_t addr);

#ifdef __cplusplus
}
#endif
#endif
