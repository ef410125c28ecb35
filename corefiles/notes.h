/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The notes of a core.
 */
#ifndef COREFILES_NOTES_H
#define COREFILES_NOTES_H

#include "corefiles/target.h"

/** Of the kernel's flags of a process, as proc(5) and a core have them: it was forked, and has begun no
 *  program since (PF_FORKNOEXEC). A core without any flag may be of something that does not know them. */
enum { CF_PROCESS_FORKED = 0x40 };

/** DESC has one byte more than SIZE. */
int cf_core_note(struct cf_target *t, uint32_t type, uint8_t *desc, uint64_t size, bool *out_of_memory);
/** All notes have been read: what was left out becomes problems. */
void cf_core_notes_end(struct cf_target *t);
/** An entry of the auxiliary vector (<elf.h>). */
void cf_auxv_entry(struct cf_target *t, uint64_t type, uint64_t value);

#endif
