// SPDX-License-Identifier: Apache-2.0
// Where a construct is: clang's ident strings, lines of functions and of calls.
#include "inspect/frames/construct.h"

#include <gtest/gtest.h>

#include <string>

#include "inspect/target/discover.h"
#include "inspect/tests/scenario.h"

namespace
{

std::string parsed(std::string text)
{
    mdl_place p;
    places_parse_source(&text[0], &p);
    return std::string(p.function ? p.function : "-") + "|" + (p.file ? p.file : "-") + "|" +
           std::to_string(p.line);
}

TEST(Source, Parts)
{
    EXPECT_EQ(parsed(";mixed.c;main;14;3;;"), "main|mixed.c|14");
    EXPECT_EQ(parsed(";/a b/c.c;f(int);1;1;;"), "f(int)|/a b/c.c|1");
    EXPECT_EQ(parsed(";unknown;unknown;0;0;;"), "-|-|0");
    EXPECT_EQ(parsed(";x.c;unknown;7;0;;"), "-|x.c|7");
    EXPECT_EQ(parsed(";FIRModule;_QQmain;7;9;;"), "_QQmain|-|7"); // flang
}

TEST(Source, Broken)
{
    for (const char *bad : {"", ";", ";;;;", ";;", "x;a.c;f;1;1;;", ";a.c;f;1", ";a.c;f;one;1;;",
                            ";a.c;f;-1;1;;", ";a.c;f;99999999999;1;;"})
        EXPECT_EQ(parsed(bad), "-|-|0") << bad;
}

struct Construct : testing::Test {
    Scenario s{true};
    arena a = {};
    places n = {};
    void SetUp() override
    {
        s.open();
        places_init(&n, s.session, &a);
    }
    void TearDown() override { arena_free(&a); }
};

TEST_F(Construct, ACallThatReturnsToTheRuntimeHasNoPlace)
{
    mdl_place p;
    ASSERT_EQ(discover_scan(s.session), 0);
    // The address before the one that it returns to is asked for.
    s.host.places[0x5000] = {"work", "/src/runtime/core/solve.c", 7, 16};
    s.host.places[kTable + 0x900] = {"call_gomp", "/build/runtime/core/team.c", 506, 32};
    construct_call(&n, 0x5001, &p);
    EXPECT_EQ(std::string(p.function) + ":" + std::to_string(p.line), "work:7");
    construct_call(&n, kTable + 0x901, &p);
    EXPECT_EQ(p.function, nullptr);
    EXPECT_EQ(p.file, nullptr);
    construct_place(&n, 0, kTable + 0x901, 0, &p);
    EXPECT_EQ(p.file, nullptr);
    // In a program that has its runtime in itself: by the range of its code.
    ASSERT_TRUE(s.make_static());
    construct_call(&n, kTable + 0x901, &p);
    EXPECT_EQ(p.function, nullptr);
    s.host.places[kTable + 0xa00] = {"work", "/src/solve.c", 7, 16};
    construct_call(&n, kTable + 0xa01, &p);
    EXPECT_EQ(std::string(p.function) + ":" + std::to_string(p.line), "work:7");
}

TEST_F(Construct, Places)
{
    mdl_place p;
    construct_place(&n, kFunction, 0, kSource, &p);
    EXPECT_STREQ(p.function, "main");
    EXPECT_STREQ(p.file, "mixed.c"); // what the compiler wrote, before the line table's
    EXPECT_EQ(p.line, 14);
    construct_place(&n, kFunction, 0, 0, &p);
    EXPECT_STREQ(p.file, "/src/mixed.c");
    EXPECT_EQ(p.line, 15);
    // flang's string has the line, and no file.
    const char flang[] = ";FIRModule;_QQmain;9;1;;";
    s.host.put(0x990100, flang, sizeof(flang));
    construct_place(&n, kFunction, 0, 0x990100, &p);
    EXPECT_STREQ(p.file, "/src/mixed.c");
    EXPECT_EQ(p.line, 9);
    // Nor is there a line at the entry of its bodies, only a file.
    s.host.places[0x2000000] = {"work..omp_par", "/src/flang.F90", 0};
    construct_place(&n, 0x2000000, 0, 0x990100, &p);
    EXPECT_STREQ(p.file, "/src/flang.F90");
    EXPECT_EQ(p.line, 9);
    construct_place(&n, 0x2000000, 0, 0, &p);
    EXPECT_EQ(p.file, nullptr);
    construct_place(&n, kFunction + 4, 0, 0, &p);
    EXPECT_EQ(p.function, nullptr); // a stripped program's nearest symbol is no name
    construct_place(&n, 0x990000, 0x401201, 0, &p);
    EXPECT_EQ(p.function, nullptr);
    EXPECT_EQ(p.line, 20);
    construct_place(&n, 0, 0, 0x123, &p); // an unreadable string
    EXPECT_EQ(p.file, nullptr);
}

TEST_F(Construct, ManyAddresses)
{
    mdl_place p;
    for (uint64_t i = 1; i < 5000; i++) {
        s.host.places[0x1000000 + 16 * i] = {"f" + std::to_string(i), "", 0, 1};
        construct_place(&n, 0x1000000 + 16 * i, 0, 0, &p);
    }
    for (uint64_t i = 1; i < 5000; i += 7) {
        construct_place(&n, 0x1000000 + 16 * i, 0, 0, &p);
        ASSERT_EQ(p.function, "f" + std::to_string(i));
    }
}

} // namespace
