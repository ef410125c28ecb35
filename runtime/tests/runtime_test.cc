// SPDX-License-Identifier: Apache-2.0
// Runs every case of cases.c with several team sizes, more threads than processors among them.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "cases.h"

class Case : public testing::TestWithParam<std::tuple<int, int>>
{
};

TEST_P(Case, Holds)
{
    const omp_case &which = omp_cases[std::get<0>(GetParam())];
    int line = which.run(std::get<1>(GetParam()));
    EXPECT_EQ(line, 0) << which.name << ": the check in line " << line << " of cases.c does not hold";
}

static std::string name(const testing::TestParamInfo<std::tuple<int, int>> &info)
{
    return std::string(omp_cases[std::get<0>(info.param)].name) + "_" +
           std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Runtime, Case,
                         testing::Combine(testing::Range(0, omp_case_count), testing::Values(1, 2, 4, 9)),
                         name);
