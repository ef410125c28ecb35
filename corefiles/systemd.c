/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Cores that systemd-coredump keeps: its own command hands them out.
 */
#include "corefiles/systemd.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "corefiles/temporary.h"
#include "corefiles/strings.h"

extern char **environ;

int cf_coredumpctl(const char *pid, char **error)
{
    char *argv[] = {"coredumpctl", "dump", "--no-pager", "--quiet", (char *)pid, NULL};
    posix_spawn_file_actions_t actions;
    int fd, rc, status = -1;
    pid_t child;

    if (!*pid || strspn(pid, "0123456789") != strlen(pid) || strlen(pid) > 10) {
        *error = cf_format("coredumpctl:%s names no process: a number must follow.", pid);
        return -1;
    }
    fd = cf_temporary(error);
    if (fd < 0)
        return -1;
    /* It writes the core to its standard output when that is no terminal. */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
    rc = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!rc && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (rc == ENOENT)
        *error = cf_format("There is no coredumpctl here (systemd-coredump): name a core file instead.");
    else if (rc || !WIFEXITED(status) || WEXITSTATUS(status))
        *error = cf_format("coredumpctl has no core of process %s.", pid);
    if (*error) {
        close(fd);
        return -1;
    }
    return fd;
}
