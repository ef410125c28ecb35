/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names of nodes as Slurm, ClusterShell and pdsh write them: n[1-3,07-12],login,r[1-2]c[0-9].
 */
#ifndef COMMAND_NODESET_H
#define COMMAND_NODESET_H

#include <stdbool.h>
#include <stddef.h>

/** A list of names; all malloc'ed. */
struct nodeset {
    char **name;
    size_t count;
};

/** Adds the names of TEXT, which are not there yet. Blanks and line ends separate as commas do. False: it is
 *  no list of nodes, or one of more than 20,000. */
bool nodeset_add(struct nodeset *set, const char *text) __attribute__((warn_unused_result));
/** Adds NAME as it is, if it is not there yet. False: there is no memory, or there are too many. */
bool nodeset_add_name(struct nodeset *set, const char *name) __attribute__((warn_unused_result));
bool nodeset_has(const struct nodeset *set, const char *name);
/** Joined by commas, malloc'ed. */
char *nodeset_join(const struct nodeset *set);
/** For people: numbers that follow each other are put together, n[1-3]; malloc'ed. */
char *nodeset_fold(const struct nodeset *set);
void nodeset_free(struct nodeset *set);

#endif
