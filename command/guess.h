/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a word on the command line is that is neither an option nor a subcommand: `ompd 4242`, `ompd core`.
 */
#ifndef COMMAND_GUESS_H
#define COMMAND_GUESS_H

enum guess { GUESS_NOTHING, GUESS_PID, GUESS_CORE, GUESS_PROGRAM, GUESS_SNAPSHOT };

/** By the digits, or by the content of the file of that name. */
enum guess guess_source(const char *word);

#endif
