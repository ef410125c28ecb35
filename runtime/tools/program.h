/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of the process are compiled with, as far as a tool has to know.
 */
#ifndef RT_TOOLS_PROGRAM_H
#define RT_TOOLS_PROGRAM_H

/**
 * Whether a file that is loaded by now calls GOMP_*: gcc has compiled it, and what gcc inlines nobody can
 * tell a tool. Where that cannot be known (the static archive): 1.
 */
int program_has_gcc_code(void);

/** ThreadSanitizer is in the process: a symbol of it that LLVM's libarcher.so calls. */
int program_has_tsan(void);

#endif
