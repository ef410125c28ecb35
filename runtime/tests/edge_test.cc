// SPDX-License-Identifier: Apache-2.0
// Runs every case of edge_cases.c with several team sizes. What waits for ever is ended by an alarm.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "cases.h"

TEST(Edge, Cases)
{
    for (int i = 0; i < edge_case_count; i++) {
        for (int threads : {1, 2, 4, 9}) {
            SCOPED_TRACE(std::string(edge_cases[i].name) + " with " + std::to_string(threads) + " threads");
            fprintf(stderr, "%s with %d threads\n", edge_cases[i].name, threads);
            alarm(60);
            int line = edge_cases[i].run(threads);
            EXPECT_EQ(line, 0) << "the check in line " << line << " of edge_cases.c does not hold";
        }
    }
    alarm(0);
}
