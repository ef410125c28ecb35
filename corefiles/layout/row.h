/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A row for libompd (docs/runtimes.md), made of a runtime's file: its code says where it waits, its debug
 * information, or that of a file compiled against the same headers, where the members of its structures lie.
 */
#ifndef COREFILES_LAYOUT_ROW_H
#define COREFILES_LAYOUT_ROW_H

#include <stdbool.h>

struct debuginfo;

struct ly_request {
    const char *file;
    const char *debug;  /**< a file with debug information; NULL: FILE itself */
    const char *name;   /**< of the row; NULL: the family */
    const char *source; /**< what it is made from, in words; NULL: the names of the files */
    /** FILE is open already, as one that a process names must be: it is not opened by its name again. */
    bool is_open;
    int fd;                 /**< then this is it, which stays the caller's, */
    struct debuginfo *info; /**< and this its debug information, NULL none; so does this */
};

/**
 * *ret is JSON, free(). 0; 1: FILE is no runtime of a family that is known, or a part of it cannot be
 * read: *error, free(), says what.
 */
int ly_row(const struct ly_request *request, char **ret, char **error) __attribute__((warn_unused_result));

#endif
