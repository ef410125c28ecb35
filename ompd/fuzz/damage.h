/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Damage to an image as a fuzzer's input says it: flipped bits, fields with other values, pointers to other
 * structures, huge counts, mappings that end early, lost pages; and callbacks that fail.
 */
#ifndef OMPD_FUZZ_DAMAGE_H
#define OMPD_FUZZ_DAMAGE_H

#include "ompd/fuzz/host.h"
#include "ompd/fuzz/memory.h"

/** The rest of an input. Beyond its end all is 0. */
struct damage {
    const uint8_t *data;
    size_t size;
};

uint8_t damage_byte(struct damage *damage);
/** A little-endian number. */
uint64_t damage_number(struct damage *damage, unsigned bytes);

enum damage_op {
    DAMAGE_FLIP,    /**< place, bit */
    DAMAGE_SMALL,   /**< place, signed byte */
    DAMAGE_VALUE,   /**< place, number */
    DAMAGE_POINTER, /**< place, structure, distance */
    DAMAGE_COPY,    /**< place, place: what two fields hold is the same now */
    DAMAGE_HUGE,    /**< place, which */
    DAMAGE_POKE,    /**< where, up to 15 bytes */
    DAMAGE_CUT,     /**< piece, visible bytes */
    DAMAGE_LOSE,    /**< page of a structure */
    DAMAGE_HEAL,    /**< all is whole again */
    DAMAGE_FAIL,    /**< callback, which call, code, once or from then on */
    DAMAGE_NO_FAIL,
    DAMAGE_OPS
};
void damage_do(struct mem *mem, uint8_t op, struct damage *damage);

#endif
