/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Lists of places from text.
 */
#ifndef RT_PLACES_PARSE_H
#define RT_PLACES_PARSE_H

#include "place_list.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each of these returns NULL, or what is wrong with the text; then the list is empty. */

/** The grammar of OMP_PLACES. Reads the topology only for an abstract name. */
const char *rt_places_parse(const char *text, struct rt_machine *machine, struct rt_place_list *list);
/**
 * GOMP_CPU_AFFINITY ("0 3 1-2 4-15:2") and KMP_AFFINITY's proclist (that, and sets in braces): a place for
 * each item.
 */
const char *rt_places_parse_cpus(const char *text, struct rt_place_list *list);

#ifdef __cplusplus
}
#endif

#endif
