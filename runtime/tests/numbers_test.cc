// SPDX-License-Identifier: Apache-2.0
// Runs every case of numbers_cases.c in a process of its own: the numbers of threads are the process's.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

TEST(Numbers, Cases)
{
    for (int i = 0; i < numbers_case_count; i++) {
        SCOPED_TRACE(numbers_cases[i].name);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(100);
            const int line = numbers_cases[i].run(4);
            if (line != 0)
                fprintf(stderr, "%s: the check in line %d of numbers_cases.c does not hold\n",
                        numbers_cases[i].name, line);
            _exit(line != 0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
        EXPECT_EQ(WEXITSTATUS(status), 0);
    }
}
