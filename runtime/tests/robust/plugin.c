/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The library that dlopen.c loads: all of the OpenMP is in here.
 */
#include "work.h"

int plugin_work(int threads);
int plugin_work(int threads)
{
    return work(threads);
}
