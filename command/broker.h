/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Files that child processes share (struct cf_shared_files): who needs one asks the parent, the broker, over
 * a socket (SOCK_SEQPACKET). The first one opens it and hands it over, the others get it from the broker. The
 * broker opens and reads none: no file can hold it up or harm it.
 */
#ifndef COMMAND_BROKER_H
#define COMMAND_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "corefiles/corefiles.h"

struct broker;

/** ROOM: bytes of memory for files that take some. NULL: out of memory. */
struct broker *broker_new(uint64_t room);
/** B may be NULL. */
void broker_free(struct broker *b);
/** Child INDEX has written to SOCKET, our end, which does not block. False: it is not heard any more. */
bool broker_serve(struct broker *b, size_t index, int socket);
/** Child INDEX is not there any more. What it was to open another one does. */
void broker_left(struct broker *b, size_t index);

/** In a child, of which SOCKET is the end: how it asks for files. Frees B, the child's copy. What it returns
 *  lives as long as the process. */
const struct cf_shared_files *broker_files(struct broker *b, int socket);

#endif
