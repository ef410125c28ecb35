/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The error directive with severity fatal ends the program (OpenMP 5.2, 8.5), as its parent sees.
 */
#include <sys/wait.h>
#include "check.h"

CASE("fatal: the code after it is not reached, the status is a failure, the message is on a standard stream")
{
    int out[2];
    CHECK(pipe(out) == 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 1; i < 32; i++)
            signal(i, SIG_DFL);
        dup2(out[1], 1);
        dup2(out[1], 2);
        close(out[0]);
#pragma omp error at(execution) severity(fatal) message("the end of it")
        if (write(1, "reached", 7) < 0)
            _exit(0);
        _exit(0);
    }
    close(out[1]);
    char text[4000];
    size_t length = 0;
    ssize_t got;
    while (length < sizeof text - 1 && (got = read(out[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(!(WIFEXITED(status) && WEXITSTATUS(status) == 0));
    CHECK(strstr(text, "the end of it") != NULL);
    CHECK(strstr(text, "reached") == NULL);
}
