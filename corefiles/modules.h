/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The mapped ELF files of a target.
 */
#ifndef COREFILES_MODULES_H
#define COREFILES_MODULES_H

#include "corefiles/elffile.h"
#include "corefiles/target.h"

/** What is known about the file that serves for a module. */
enum cf_check {
    CF_CHECK_NOT_YET,
    CF_CHECK_NONE,    /**< no file */
    CF_CHECK_UNSURE,  /**< a file that may be another one: names yes, memory no */
    CF_CHECK_ASSUMED, /**< nothing in the core speaks against it, and it has no build-id: names and memory */
    CF_CHECK_MATCHES, /**< it is that one (same_file.h) */
};

struct cf_mod {
    uint64_t base, end, bias; /**< bias: address minus p_vaddr */
    uint64_t inode;           /**< live: of the file */
    const char *path;         /**< of its first mapping; owned by the map */
    bool elf;                 /**< its first page is there and is an ELF header's */
    bool lost;             /**< its first page is not there, but its name is that of a program or library */
    bool deleted;          /**< the live process maps a file that has no name any more */
    uint8_t id[CF_ID_MAX]; /**< build-id in the target's memory */
    uint32_t id_size;
    uint32_t listed; /**< modules before it that cf_module lists */
    char *id_text;
    uint64_t dynamic; /**< address of its dynamic section, 0 none */
    struct cf_target *target;

    /* modulefile.c */
    enum cf_check check;
    const char *unsure;            /**< why CF_CHECK_UNSURE or ASSUMED */
    struct Elf *image;             /**< of the file, mapped read-only; NULL none */
    struct Elf *unpacked;          /**< the same with its sections unpacked (shared.h); NULL: by who reads */
    uint64_t room;                 /**< bytes of the file with its sections unpacked; 0: none is packed */
    uint64_t device, number;       /**< of the file: st_dev, st_ino */
    char *file;                    /**< its path here */
    char *real;                    /**< its path below `found`, links followed; NULL: not there */
    int refused;                   /**< errno of its opening by the name that is tried first */
    const struct cf_folder *found; /**< where it is; NULL not known */
    const char *found_as;          /**< its path below that, as the target names it; NULL another */
    struct cf_segment *parts;      /**< PT_LOAD of the file */
    uint32_t part_count;

    /* dwfl.c */
    struct Dwfl_Module *reported; /**< its place */
    struct Dwfl_Module *dwfl;     /**< the same, which has a file; NULL none, or not asked for */
    bool dwfl_tried;
    uint8_t turn; /**< symbols.c; 0 not known yet */

    struct cf_debugfile *debug; /**< debugfile.c; NULL none */
    bool debuginfo_tried;
    struct cf_units *units;     /**< units.c; NULL not read yet */
    struct cf_statics *statics; /**< variables.c; NULL not read yet */
};

int cf_modules_load(struct cf_target *t) CF_WARN_UNUSED;
/** Are the mapped files of a live process those that were loaded, at the same places? */
bool cf_modules_same(const struct cf_target *t) CF_WARN_UNUSED;
struct cf_mod *cf_module_at(struct cf_target *t, uint64_t addr);
/** A build-id in hexadecimal, malloc'ed. */
char *cf_id_text(const uint8_t *id, uint32_t size);

#endif
