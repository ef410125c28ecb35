/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a program asks of its OpenMP runtime, seen before it starts.
 */
#ifndef COMMAND_IMPORTS_H
#define COMMAND_IMPORTS_H

/**
 * A symbol that only libgomp has and that FILE, or a library that the loader finds for it, imports: gcc's
 * offloading and OpenACC are within libgomp. Malloc'ed, and *where, malloc'ed: who imports it. NULL: there is
 * none, or FILE is no program of ELF.
 */
char *imports_of_libgomp(const char *file, char **where);

#endif
