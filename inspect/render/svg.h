/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program that draws.
 */
#ifndef INSPECT_SVG_H
#define INSPECT_SVG_H

#include <signal.h>

/** Its process, for a signal's handler to end; 0 none. */
extern volatile sig_atomic_t svg_child;

#endif
