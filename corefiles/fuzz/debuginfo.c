/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Damaged debug information: programs whose .debug_* sections are changed at one to eight places, read whole
 * (debuginfo_print) by the reader that this program is linked with, each in a process of its own.
 *
 *   debuginfo [--contained] PROGRAM...
 *
 * MUTATIONS copies (of the environment; 500), the same for the same SEED (1); or, with FUZZ_SECONDS, as many
 * as that takes. ONLY=NUMBER does that one alone, in this process. Prints how many were read, were refused,
 * crashed, took more than SECONDS of processor time, or more than MEMORY. Ends with 1 when one crashed or
 * took too much, unless --contained is given: then that is a finding about a library whose crash its user
 * survives.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "corefiles/debuginfo/print.h"
#include "corefiles/fuzz/mutate.h"

enum { SECONDS = 5, MEMORY = 1 << 30, PROGRAMS_MAX = 64, SECTIONS_MAX = 64, REFUSED = 2 };

/** A program, and where its debug information lies. */
struct program {
    const char *path;
    uint8_t *data;
    size_t size;
    struct {
        size_t offset, size;
    } section[SECTIONS_MAX];
    size_t sections;
};

/** What became of the copies. */
struct tally {
    unsigned long count, read, refused, crashed, slow;
};

static uint64_t setting(const char *name, uint64_t usual)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 0) : usual;
}

static void find_sections(struct program *p)
{
    Elf64_Ehdr eh;
    Elf64_Shdr names, sh;

    memcpy(&eh, p->data, sizeof(eh));
    memcpy(&names, p->data + eh.e_shoff + eh.e_shstrndx * sizeof(names), sizeof(names));
    for (size_t i = 0; i < eh.e_shnum && p->sections < SECTIONS_MAX; i++) {
        memcpy(&sh, p->data + eh.e_shoff + i * sizeof(sh), sizeof(sh));
        if (sh.sh_size && !strncmp((char *)p->data + names.sh_offset + sh.sh_name, ".debug_", 7)) {
            p->section[p->sections].offset = sh.sh_offset;
            p->section[p->sections++].size = sh.sh_size;
        }
    }
}

/* These are our own, just built: their headers are believed. */
static void load(struct program *p, const char *path)
{
    FILE *file = fopen(path, "r");
    long size;

    p->path = path;
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < (long)sizeof(Elf64_Ehdr) ||
        fseek(file, 0, SEEK_SET) || !(p->data = malloc((size_t)size)) ||
        fread(p->data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(REFUSED);
    }
    fclose(file);
    p->size = (size_t)size;
    find_sections(p);
    if (!p->sections) {
        fprintf(stderr, "%s has no debug information\n", path);
        exit(REFUSED);
    }
}

/* One change: a number with a meaning, a random byte, or a piece of the same section. */
static void damage(const struct program *p, uint8_t *data, uint64_t *seed)
{
    static const uint64_t numbers[] = {0,         1, 0x7f, 0x80, 0xff, 0xffff, INT32_MAX, UINT32_MAX - 15,
                                       UINT64_MAX};
    const size_t which = mutate_random(seed) % p->sections, size = p->section[which].size;
    uint8_t *section = data + p->section[which].offset;
    /* Headers are at the beginning. */
    size_t at = mutate_random(seed) % (mutate_random(seed) % 4 || size < 64 ? size : 64), length, from;
    uint64_t number;

    switch (mutate_random(seed) % 4) {
    case 0:
        section[at] = (uint8_t)mutate_random(seed);
        break;
    case 1:
        section[at] ^= (uint8_t)(1U << mutate_random(seed) % 8);
        break;
    case 2:
        number = numbers[mutate_random(seed) % (sizeof(numbers) / sizeof(*numbers))];
        length = (size_t)1 << mutate_random(seed) % 4;
        memcpy(section + at, &number, length < size - at ? length : size - at);
        break;
    default:
        from = mutate_random(seed) % size;
        length = mutate_random(seed) % 32;
        length = length < size - at ? length : size - at;
        memmove(section + at, section + from, length < size - from ? length : size - from);
        break;
    }
}

static int read_whole(const uint8_t *data, size_t size)
{
    int fd = memfd_create("damaged", MFD_CLOEXEC);
    FILE *out = fopen("/dev/null", "w");
    struct debuginfo *of;
    const char *why;

    if (fd < 0 || !out || write(fd, data, size) != (ssize_t)size)
        return 1;
    of = debuginfo_open(fd, NULL, &why);
    if (of)
        debuginfo_print(of, out);
    debuginfo_close(of);
    fclose(out);
    close(fd);
    return of ? 0 : REFUSED;
}

static void try(const struct program *p, const uint8_t *data, unsigned long number, struct tally *t)
{
    const struct rlimit cpu = {SECONDS, SECONDS + 1}, core = {0, 0};
    int status;
    pid_t child = fork();

    if (!child) {
#ifndef __SANITIZE_ADDRESS__ /* which reserves more */
        setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY, MEMORY});
#endif
        setrlimit(RLIMIT_CPU, &cpu);
        setrlimit(RLIMIT_CORE, &core);
        _exit(read_whole(data, p->size));
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("fork");
        exit(REFUSED);
    }
    if (WIFEXITED(status)) {
        t->read += WEXITSTATUS(status) == 0;
        t->refused += WEXITSTATUS(status) != 0;
        return;
    }
    t->slow += WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL;
    t->crashed += WTERMSIG(status) != SIGXCPU && WTERMSIG(status) != SIGKILL;
    printf("%s: mutation %lu ended by %s\n", p->path, number, strsignal(WTERMSIG(status)));
}

int main(int argc, char **argv)
{
    static struct program programs[PROGRAMS_MAX];
    const uint64_t only = setting("ONLY", UINT64_MAX), seconds = setting("FUZZ_SECONDS", 0);
    const unsigned long most = setting("MUTATIONS", 500);
    const bool contained = argc > 1 && !strcmp(argv[1], "--contained");
    const time_t begin = time(NULL);
    uint64_t seed = setting("SEED", 1);
    struct tally t = {0};
    int first = contained ? 2 : 1, count = argc - first;

    if (count < 1 || count > PROGRAMS_MAX || !seed) {
        fprintf(stderr, "usage: %s [--contained] PROGRAM...\n", argv[0]);
        return 64;
    }
    for (int i = 0; i < count; i++)
        load(&programs[i], argv[first + i]);
    for (; seconds ? time(NULL) < begin + (time_t)seconds : t.count < most; t.count++) {
        const struct program *p = &programs[t.count % (unsigned long)count];
        uint8_t *copy = malloc(p->size);

        if (!copy)
            return REFUSED;
        memcpy(copy, p->data, p->size);
        for (uint64_t n = mutate_random(&seed) % 8 + 1; n; n--)
            damage(p, copy, &seed);
        if (only == t.count)
            return read_whole(copy, p->size);
        if (only == UINT64_MAX)
            try(p, copy, t.count, &t);
        free(copy);
    }
    printf("%lu damaged files: %lu read, %lu refused, %lu crashed, %lu took more than %d s\n", t.count,
           t.read, t.refused, t.crashed, t.slow, SECONDS);
    return (t.crashed || t.slow) && !contained;
}
