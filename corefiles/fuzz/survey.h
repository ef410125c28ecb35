/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Everything that can be asked of one core, and what must hold of the answers.
 */
#ifndef COREFILES_FUZZ_SURVEY_H
#define COREFILES_FUZZ_SURVEY_H

#include <stddef.h>
#include <stdint.h>

/**
 * Opens a core with these contents and asks for all that there is. Returns 1, or 0 when it is refused. Aborts
 * where an answer cannot be one. There are two: survey.c asks the core reader; WITH names the file that may
 * serve for the core's executable. Wrong is a byte that the core does not have there (asked without that
 * file), a refusal or a missing stack without a reason, a text that is none. report.c asks inspect for all
 * its pages of the core; WITH is libompd.so.1. Wrong is a page that is neither there nor refused with a
 * reason.
 */
int survey_core(const uint8_t *data, size_t size, const char *with);

#endif
