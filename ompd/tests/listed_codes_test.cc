// SPDX-License-Identifier: Apache-2.0
// Every code that omp-tools.h lists for a routine is returned in some situation made here, and no other code
// in any of them, in each version of the API; and on each code but ok and incomplete the outputs keep what
// they held. The list comes from the header's comments (listed_codes.py).
#include <map>
#include <set>
#include <string>

#include "ompd/tests/listed_codes.h"

namespace
{

using Codes = std::set<ompd_rc_t>;

const Codes &Listed(const std::string &function)
{
    static const std::map<std::string, Codes> all = [] {
        const std::pair<const char *, ompd_rc_t> rows[] = {
#include "ompd/tests/listed_codes.inc"
        };
        std::map<std::string, Codes> map;
        for (auto &[name, code] : rows)
            map[name].insert(code);
        return map;
    }();
    return all.at(function);
}

// What a caller of VERSION gets for CODE.
ompd_rc_t Known(ompd_word_t version, ompd_rc_t code)
{
    if (code == ompd_rc_incomplete && version < 202011)
        return ompd_rc_ok;
    if (code == ompd_rc_callback_error && version < 202011)
        return ompd_rc_error;
    if (code == ompd_rc_incompatible_handle && version < 202411)
        return ompd_rc_stale_handle;
    return code;
}

class ListedCodes : public testing::TestWithParam<ompd_word_t>
{
  protected:
    std::map<std::string, Codes> seen;
    uint64_t calls = 0;

    // One call. On ok and incomplete the outputs are given back; on any code but ok and incomplete they are as before.
    ompd_rc_t Ask(const Subject &subject, World &world, void *handle, int null = -1)
    {
        Outputs out, before;
        memset((void *)&out, 0x5a, sizeof out);
        memset((void *)&before, 0x5a, sizeof before);
        ompd_rc_t rc = subject.call(world, handle, out, null);
        calls++;
        seen[subject.name].insert(rc);
        EXPECT_EQ(Listed(subject.name).count(rc), 1u) << subject.name << " returned " << rc;
        if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
            subject.give_back(out);
        if (rc == ompd_rc_ok) {
            if (strncmp(subject.name, "ompd_rel_", 9) == 0)
                world.Released(subject.sort);
        } else if (rc != ompd_rc_incomplete) {
            EXPECT_EQ(memcmp((void *)&out, (void *)&before, sizeof out), 0) << subject.name << " " << rc;
        }
        return rc;
    }
    // The same in a world of its own.
    void Expect(const Subject &subject, ompd_rc_t code, const std::function<void(World &)> &prepare,
                int null = -1)
    {
        World world(GetParam());
        prepare(world);
        EXPECT_EQ(Ask(subject, world, world.Handle(subject.sort), null), Known(GetParam(), code))
            << subject.name << " in " << GetParam();
    }

    void Arguments(const Subject &subject)
    {
        Expect(subject, subject.best, [](World &) {});
        for (int k = 0; k < subject.pointers; k++)
            Expect(
                subject, ompd_rc_bad_input, [](World &) {}, k);
        for (const Special &special : subject.specials)
            Expect(subject, special.code, special.prepare);
        World world(GetParam());
        (void)ompd_finalize();
        EXPECT_EQ(Ask(subject, world, world.Handle(subject.sort)), ompd_rc_callback_error) << subject.name;
    }

    static void Release(World &world, Sort sort)
    {
        ompd_rc_t rc = sort == kThread   ? ompd_rel_thread_handle(world.thread)
                       : sort == kRegion ? ompd_rel_parallel_handle(world.region)
                                         : ompd_rel_task_handle(world.task);
        EXPECT_EQ(rc, ompd_rc_ok);
        world.Released(sort);
    }

    void Handles(const Subject &subject)
    {
        const bool releases = strncmp(subject.name, "ompd_rel_", 9) == 0;
        const bool icv = strncmp(subject.name, "ompd_get_icv", 12) == 0;
        const ompd_rc_t stale = ompd_rc_stale_handle;
        const ompd_rc_t wrong = Known(GetParam(), icv ? ompd_rc_incompatible : ompd_rc_incompatible_handle);
        {
            World world(GetParam());
            uint64_t garbage[16] = {1, 2, 3};
            EXPECT_EQ(Ask(subject, world, nullptr), stale) << subject.name;
            EXPECT_EQ(Ask(subject, world, garbage), stale) << subject.name;
            for (int other = kSpace; other <= kTask; other++)
                if (other != subject.sort) {
                    EXPECT_EQ(Ask(subject, world, world.Handle((Sort)other)), wrong) << subject.name << other;
                }
            (void)ompd_finalize();
            EXPECT_EQ(ompd_initialize(GetParam(), Tool::Callbacks()), ompd_rc_ok);
            EXPECT_EQ(Ask(subject, world, world.Handle(subject.sort)), stale) << subject.name;
        }
        if (subject.sort != kSpace) {
            World world(GetParam());
            EXPECT_EQ(ompd_rel_address_space_handle(world.space), ompd_rc_ok);
            world.space = nullptr; // its memory goes with the last handle below it
            EXPECT_EQ(Ask(subject, world, world.Handle(subject.sort)), releases ? ompd_rc_ok : stale)
                << subject.name;
            for (Sort sort : {kThread, kRegion, kTask})
                if (world.Handle(sort) != nullptr)
                    Release(world, sort);
        }
        if (subject.sort > kSpace) // looks at the target or not: the two kinds differ here
            Expect(subject, subject.reads ? stale : ompd_rc_ok, [&](World &w) { w.End(subject.sort); });
    }

