/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the files that a target names may lie.
 */
#ifndef COREFILES_FOLDERS_H
#define COREFILES_FOLDERS_H

#include "corefiles/target.h"

/** A directory as seen from one that is not left: DIR below ROOT, "" for ROOT itself. */
struct cf_folder {
    int fd;           /**< of ROOT, -1 not there */
    const char *root; /**< its path here, "" for "/" */
    const char *dir;
};

struct cf_folders {
    struct cf_folder home;   /**< the root of what the target names: the sysroot, the process's own, ours */
    struct cf_folder host;   /**< our own root */
    struct cf_folder own;    /**< outside the sysroot, of the executable that the user names; fd -1 none */
    struct cf_folder *debug; /**< directories with debug files */
    uint32_t debug_count;
    int no_openat2; /**< why openat2 is refused, so that nothing is opened that the target names; 0 not */
};

int cf_folders_load(struct cf_target *t) CF_WARN_UNUSED;
void cf_folders_free(struct cf_folders *folders);
/** cf_open_file in FOLDER. *name, malloc'ed, also when it fails: the path here; NULL out of memory. */
int cf_open_in(struct cf_target *t, const struct cf_folder *folder, const char *path,
               char **name) CF_WARN_UNUSED;
/** The directory that FD, a file that the user has named, may refer to others from; NULL none. */
const struct cf_folder *cf_folder_of_own(struct cf_target *t, int fd);
/** The path of FD below the directory ROOT, malloc'ed; NULL when it is not there. */
char *cf_path_below(int root, int fd);

#endif
