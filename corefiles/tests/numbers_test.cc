// SPDX-License-Identifier: Apache-2.0
// Numbers in text that others have written: right ones, and all that is none.
#include <gtest/gtest.h>

#include <string>

#include "corefiles/numbers.h"

// The number that TEXT begins with, and what is left; "none" where there is none, and then all is left.
static std::string Number(const char *text, int base)
{
    uint64_t value = 4711;
    const char *at = text;

    if (!cf_next_number(&at, base, &value))
        return at == text && value == 4711 ? "none" : "changed";
    return std::to_string(value) + "|" + at;
}

static std::string Signed(const char *text)
{
    int64_t value = 4711;
    const char *at = text;

    if (!cf_next_signed(&at, &value))
        return at == text && value == 4711 ? "none" : "changed";
    return std::to_string(value) + "|" + at;
}

TEST(Numbers, Unsigned)
{
    EXPECT_EQ(Number("12", 10), "12|");
    EXPECT_EQ(Number(" \t0012 13", 10), "12| 13");
    EXPECT_EQ(Number("12a", 10), "12|a");
    EXPECT_EQ(Number("fFg", 16), "255|g");
    EXPECT_EQ(Number("18446744073709551615", 10), "18446744073709551615|");
    EXPECT_EQ(Number("ffffffffffffffff", 16), "18446744073709551615|");
}

TEST(Numbers, WhatIsNoneIsRefused)
{
    for (const char *text : {"", " ", "x1", "-1", "+1", "18446744073709551616", "99999999999999999999999"})
        EXPECT_EQ(Number(text, 10), "none") << text;
    EXPECT_EQ(Number("10000000000000000", 16), "none");
    EXPECT_EQ(Number("g", 16), "none");
}

TEST(Numbers, Signed)
{
    EXPECT_EQ(Signed(" -1 7ffe"), "-1| 7ffe");
    EXPECT_EQ(Signed("9223372036854775807"), "9223372036854775807|");
    for (const char *text : {"", "running", "-", "- 1", "--1", "9223372036854775808", "-9223372036854775808"})
        EXPECT_EQ(Signed(text), "none") << text;
}

TEST(Numbers, EntriesOfProc)
{
    EXPECT_EQ(cf_proc_id("4711"), 4711);
    EXPECT_EQ(cf_proc_id("2147483647"), 2147483647);
    for (const char *name : {"", ".", "..", "0", "self", "12x", " 12", "-12", "2147483648", "4294967297"})
        EXPECT_EQ(cf_proc_id(name), 0) << name;
}

TEST(Numbers, Words)
{
    EXPECT_STREQ(cf_word(" a  bc\td\n", 1), "a  bc\td\n");
    EXPECT_STREQ(cf_word(" a  bc\td\n", 3), "d\n");
    EXPECT_EQ(cf_word(" a  bc\td\n", 4), nullptr);
    EXPECT_EQ(cf_word("", 1), nullptr);
}

// proc(5): 1 the process, 2 its name, 3 the state, 4 the parent.
TEST(Numbers, FieldsOfStat)
{
    const char line[] = "42 (a) R (b 7) S 4 5 6\n";

    EXPECT_STREQ(cf_stat_field(line, 3), "S 4 5 6\n");
    EXPECT_STREQ(cf_stat_field(line, 4), "4 5 6\n");
    EXPECT_EQ(cf_stat_field(line, 7), nullptr);
    EXPECT_EQ(cf_stat_field("42 a S 4", 3), nullptr);
}
