/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Engines: programs of others by which something is started on the nodes of a job. Each is a row of a file,
 * docs/jobs.md: `[NAME]`, then `KEY = VALUE`.
 */
#ifndef COMMAND_ENGINES_H
#define COMMAND_ENGINES_H

#include <stdbool.h>
#include <stddef.h>

struct engine {
    char *name;
    char *nodes;  /**< command that prints the nodes of the job; NULL: they have to be named */
    char *up;     /**< command that prints those of the nodes that can be reached; NULL: nobody is asked */
    char *launch; /**< command that starts something on the nodes */
    char *lost; /**< regular expression (POSIX, extended) of a line that says that a node, its first group, is
                       lost and the launch with it; NULL none */
    bool each;  /**< `launch` is for one node, and started for each */
    bool label; /**< the job of --job is a name that its ranks do not know */
    bool tried; /**< the row has been tried on such a system */
};

/**
 * Row NAME of FILE, which may be NULL, of /etc/ompd/engines, or of the installation, the first that has it.
 * False with *error, malloc'ed: there is none, or a file is not as it should be.
 */
bool engine_find(const char *name, const char *file, struct engine *ret, char **error);
void engine_free(struct engine *engine);

/** What the letters of a command stand for. */
struct engine_values {
    const char *job;    /**< %J, JOB or JOB.STEP; %j without the step; NULL: not known */
    const char *nodes;  /**< %N, joined by commas; NULL: not known */
    size_t count;       /**< %n */
    char *const *agent; /**< %A, as words; %C, as one word for a shell; NULL: not allowed here */
};

/** The words of COMMAND, malloc'ed, NULL at the end. NULL with *error, malloc'ed. */
char **engine_words(const char *command, const struct engine_values *values, char **error);
void engine_words_free(char **words);
/** Does COMMAND have %LETTER? */
bool engine_uses(const char *command, char letter);

#endif
