// SPDX-License-Identifier: Apache-2.0
// Failure injection: for every function of the API, every callback, every k and every return code, the k-th
// call of the callback fails. What must hold after each call is calls.h's; after it everything is given back,
// and the library answers as before.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

extern "C" {
#include "ompd/fuzz/calls.h"
#include "ompd/fuzz/session.h"
}

namespace
{

struct Argument {
    uint8_t bytes[3];
};

/** Each register, and each control variable. */
std::vector<Argument> ArgumentsOf(unsigned function)
{
    std::vector<Argument> arguments;
    const bool icv =
        function == CALL_ompd_get_icv_from_scope || function == CALL_ompd_get_icv_string_from_scope;
    for (uint8_t i = 0; i < (icv ? 48 : REGISTERS); i++)
        arguments.push_back({{(uint8_t)(i % REGISTERS), i, (uint8_t)(i % 2 * 8)}});
    return arguments;
}

class Inject
{
  public:
    Inject(unsigned i, unsigned f, bool b) : image(i), function(f), bracket(b) {}

    /** One case; false: there was no such call of the callback. */
    bool Case(const Argument &argument, host_callback callback, uint32_t k, int code, bool sticky)
    {
        struct calls calls;
        session_begin(&calls, image, 0);
        const uint8_t none[3] = {0, 0, 0};
        if (bracket && function != CALL_ompdx_stop_begin)
            (void)call_run(&calls, CALL_ompdx_stop_begin, none);
        host.fail[callback] = {k, code, sticky, false};
        (void)call_run(&calls, function, argument.bytes);
        const bool fired = host.fail[callback].fired;
        session_end(&calls);
        return fired;
    }

    uint64_t All(host_callback callback, const std::vector<int> &codes, bool both)
    {
        uint64_t cases = 0;
        for (const Argument &argument : ArgumentsOf(function))
            for (int code : codes)
                for (bool sticky : {false, true})
                    for (uint32_t k = 1; (both || !sticky) && Case(argument, callback, k, code, sticky); k++)
                        cases++;
        return cases;
    }

  private:
    unsigned image, function;
    bool bracket;
};

unsigned ImageNamed(const char *name)
{
    for (unsigned i = 0; i < mem_file_count; i++)
        if (strcmp(mem_files[i].name, name) == 0)
            return i;
    ADD_FAILURE() << "no image " << name;
    return 0;
}

TEST(Injection, EveryFunctionEveryCallbackEveryCallEveryCode)
{
    // 14 and 15 are no codes: a callback in a scripting language that died returns anything.
    std::vector<int> codes;
    for (int code = 1; code <= 15; code++)
        codes.push_back(code);
    // The hand-made image is asked about each number, in middle-endian; so many calls that two codes must do.
    const std::vector<int> two = {ompd_rc_error, 14};
    uint64_t cases[HOST_CALLBACKS] = {}, all = 0;
    for (unsigned function = 0; function < CALL_COUNT; function++)
        for (bool bracket : {false, true}) {
            for (int callback = 0; callback < HOST_CALLBACKS; callback++) {
                std::vector<int> these = codes;
                if (callback == HOST_ALLOC)
                    these.push_back(ompd_rc_ok); // and NULL
                cases[callback] +=
                    Inject(ImageNamed("depend"), function, bracket).All((host_callback)callback, these, true);
            }
            cases[HOST_CONVERT] +=
                Inject(ImageNamed("scene_middle"), function, bracket).All(HOST_CONVERT, two, false);
            cases[HOST_READ] +=
                Inject(ImageNamed("scene_big32"), function, bracket).All(HOST_READ, codes, true);
            cases[HOST_ALLOC] +=
                Inject(ImageNamed("scene_big32"), function, bracket).All(HOST_ALLOC, codes, true);
        }
    for (int callback = 0; callback < HOST_CALLBACKS; callback++) {
        printf("%-20s %8llu cases\n", host_names[callback], (unsigned long long)cases[callback]);
        all += cases[callback];
    }
    printf("%llu cases of (function, k, code) in %u functions\n", (unsigned long long)all,
           (unsigned)CALL_COUNT);
    for (host_callback callback : {HOST_READ, HOST_ALLOC, HOST_SYMBOL, HOST_CONVERT, HOST_SIZEOF, HOST_FREE})
        EXPECT_GT(cases[callback], 0u) << host_names[callback];
    EXPECT_GT(all, 50000u);
}

// A k-th failure that the call notices is told: no function says ok when its first read or its first block
// failed.
TEST(Injection, AFailureIsTold)
{
    unsigned told = 0;
    for (unsigned function = 0; function < CALL_COUNT; function++)
        for (host_callback callback : {HOST_READ, HOST_ALLOC}) {
            struct calls calls;
            session_begin(&calls, ImageNamed("depend"), 0);
            const uint8_t argument[3] = {0, 1, 0};
            host.fail[callback] = {1, ompd_rc_error, true, false};
            const ompd_rc_t rc = call_run(&calls, function, argument);
            if (host.fail[callback].fired) {
                EXPECT_NE(rc, ompd_rc_ok) << call_name(function) << " " << host_names[callback];
                EXPECT_NE(rc, ompd_rc_unavailable) << call_name(function) << " " << host_names[callback];
                told++;
            }
            session_end(&calls);
        }
    EXPECT_GT(told, 30u); // outside a bracket few calls need a block of memory
}

} // namespace
