/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * UTF-8, as strictly as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
 */
#ifndef INSPECT_UTF8_H
#define INSPECT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Length in bytes of the UTF-8 character at S, 0 when it is none. Never looks behind a NUL. */
size_t utf8_len(const char *s);
/** The code point of the UTF-8 character of N bytes at S. */
uint32_t utf8_point(const char *s, size_t n);

#ifdef __cplusplus
}
#endif
#endif
