// SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A process in one known state, told twice: to the fake host and to the fake OMPD library.
 *
 * Region 1 (initial, one thread) holds region 3: parallel at mixed.c:14, four threads, of which 0 and 1 wait
 * for locks crosswise, 2 waits at a barrier that 0, 1 and 3 have not reached, and 3 is in region 5, alone and
 * working, in the explicit task 20. Task 21 is ready, 22 waits for 21. A fifth thread is none of OpenMP.
 */
#ifndef INSPECT_TESTS_SCENARIO_H
#define INSPECT_TESTS_SCENARIO_H

#include <memory>
#include <string>

#include "inspect/tests/fake_host.h"
#include "inspect/tests/fake_ompd.h"

constexpr uint64_t kBase = 0x7f0000000000, kTable = kBase + 0x20000;
constexpr uint64_t kFunction = 0x401000, kLockA = 0x404010, kLockB = 0x404018, kSource = 0x402000;

struct Scenario {
    FakeHost host;
    std::unique_ptr<fake_model> model;
    insp_session *session = nullptr;

    explicit Scenario(bool extensions);
    ~Scenario();
    Scenario(const Scenario &) = delete;
    Scenario &operator=(const Scenario &) = delete;

    void fill();
    void open();
    void close();
    // After open: the runtime is one in a static program, with code from 0x900 to 0x980 bytes behind its
    // table. False: that program is not found.
    bool make_static();
    // The library answers from this scenario from now on (it is one library for all).
    void speak();
    // Takes a snapshot and renders it; an error sentence comes back as "error: ...".
    std::string render(int view, int format = INSP_TEXT, int width = 0, const char *filter = nullptr,
                       const char *scope = nullptr);

    std::string library;
    void *dl = nullptr;
    int colour = 0, stats = 0, addresses = 0;
    unsigned want = INSP_ALL;
};

// Path of a file beside the tests in Bazel's runfiles.
std::string runfile(const std::string &name);

#endif
