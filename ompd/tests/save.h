// SPDX-License-Identifier: Apache-2.0
// A hand-made process as an image file for the fuzzers (ompd/fuzz/memory.h tells the format).
#ifndef OMPD_TESTS_SAVE_H
#define OMPD_TESTS_SAVE_H

#include <string>

#include "ompd/tests/image.h"

/** False: the file could not be written. */
bool SaveImage(const Image &image, const std::string &path);

#endif
