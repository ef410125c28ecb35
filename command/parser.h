/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The command line, in three files: its words (parse.c), the values of options (parse_value.c), and what is
 * checked when all has been read (parse_check.c).
 */
#ifndef COMMAND_PARSER_H
#define COMMAND_PARSER_H

#include "cmd.h"

/** What is checked after all words have been read. */
struct parser {
    struct cmd_args *args;
    uint64_t seen; /**< bit of enum cmd_option_id */
    bool help, version, json;
};

/** Keeps the value of option O; CMD_ALL, or a status, having said why. */
int parse_value(struct cmd_args *args, const struct cmd_option *o, const char *value);
/** The number from 1 to MOST that TEXT is, or 0. */
int64_t parse_integer(const char *text, int64_t most);
/** Do the options fit the subcommand and each other? CMD_ALL, or a status, having said why not. */
int parse_check(const struct parser *p);
/** Says the sentence; CMD_USAGE. */
int parse_usage(const char *sentence);

#endif
