/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The names by which the loader knows the library.
 */
#ifndef RT_SONAME_H
#define RT_SONAME_H

#include "base.h"

/** As the library is loaded: from now on LLVM's names lead to it, too. */
void rt_soname_claim(void);

#endif
