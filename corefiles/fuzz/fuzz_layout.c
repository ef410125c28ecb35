/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is one of the files that look like a runtime (runtime_gomp.c, runtime_kmp.c),
 * and damage to it. A row is made of it, or it is refused with a reason.
 *
 * Bytes: the file, how (bit 1: the file is open, and its debug information is not
 * wanted), then six for each damage: where (two), its sort and place, three of its value.
 */
#include <elf.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corefiles/layout/row.h"
#include "ompd/fuzz/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILE_MAX = 1 << 16, HEAD = 2, DAMAGE = 6 };

static uint8_t bytes[FILE_MAX];

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* In the headers at the file's beginning, the headers of its sections, or anywhere. */
static size_t place(const struct mem_file *file, uint8_t sort, uint16_t number)
{
    Elf64_Ehdr head;
    size_t from = 0, size = file->size;

    memcpy(&head, file->data, sizeof(head));
    if (sort >> 6 == 1) {
        size = sizeof(head) + head.e_phnum * sizeof(Elf64_Phdr);
    } else if (sort >> 6 == 2) {
        from = head.e_shoff;
        size -= from;
    }
    return from + number % size;
}

static void damage(const struct mem_file *file, const uint8_t *how)
{
    size_t at = place(file, how[2], (uint16_t)(how[0] | how[1] << 8));
    uint32_t value = how[3] | (uint32_t)how[4] << 8 | (uint32_t)how[5] << 16;
    uint64_t word = value;

    switch (how[2] % 6) {
    case 0:
        bytes[at] = how[3];
        break;
    case 1:
        bytes[at] ^= (uint8_t)(1U << (value & 7));
        break;
    case 2:
        memcpy(bytes + at, &value, 4);
        break;
    case 3: /* a word of the headers */
        memcpy(bytes + (at & ~(size_t)7), &word, sizeof(word));
        break;
    case 4:
        word = ~word;
        memcpy(bytes + (at & ~(size_t)7), &word, sizeof(word));
        break;
    default: /* what stands elsewhere */
        memcpy(bytes + at, bytes + value % file->size, 8);
        break;
    }
}

static void make(const char *path, int fd, uint8_t how)
{
    struct ly_request request = {.file = path, .is_open = how & 2, .fd = fd};
    char *row = NULL, *error = NULL;
    json_t *parsed;

    if (ly_row(&request, &row, &error)) {
        must(error && *error && !row);
        free(error);
        return;
    }
    parsed = json_loads(row, JSON_REJECT_DUPLICATES, NULL);
    must(parsed && json_is_string(json_object_get(parsed, "family")));
    json_decref(parsed);
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    char path[40];

    if (size < HEAD)
        return 0;
    const struct mem_file *file = &mem_files[data[0] % mem_file_count];
    must(file->size <= FILE_MAX - 8);
    memcpy(bytes, file->data, file->size);
    for (size_t at = HEAD; at + DAMAGE <= size; at += DAMAGE)
        damage(file, data + at);
    if (fd < 0)
        fd = memfd_create("runtime", 0);
    must(fd >= 0 && !ftruncate(fd, (off_t)file->size) &&
         pwrite(fd, bytes, file->size, 0) == (ssize_t)file->size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    make(path, fd, data[1]);
    return 0;
}
