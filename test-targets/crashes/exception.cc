// SPDX-License-Identifier: Apache-2.0
// Throws what its first argument names, where its second one says: "main", "noexcept", "region" or "task".
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace grid
{

struct Bad : std::runtime_error {
    explicit Bad(int row) : std::runtime_error("row " + std::to_string(row) + " is bad") {}
};

struct Constant : std::exception {
    const char *what() const noexcept override { return "own words"; }
};

// Its text is made when it is asked for: that nobody can know who runs nothing.
struct Made : std::exception {
    mutable std::string text;
    const char *what() const noexcept override { return (text = std::to_string(std::rand())).c_str(); }
};

struct Label {
    virtual ~Label() = default;
    int number = 7;
};

struct Second : Label, std::logic_error {
    Second() : std::logic_error("a second base") {}
};

struct Twice : Constant, Bad {
    Twice() : Bad(7) {}
};

struct Plain {
    int x = 1;
};

template <class T> struct Of : std::logic_error {
    Of() : std::logic_error("a template") {}
};

} // namespace grid

static void act(const std::string &how)
{
    if (how == "derived")
        throw grid::Bad(17);
    if (how == "constant")
        throw grid::Constant();
    if (how == "made")
        throw grid::Made();
    if (how == "second")
        throw grid::Second();
    if (how == "twice")
        throw grid::Twice();
    if (how == "plain")
        throw grid::Plain();
    if (how == "template")
        throw grid::Of<std::vector<int>>();
    if (how == "int")
        throw 42;
    if (how == "text")
        throw "a text";
    if (how == "string")
        throw std::string("a string");
    if (how == "range")
        std::vector<int>(3).at(5) = 1;
    if (how == "memory")
        throw std::bad_alloc();
    if (how == "system")
        throw std::system_error(std::make_error_code(std::errc::permission_denied), "open");
    if (how == "future")
        std::async(std::launch::async, [] { throw grid::Bad(3); }).get();
    if (how == "terminate")
        std::terminate();
    try {
        throw grid::Bad(5);
    } catch (...) {
        if (how == "again")
            throw;
        if (how == "handled")
            std::terminate();
        if (how == "abort")
            std::abort();
        throw std::logic_error("while another is handled");
    }
}

static void quiet(const std::string &how) noexcept
{
    act(how);
}

int main(int argc, char **argv)
{
    const std::string how = argc > 1 ? argv[1] : "", where = argc > 2 ? argv[2] : "region";

    if (where == "main")
        act(how);
    if (where == "noexcept")
        quiet(how);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            if (where == "region")
                act(how);
#pragma omp task if (where == "task")
            act(how);
        }
#pragma omp barrier
    }
}
