/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The dynamic section of a module as it lies in the target's memory (gABI, "Dynamic Linking"): its name, what
 * it needs and what it exports. Everything read here is the target's word: a damaged section gives "no".
 */
#ifndef INSPECT_DYNAMIC_H
#define INSPECT_DYNAMIC_H

#include <elf.h>

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Entries that are looked at; a real section has some 30. */
enum { DYNAMIC_MAX = 512, DYNAMIC_NAME = 256 };

struct dynamic {
    Elf64_Dyn entry[DYNAMIC_MAX];
    int count;
    uint64_t start, bias; /**< of the module */
};

/** Reads the section of M, whose first page has been read. False: there is none, or it cannot be read. */
bool dynamic_read(insp_session *s, const struct insp_known_module *m, struct dynamic *ret) INSP_WARN_UNUSED;
/** The value of the first entry with TAG. False: none has it. */
bool dynamic_value(const struct dynamic *d, int64_t tag, uint64_t *ret);
/** The name in entry number I, a DT_SONAME or DT_NEEDED. False: it cannot be read, or is longer than a name.
 */
bool dynamic_name(insp_session *s, const struct dynamic *d, int i, char name[DYNAMIC_NAME]) INSP_WARN_UNUSED;
/** The name of the function whose address the loader writes to SLOT, a word of the module's table for calls,
 *  when that is called first. False: no relocation of a function names that word. */
bool dynamic_slot(insp_session *s, const struct dynamic *d, uint64_t slot,
                  char name[DYNAMIC_NAME]) INSP_WARN_UNUSED;
/** Whether the module defines the dynamic symbol NAME. Asks DT_GNU_HASH only: a library without it is said to
 * export nothing. */
bool dynamic_exports(insp_session *s, const struct dynamic *d, const char *name);

#ifdef __cplusplus
}
#endif
#endif
