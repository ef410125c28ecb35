/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What is where in an image: so that damage can hit fields and put the addresses of structures into them.
 * Read from the image's own layout table, without libompd.
 */
#ifndef OMPD_FUZZ_PLACES_H
#define OMPD_FUZZ_PLACES_H

#include "ompd/fuzz/memory.h"

/** Fills places and addresses of a whole image. Aborts when the image is not sound. */
void places_find(struct mem *mem);

#endif
