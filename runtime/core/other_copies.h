/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Other copies of this runtime in the process: of two files with the archive in them each has its own.
 */
#ifndef RT_OTHER_COPIES_H
#define RT_OTHER_COPIES_H

/** When this copy starts: it and those that are there already tell each other. */
void rt_other_copies_start(void);

#endif
