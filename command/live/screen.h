/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A terminal as a screen of our own, and keys. It is as it was again whichever way this process ends, but for
 * SIGKILL. Escape sequences are those of ECMA-48 and xterm, which every terminal of today has.
 */
#ifndef COMMAND_SCREEN_H
#define COMMAND_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/** False: standard output is no terminal with those sequences, or another job has it. */
bool screen_open(void);
void screen_close(void);
/** Columns and lines, at least 1 each. */
void screen_size(int *width, int *height);
/** Shows TEXT from the top; lines beyond the screen are left out, the last line says how many. */
void screen_show(const char *text);

enum screen_event {
    SCREEN_TIME,   /**< the time is over */
    SCREEN_KEY,    /**< *key */
    SCREEN_CHANGE, /**< another size, or back from Ctrl-Z: show it again */
    SCREEN_END     /**< a signal, or the terminal is gone */
};
/** Waits for at most so many seconds. */
enum screen_event screen_wait(double seconds, char *key);

#endif
