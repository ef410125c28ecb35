// SPDX-License-Identifier: Apache-2.0
// The constants of a program are found in what is mapped of it, and nothing else is; also in one that
// AddressSanitizer has put red zones into (./dev sanitize asan).
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

extern "C" {
#include "command/bugreport/own_text.h"
}

namespace
{
// Constants of this program, which are in no code: a reader of the file finds them as they are.
const char *const volatile kWhole = "a constant of this very program";
const char *const volatile kPattern = "%d of %s are in the pattern of this program";

class OwnText : public testing::Test
{
  protected:
    void SetUp() override { ASSERT_TRUE(own_text_load(&own_, nullptr)); }
    void TearDown() override { own_text_free(&own_); }
    std::string Of(const std::string &sentence)
    {
        char *text = own_text_of(&own_, sentence.c_str());
        std::string ret = text ? text : "none";

        free(text);
        return ret;
    }
    own_text own_;
};

TEST_F(OwnText, HasWholeConstants)
{
    std::string whole = kWhole;

    EXPECT_TRUE(own_text_has(&own_, whole.c_str()));
    EXPECT_TRUE(own_text_has(&own_, whole.substr(2).c_str())); // a linker may have put it there
    whole.back() = 'k';
    EXPECT_FALSE(own_text_has(&own_, whole.c_str()));
    whole.pop_back();
    EXPECT_FALSE(own_text_has(&own_, whole.c_str()));
    EXPECT_FALSE(own_text_has(&own_, ""));
}

TEST_F(OwnText, TellsThePatternOfASentence)
{
    std::string pattern = kPattern; // "%d of %s"

    EXPECT_EQ(Of("17 of them" + pattern.substr(8)), "… of …" + pattern.substr(8));
    EXPECT_EQ(Of("17 of them" + pattern.substr(9)), "none");
}
} // namespace
