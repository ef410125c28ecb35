// SPDX-License-Identifier: Apache-2.0
// JSON as inspect/base reads it: what is right, what is wrong and where, by RFC 8259. The same beside jansson
// is a fuzzer's matter (inspect/fuzz/fuzz_doc.c).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "inspect/base/doc.h"

namespace
{

class Doc : public testing::Test
{
  protected:
    void TearDown() override { arena_free(&arena_); }

    // Of just its size, so that a sanitizer sees what is read behind it.
    const struct doc *Read(const std::string &text, const char *const *passed = nullptr)
    {
        text_.assign(text.begin(), text.end());
        text_.shrink_to_fit();
        pull_start(&pull_, text_.data(), text_.size());
        return doc_read(&arena_, &pull_, passed);
    }

    std::string Text(const std::string &text)
    {
        const char *found = doc_text(doc_row(Read("[" + text + "]"), 0));
        return found ? found : "(none)";
    }

    struct arena arena_ = {};
    struct pull pull_;
    std::vector<char> text_;
};

TEST_F(Doc, Values)
{
    const struct doc *d = Read(" {\"a\" : [1, -2,3.5e+1,\ttrue,false,null,\"t\",[],{}]\r\n} rest");
    const struct doc *a = doc_get(d, "a");

    ASSERT_TRUE(d);
    EXPECT_EQ(std::string(pull_.at, pull_.end), " rest");
    EXPECT_FALSE(pull_done(&pull_));
    ASSERT_EQ(doc_rows(a), 9u);
    EXPECT_EQ(doc_integer(doc_row(a, 0)), 1);
    EXPECT_EQ(doc_integer(doc_row(a, 1)), -2);
    EXPECT_TRUE(doc_is(doc_row(a, 2), PULL_REAL));
    EXPECT_EQ(doc_integer(doc_row(a, 2)), 0);
    EXPECT_TRUE(doc_is(doc_row(a, 3), PULL_TRUE));
    EXPECT_TRUE(doc_is(doc_row(a, 4), PULL_FALSE));
    EXPECT_TRUE(doc_is(doc_row(a, 5), PULL_NULL));
    EXPECT_STREQ(doc_text(doc_row(a, 6)), "t");
    EXPECT_EQ(doc_rows(doc_row(a, 7)), 0u);
    EXPECT_EQ(doc_members(doc_row(a, 8)), 0u);
    EXPECT_EQ(doc_row(a, 9), nullptr);
    EXPECT_EQ(doc_member(a, 0), nullptr);
    EXPECT_EQ(doc_get(a, "a"), nullptr);
    EXPECT_EQ(doc_get(nullptr, "a"), nullptr);
    EXPECT_EQ(doc_text(nullptr), nullptr);
    EXPECT_EQ(doc_rows(nullptr), 0u);
}

TEST_F(Doc, TheLastOfSeveralCounts)
{
    const struct doc *d = Read("{\"a\": 1, \"b\": 2, \"\\u0061\": 3}");

    EXPECT_EQ(doc_integer(doc_get(d, "a")), 3);
    EXPECT_EQ(doc_integer(doc_get(d, "b")), 2);
}

TEST_F(Doc, Texts)
{
    EXPECT_EQ(Text(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(Text(R"("\u0041\u00e9\u20AC\uD83D\uDE00\uffff")"), "A\u00e9\u20ac\U0001f600\uffff");
    EXPECT_EQ(Text("\"\u00e9\u20ac\U0001f600\x7f\""), "\u00e9\u20ac\U0001f600\x7f");
    for (const char *bad : {"\"\\u0000\"",
                            "\"\\ud800\"",
                            "\"\\ud800x\"",
                            "\"\\ud800\\u0041\"",
                            "\"\\udc00\"",
                            "\"\\u12g4\"",
                            "\"\\u123\"",
                            "\"\\x\"",
                            "\"\\",
                            "\"\n\"",
                            "\"\x1f\"",
                            "\"\xc0\x80\"",
                            "\"\xed\xa0\x80\"",
                            "\"\xf4\x90\x80\x80\"",
                            "\"\xe2\x82\"",
                            "\"\x80\"",
                            "\"\xf0\x9f",
                            "\"\xc3",
                            "\"",
                            "'a'"})
        EXPECT_EQ(Text(bad), "(none)") << bad;
}

TEST_F(Doc, Integers)
{
    for (const char *good : {"9223372036854775807", "-9223372036854775808", "0", "-1"})
        EXPECT_EQ(std::to_string(doc_integer(doc_row(Read(std::string("[") + good + "]"), 0))), good);
    for (const char *bad :
         {"9223372036854775808", "-9223372036854775809", "18446744073709551616", "99999999999999999999999999",
          "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "-Infinity", "1_0"})
        EXPECT_FALSE(Read(std::string("[") + bad + "]")) << bad;
}

TEST_F(Doc, WhatIsNoJson)
{
    for (const char *bad : {"",
                            " ",
                            "1",
                            "\"a\"",
                            "null",
                            "nul",
                            "[",
                            "{",
                            "]",
                            "}",
                            "[1",
                            "[1,",
                            "[,1]",
                            "[1,]",
                            "[1 2]",
                            "[1}",
                            "{]",
                            "{\"a\"}",
                            "{\"a\":}",
                            "{\"a\" 1}",
                            "{\"a\":1,}",
                            "{,}",
                            "{a:1}",
                            "{1:1}",
                            "{\"a\":1 \"b\":2}",
                            "[tru]",
                            "[truex]",
                            "[nulll]",
                            "[True]",

                            "\xef\xbb\xbf[]",
                            "[\f]",
                            "[/**/]",
                            "//\n[]",
                            "[[]"})
        EXPECT_TRUE(!Read(bad) && pull_.why) << bad;
    EXPECT_FALSE(Read(std::string("[\0]", 3)));
    EXPECT_FALSE(Read(std::string("[\"a\0b\"]", 7)));
}

TEST_F(Doc, WhereItIsWrong)
{
    EXPECT_FALSE(Read("{\n\"a\": 1,\n\n\"b\": x}"));
    EXPECT_EQ(pull_line(&pull_), 4);
    EXPECT_STREQ(pull_.why, "a value is missing");
    EXPECT_FALSE(Read("[\n1\n"));
    EXPECT_EQ(pull_line(&pull_), 3);
    EXPECT_STREQ(pull_.why, "it has no end");
    EXPECT_FALSE(Read("\n \n"));
    EXPECT_STREQ(pull_.why, "there is nothing");
    EXPECT_FALSE(Read("[\n1\n"));
    // Once it is wrong, it stays so.
    EXPECT_EQ(pull_next(&pull_), PULL_WRONG);
    EXPECT_EQ(pull_next(&pull_), PULL_WRONG);
}

TEST_F(Doc, WhatIsPassedOverIsCheckedAndNotKept)
{
    static const char *const passed[] = {"edges", "more", nullptr};
    const struct doc *d =
        Read("{\"edges\": [{\"edges\": 1}], \"a\": {\"edges\": 2}, \"e\\u0064ges\": 1}", passed);

    EXPECT_EQ(doc_members(d), 1u);
    EXPECT_EQ(doc_integer(doc_get(doc_get(d, "a"), "edges")), 2);
    for (const char *bad : {"[}", "[1,]", "\"\\ud800\"", "01", "[[[", "99999999999999999999", ""})
        EXPECT_FALSE(Read(std::string("{\"edges\": ") + bad + "}", passed)) << bad;
}

TEST_F(Doc, Depth)
{
    const std::string open(PULL_DEPTH, '['), close(PULL_DEPTH, ']');

    EXPECT_TRUE(Read(open + "1" + close));
    EXPECT_FALSE(Read("[" + open + "1" + close + "]"));
    EXPECT_STREQ(pull_.why, "there are too many lists in lists");
    EXPECT_FALSE(Read(std::string(1 << 20, '[')));
    std::string mixed, end;
    for (int i = 0; i < PULL_DEPTH / 2; i++) {
        mixed += "[{\"a\":";
        end = "}]" + end;
    }
    EXPECT_TRUE(Read(mixed + "1" + end));
    EXPECT_FALSE(Read(mixed + "1]" + end));
}

TEST_F(Doc, TooManyValues)
{
    std::string text = "{\"a\": [0";
    for (int i = 0; i < DOC_VALUES; i++)
        text += ",0";
    EXPECT_FALSE(Read(text + "]}"));
    EXPECT_STREQ(pull_.why, "there are too many values");
    EXPECT_FALSE(arena_.oom);
    static const char *const passed[] = {"a", nullptr};
    EXPECT_TRUE(Read(text + "]}", passed));
}

TEST_F(Doc, SeveralBehindEachOther)
{
    const std::string text = "[1]{} \n[2] ";
    pull_start(&pull_, text.data(), text.size());
    int count = 0;
    do {
        pull_again(&pull_);
        EXPECT_TRUE(doc_read(&arena_, &pull_, nullptr));
        count++;
    } while (!pull_done(&pull_));
    EXPECT_EQ(count, 3);
    EXPECT_EQ(pull_next(&pull_), PULL_END);
}

} // namespace
