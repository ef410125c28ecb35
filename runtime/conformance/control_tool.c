/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * omp_control_tool without a tool (OpenMP 5.2, 18.14).
 */
#include "check.h"

CASE("no tool: every command says so")
{
    CHECK(omp_control_tool(omp_control_tool_start, 0, NULL) == omp_control_tool_notool);
    CHECK(omp_control_tool(omp_control_tool_pause, 1, NULL) == omp_control_tool_notool);
    CHECK(omp_control_tool(omp_control_tool_flush, 0, NULL) == omp_control_tool_notool);
    CHECK(omp_control_tool(omp_control_tool_end, 0, NULL) == omp_control_tool_notool);
    CHECK(omp_control_tool(100, 5, NULL) == omp_control_tool_notool);
}

CASE("in a parallel region and in a task")
{
#pragma omp parallel num_threads(3)
    {
        CHECK(omp_control_tool(omp_control_tool_flush, 0, NULL) == omp_control_tool_notool);
#pragma omp task
        CHECK(omp_control_tool(omp_control_tool_flush, 0, NULL) == omp_control_tool_notool);
    }
}
