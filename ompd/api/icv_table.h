/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which control variables there are.
 */
#ifndef OMPD_ICV_TABLE_H
#define OMPD_ICV_TABLE_H

#include "api/api.h"

/** A name that some versions of the specification list. */
struct icv {
    const char *name;
    enum rtm_icv icv;
    ompd_scope_t scope; /**< the specification's, see icv_scope() */
    ompd_word_t since, until;
};

/**
 * The ICV with this id, NULL: none, or none in the caller's version. An id is the place in the table plus 1.
 */
const struct icv *icv_find(ompd_icv_id_t id);
/** The next listed id after ID, 0: there is none. */
ompd_icv_id_t icv_next(ompd_icv_id_t id);
/** The scope that the caller's version is told. */
ompd_scope_t icv_scope(const struct icv *icv);

/** What an ICV has as an integer. */
enum icv_integer {
    ICV_WHOLE,     /**< all of it */
    ICV_FIRST,     /**< its first item; incomplete when there are more */
    ICV_NO_INTEGER /**< nothing: incompatible */
};
enum icv_integer icv_integer(enum rtm_icv icv);

#endif
