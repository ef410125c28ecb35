/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The vdso (vdso(7)): a small library that the kernel maps into each process. It has no file: what is read
 * for it is a copy of the target's memory. `clock_gettime` runs in it, and so `omp_get_wtime`.
 */
#ifndef COREFILES_VDSO_H
#define COREFILES_VDSO_H

#include <stdbool.h>

#include "corefiles/target.h"

/** Is that mapping of /proc/PID/maps the vdso's? */
bool cf_is_vdso(const char *path);
/** Of a core, whose list of mappings (NT_FILE) has files only: adds the vdso's, where the auxiliary vector
 *  says that it begins. Before the mappings are sorted. */
int cf_vdso_map(struct cf_target *t) CF_WARN_UNUSED;
/** A file with a copy of the vdso, which is mapped from BASE to END, for close(). -1: it is not all in the
 *  target's memory. */
int cf_vdso_copy(struct cf_target *t, uint64_t base, uint64_t end) CF_WARN_UNUSED;

#endif
