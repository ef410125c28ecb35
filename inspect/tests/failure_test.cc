// SPDX-License-Identifier: Apache-2.0
// Nothing that fails, at whatever call, may crash, leak a handle or leave a bracket open; what is missing is
// said.
#include <gtest/gtest.h>
#include <jansson.h>

#include "inspect/tests/scenario.h"

namespace
{

json_t *report(Scenario *s, std::string *text)
{
    *text = s->render(INSP_VIEW_REPORT, INSP_JSON);
    return json_loads(text->c_str(), 0, nullptr);
}

bool mentions(const json_t *root, const char *words)
{
    size_t i;
    json_t *p;
    json_array_foreach(json_object_get(root, "problems"), i, p)
    {
        if (strstr(json_string_value(json_object_get(p, "what")), words))
            return true;
    }
    return false;
}

class Failure : public testing::TestWithParam<bool>
{
};

void fail_each(bool extensions, FakeHost::Function function, int code)
{
    for (int k = 1; k < 500; k++) {
        Scenario s(extensions);
        std::string text;
        s.host.fail_function = function;
        s.host.fail_at = k;
        s.host.fail_code = code;
        json_t *root = report(&s, &text);
        int asked = s.host.calls[function];

        if (function == FakeHost::kProgress && asked >= k) {
            EXPECT_EQ(text, "error: Cancelled.") << k;
        } else {
            ASSERT_TRUE(root) << k << text;
            if (code == INSP_HOST_FAILED && asked >= k) {
                EXPECT_EQ(asked, k) << "asked again after the host had failed";
                EXPECT_TRUE(mentions(root, "the debugger failed: it could not")) << k << text;
                EXPECT_FALSE(json_is_true(json_object_get(root, "complete")));
            }
            for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STATUS; view++) {
                // The same failure again, on the way to a text.
                Scenario again(extensions);
                again.host.fail_function = function;
                again.host.fail_at = k;
                again.host.fail_code = code;
                again.want = view == INSP_VIEW_THREADS ? INSP_THREADS : INSP_ALL;
                EXPECT_NE(again.render(view, INSP_TEXT, 80), "") << k;
                EXPECT_EQ(again.model->in_bracket, 0) << k;
            }
        }
        json_decref(root);
        EXPECT_EQ(s.model->in_bracket, 0) << k;
        s.close();
        EXPECT_EQ(s.model->live_handles, 0) << k;
        if (asked < k)
            return; // it no longer gets as far
    }
    FAIL() << "no end";
}

TEST_P(Failure, EachHostCall)
{
    for (int f = 0; f < FakeHost::kFunctions; f++)
        for (int code : {-1, INSP_HOST_FAILED}) {
            SCOPED_TRACE(testing::Message() << "function " << f << " code " << code);
            fail_each(GetParam(), static_cast<FakeHost::Function>(f), code);
        }
}

TEST_P(Failure, EachCallOfTheLibrary)
{
    for (ompd_rc_t rc : {ompd_rc_error, ompd_rc_unavailable, ompd_rc_stale_handle, ompd_rc_nomem}) {
        bool done = false;
        for (int k = 1; !done && k < 5000; k++) {
            Scenario s(GetParam());
            std::string text;
            s.model->fail_at = k;
            s.model->fail_rc = rc;
            json_t *root = report(&s, &text);
            ASSERT_TRUE(root) << k << text;
            json_decref(root);
            done = s.model->calls < k;
            EXPECT_EQ(s.model->in_bracket, 0) << k;
            s.close();
            EXPECT_EQ(s.model->live_handles, 0) << k;
        }
        EXPECT_TRUE(done);
    }
}

TEST_P(Failure, SecondTakeIsWholeAgain)
{
    Scenario s(GetParam());
    s.host.fail_function = FakeHost::kRead;
    s.host.fail_at = 3;
    s.host.fail_code = INSP_HOST_FAILED;
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("The debugger failed"), std::string::npos);
    std::string again = s.render(INSP_VIEW_THREADS);
    EXPECT_EQ(again.find("failed"), std::string::npos) << again;
    EXPECT_NE(again.find("lock_a"), std::string::npos) << again;
}

TEST_P(Failure, Cancel)
{
    Scenario s(GetParam());
    s.host.cancel = true;
    EXPECT_EQ(s.render(INSP_VIEW_REPORT), "error: Cancelled.");
    s.host.cancel = false;
    EXPECT_NE(s.render(INSP_VIEW_REPORT).find("Threads"), std::string::npos);
}

TEST(Broken, SelfParentsEnd)
{
    for (bool extensions : {true, false}) {
        Scenario s(extensions);
        s.model->regions[1].info.parent = 3;
        s.model->tasks[1].info.generator = 12;
        s.model->tasks[5].info.generator = 20; // two that generate each other
        s.model->tasks[6].info.scheduled_over = 20;
        for (int view : {INSP_VIEW_PARALLEL, INSP_VIEW_TASKS, INSP_VIEW_REPORT}) {
            std::string text = s.render(view, INSP_TEXT, 80);
            EXPECT_EQ(text.find("error"), std::string::npos) << text;
        }
        EXPECT_NE(s.render(INSP_VIEW_TASKS).find("explicit"), std::string::npos);
    }
}

TEST(Broken, ImpossibleTeam)
{
    for (bool extensions : {true, false}) {
        Scenario s(extensions);
        s.model->regions[1].info.team_size = 0x7fffffff;
        s.model->threads[2].team_size = 0x7fffffff;
        std::string text, json;
        text = s.render(INSP_VIEW_REPORT, INSP_TEXT, 80);
        EXPECT_EQ(text.find("error"), std::string::npos) << text;
        json_t *root = report(&s, &json);
        ASSERT_TRUE(root);
        json_decref(root);
    }
}

TEST(Broken, MoreArrivalsThanMembers)
{
    Scenario s(true);
    s.model->regions[1].arrival_count = 200;
    EXPECT_NE(s.render(INSP_VIEW_THREADS).find("explicit barrier of region 3        "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Libraries, Failure, testing::Bool());

} // namespace
