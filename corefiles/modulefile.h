/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The file here that is a module's.
 */
#ifndef COREFILES_MODULEFILE_H
#define COREFILES_MODULEFILE_H

#include "corefiles/target.h"

struct cf_mod;

/** What can be wrong with the files of hundreds of modules. */
enum cf_file_kind { CF_FILE_UNSURE, CF_FILE_OTHER, CF_FILE_MISSING, CF_FILE_DEBUG, CF_FILE_KINDS };

/** Finds and checks the file of a module, once. */
void cf_module_file(struct cf_target *t, struct cf_mod *m);
/** Takes over the malloc'ed texts: a problem with a file of M, one of many of its kind. */
void cf_file_problem(struct cf_target *t, const struct cf_mod *m, enum cf_file_kind kind, char *what,
                     char *why, char *remedy);
void cf_file_problems_free(struct cf_file_problems *problems);
/** Reads exactly SIZE bytes at OFFSET of a module's file that has been found. */
bool cf_module_file_read(const struct cf_mod *m, void *buf, uint64_t size, uint64_t offset) CF_WARN_UNUSED;
/** Opens that file again; -1: it cannot be, or another one has its name now. */
int cf_module_file_open(const struct cf_mod *m) CF_WARN_UNUSED;
void cf_module_file_free(struct cf_mod *m);

#endif
