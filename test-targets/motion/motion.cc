// SPDX-License-Identifier: Apache-2.0
// See motion.h.
#include "motion.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace motion
{

Page *page;

/** The index of NAME in NAMES; N if it is none of them. */
static int find(const char *name, const char *const *names, int n)
{
    int i = 0;

    while (i < n && strcmp(name, names[i]) != 0)
        i++;
    return i;
}

static bool map(const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0 || ftruncate(fd, sizeof(Page)) != 0)
        return false;
    void *at = mmap(NULL, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    page = (Page *)at;
    return at != MAP_FAILED;
}

static int main(int argc, char **argv)
{
    if (argc != 6 || atoi(argv[3]) < 2) {
        fprintf(stderr, "usage: motion PAGE SEED THREADS KIND PLANT\n");
        return 64;
    }
    const int mistake = strcmp(argv[5], "-") ? find(argv[5], mistake_names, MISTAKES) : NO_MISTAKE;
    const Program program = draw(strtoull(argv[2], NULL, 10), atoi(argv[3]),
                                 (Kind)find(argv[4], kind_names, KINDS), (Mistake)mistake);
    if (!strcmp(argv[1], "-")) {
        printf("%s\n", program.words().c_str());
        return 0;
    }
    if (!map(argv[1])) {
        perror(argv[1]);
        return 1;
    }
    page->doomed = program.doomed();
    snprintf(page->proof, sizeof page->proof, "%s", program.proof());
    snprintf(page->words, sizeof page->words, "%s", program.words().c_str());
    run(program);
    return 0;
}

} // namespace motion

int main(int argc, char **argv)
{
    return motion::main(argc, argv);
}
