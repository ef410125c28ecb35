/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Compressed sections of an ELF file (SHF_COMPRESSED, gABI chapter 4), unpacked into another file.
 */
#ifndef COREFILES_UNPACK_H
#define COREFILES_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "corefiles/corefiles.h"

/** Has the file FD sections that cf_unpack would unpack? *size: bytes of the file that it would make. */
bool cf_is_packed(int fd, uint64_t *size) CF_WARN_UNUSED;
/**
 * An anonymous file that nobody can write to any more (memfd_create(2)): the contents of FD, where what was
 * compressed lies unpacked at the end. Only the section headers differ. -1: FD is damaged, is compressed in a
 * way that libelf alone may judge, or there is no room.
 */
int cf_unpack(int fd) CF_WARN_UNUSED;

#endif
