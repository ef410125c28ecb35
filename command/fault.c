/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work that cannot go on. SIGBUS: a file that is read by way of a mapping has become shorter meanwhile, or
 * its disk fails. A handler says which file, and what is still held is let go with the process.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

/* Of a line of /proc/self/maps, proc(5): "START-END rwxp OFFSET MAJ:MIN INODE   PATH". */
struct line {
    uint64_t start, end;
    size_t length;
    char text[4352]; /* PATH_MAX, and what is before it */
};

static uint64_t hexadecimal(const char **at)
{
    uint64_t value = 0;

    for (;; ++*at) {
        const char c = **at;

        if (c >= '0' && c <= '9')
            value = value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | (uint64_t)(c - 'a' + 10);
        else
            return value;
    }
}

static bool holds(const struct line *line, uint64_t address)
{
    const char *at = line->text;
    const uint64_t start = hexadecimal(&at);

    return *at++ == '-' && start <= address && address < hexadecimal(&at);
}

/* Without what a handler must not call. False: ADDRESS is in no file. */
static bool find_line(uint64_t address, struct line *line)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    bool found = false;
    char bytes[4096];
    ssize_t n;

    line->length = 0;
    while (fd >= 0 && !found && (n = read(fd, bytes, sizeof(bytes))) > 0)
        for (ssize_t i = 0; i < n && !found; i++) {
            if (bytes[i] != '\n') {
                if (line->length < sizeof(line->text) - 1)
                    line->text[line->length++] = bytes[i];
                continue;
            }
            line->text[line->length] = '\0';
            found = holds(line, address);
            line->length = found ? line->length : 0;
        }
    if (fd >= 0)
        close(fd);
    return found && strchr(line->text, '/');
}

/* Names are a stranger's. */
static void add(char *line, size_t *n, size_t room, const char *text)
{
    for (; *text && *n < room - 1; text++)
        line[(*n)++] = *text >= 32 && *text < 127 ? *text : '?';
    line[*n] = '\0';
}

void cmd_give_up(const char *line)
{
    const size_t n = strlen(line);

    cmd_leave_nothing();
    cmd_progress_end();
    _exit(write(STDERR_FILENO, line, n) == (ssize_t)n ? CMD_NOTHING : CMD_NOTHING);
}

static void fault(int sig, siginfo_t *info, void *context)
{
    static struct line line;
    static char said[4608] = "ompd: ";
    const size_t room = sizeof(said) - 1;
    size_t n = strlen(said);

    (void)context;
    if (!find_line((uint64_t)(uintptr_t)info->si_addr, &line)) {
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    add(said, &n, room, strchr(line.text, '/'));
    add(said, &n, room,
        " cannot be read any more: it has become shorter while it was read, or its disk fails. Try again "
        "when "
        "nobody writes it.");
    said[n] = '\n';
    cmd_give_up(said);
}

void cmd_catch_faults(void)
{
    static char stack[64 << 10];
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof(stack)};
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    sigemptyset(&action.sa_mask);
    sigaltstack(&own, NULL);
    sigaction(SIGBUS, &action, NULL);
}
