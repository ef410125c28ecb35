/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the decoders of both families have in common: the facts that they gather, and how they follow an
 * exported function.
 */
#ifndef COREFILES_LAYOUT_DECODING_H
#define COREFILES_LAYOUT_DECODING_H

#include "corefiles/layout/decode.h"
#include "corefiles/layout/trace.h"

struct ly_decoding {
    const struct ly_image *image;
    const struct ly_code *code;
    struct ly_fact *facts;
    size_t count;
};

/** The first that is said of a member counts; an offset that no structure has is nothing. */
void ly_add(struct ly_decoding *d, const char *name, int64_t offset, uint64_t size);
/** The same of an array at the structure's end, which has no size. */
void ly_add_array(struct ly_decoding *d, const char *name, int64_t offset);
/** The same of a member that several places of the code may show: where they do not agree it is not known.
 * What is known otherwise stays. */
void ly_claim(struct ly_decoding *d, const char *name, int64_t offset, uint64_t size);
/** Is the member known? Then *ret is its offset. */
bool ly_get(const struct ly_decoding *d, const char *name, int32_t *ret);

/** Follows the exported function NAME; of a name that has several versions the INDEX-th. false: there is
 * none, or no memory for it. */
bool ly_follow(const struct ly_decoding *d, const char *name, unsigned index, struct ly_trace *ret);
/** Follows, without those that it calls, the next function of the file, exported or not, one of whose
 * instructions has memory DISPLACEMENT bytes from a register. *AT: 0 at first. false: there is none. */
bool ly_follow_next(const struct ly_decoding *d, int32_t displacement, size_t *at, struct ly_trace *ret);
/** Adds MEMBER as the first SIZE bytes by POINTER with which the function deals in the way HOW. */
void ly_add_first(struct ly_decoding *d, const struct ly_trace *t, uint16_t pointer, unsigned size,
                  unsigned how, const char *member);

/** A control variable, by the function that returns it. */
struct ly_icv {
    const char *function, *member;
    unsigned size;
    bool is_last; /**< of those of its size; else the first */
};
/** Adds those of LIST. TASK: the pointer to the current task in a trace; ICVS: where in it they begin. */
void ly_add_icvs(struct ly_decoding *d, const struct ly_icv *list, size_t count,
                 uint16_t task(const struct ly_decoding *, const struct ly_trace *), int32_t icvs);

#endif