    // From the K-th read on all fail, for each K. What could not be read may be left out of no answer.
    void Reads(const Subject &subject)
    {
        const std::map<int, ompd_rc_t> codes = {
            {ompd_rc_error, ompd_rc_error},
            {ompd_rc_device_read_error, ompd_rc_device_read_error},
            {ompd_rc_stale_handle, ompd_rc_stale_handle},
            {ompd_rc_nomem, ompd_rc_nomem},
            {ompd_rc_unavailable, ompd_rc_callback_error},
            {ompd_rc_bad_input, ompd_rc_callback_error},
            {ompd_rc_unsupported, ompd_rc_callback_error},
            {ompd_rc_incomplete, ompd_rc_callback_error},
            {ompd_rc_incompatible, ompd_rc_callback_error},
            {15, ompd_rc_callback_error},
        };
        for (auto [code, answer] : codes)
            for (uint64_t k = 1;; k++) {
                World world(GetParam());
                world.tool.fail_read = {k, (ompd_rc_t)code, true};
                ompd_rc_t rc = Ask(subject, world, world.Handle(subject.sort));
                if (world.tool.reads < k) {
                    EXPECT_EQ(k == 1, !subject.reads) << subject.name;
                    break;
                }
                EXPECT_NE(rc, ompd_rc_ok) << subject.name << " " << k;
                EXPECT_NE(rc, ompd_rc_unavailable) << subject.name << " " << k;
                if (k == 1) {
                    EXPECT_EQ(rc, Known(GetParam(), answer)) << subject.name << " " << code;
                }
            }
    }

    void Allocations(const Subject &subject)
    {
        for (uint64_t k = 1;; k++) {
            World world(GetParam());
            world.tool.fail_alloc = {k, ompd_rc_error, true};
            ompd_rc_t rc = Ask(subject, world, world.Handle(subject.sort));
            if (world.tool.allocs < k)
                break;
            EXPECT_EQ(rc, ompd_rc_nomem) << subject.name << " " << k;
        }
    }
};

// These need no process, and no generic treatment fits them.
void Library(ompd_word_t version, std::map<std::string, Codes> *seen)
{
    Tool tool;
    const char *text = nullptr;
    ompd_word_t number = 0;
    ompd_callbacks_t none = {};
    auto note = [seen](const char *name, ompd_rc_t rc, ompd_rc_t expected) {
        EXPECT_EQ(rc, expected) << name;
        (*seen)[name].insert(rc);
    };
    note("ompd_finalize", ompd_finalize(), ompd_rc_unsupported);
    note("ompd_initialize", ompd_initialize(version, nullptr), ompd_rc_bad_input);
    note("ompd_initialize", ompd_initialize(version, &none), ompd_rc_bad_input);
    note("ompd_initialize", ompd_initialize(version + 1, Tool::Callbacks()), ompd_rc_unsupported);
    note("ompd_get_api_version", ompd_get_api_version(&number), ompd_rc_ok);
    note("ompd_get_api_version", ompd_get_api_version(nullptr), ompd_rc_bad_input);
    note("ompd_get_version_string", ompd_get_version_string(&text), ompd_rc_ok);
    note("ompd_get_version_string", ompd_get_version_string(nullptr), ompd_rc_bad_input);
    const char *const *vars = nullptr;
    note("ompd_rel_display_control_vars", ompd_rel_display_control_vars(&vars), ompd_rc_callback_error);
    note("ompd_initialize", ompd_initialize(version, Tool::Callbacks()), ompd_rc_ok);
    note("ompd_initialize", ompd_initialize(version, Tool::Callbacks()), ompd_rc_error);
    note("ompd_rel_display_control_vars", ompd_rel_display_control_vars(nullptr), ompd_rc_bad_input);
    note("ompd_rel_display_control_vars", ompd_rel_display_control_vars(&vars), ompd_rc_bad_input);
    Scene scene;
    ompd_address_space_handle_t *space;
    EXPECT_EQ(ompd_process_initialize(Context(&scene.image), &space), ompd_rc_ok);
    EXPECT_EQ(ompd_get_display_control_vars(space, &vars), ompd_rc_ok);
    note("ompd_rel_display_control_vars", ompd_rel_display_control_vars(&vars), ompd_rc_ok);
    EXPECT_EQ(vars, nullptr);
    EXPECT_EQ(ompd_rel_address_space_handle(space), ompd_rc_ok);
    note("ompd_finalize", ompd_finalize(), ompd_rc_ok);
    EXPECT_EQ(tool.live, 0);
}

TEST_P(ListedCodes, EachIsReturnedAndNoOther)
{
    Library(GetParam(), &seen);
    for (const Subject &subject : Subjects()) {
        Arguments(subject);
        if (subject.sort != kNone)
            Handles(subject);
        Reads(subject);
        Allocations(subject);
    }
    size_t pairs = 0;
    EXPECT_EQ(seen.size(), 37u);
    for (auto &[name, codes] : seen) {
        Codes expected;
        for (ompd_rc_t code : Listed(name)) // before ompd_initialize there is no version: callback_error
            expected.insert(code == ompd_rc_callback_error ? code : Known(GetParam(), code));
        EXPECT_EQ(codes, expected) << name;
        pairs += codes.size();
    }
    printf("%zu codes of 37 routines, %llu calls\n", pairs, (unsigned long long)calls);
}

INSTANTIATE_TEST_SUITE_P(Versions, ListedCodes, testing::Values(201811, 202011, 202111, 202411));

} // namespace
