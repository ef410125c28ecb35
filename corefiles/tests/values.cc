// SPDX-License-Identifier: Apache-2.0
// Variables of all kinds in the frames of a team, and what the program says that they are: values_test.py.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <string>

enum Colour { red, green = 7, blue };
struct Point {
    int x;
    double y;
};
struct Base {
    long inherited;
};
struct Grid : Base {
    int n;
    Point corner;
    const char *name;
    unsigned flags : 3, more : 7;
    Grid *next;
};
union Either {
    int number;
    char bytes[4];
};

static int arrived;

__attribute__((noinline)) static void hold(int mine)
{
    __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
    while (mine >= 0)
        pause();
}

// Kept alive and in memory whatever the compiler does.
template <class T> static void keep(T &one)
{
    asm volatile("" : : "r"(&one) : "memory");
}

__attribute__((noinline)) static void work(int pass, const char *text, Grid &grid, std::string label)
{
    signed char small = -5;
    char letter = 'q', quoted[8] = "a\"b\n";
    bool yes = true;
    unsigned long large = 18446744073709551615ul;
    float third = 0.1f;
    double pi = 3.14159;
    Colour colour = green, mixed = (Colour)3;
    int numbers[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    Point points[2] = {{1, 1.5}, {2, -2.5}};
    Either either = {0x41424344};
    Grid *at = &grid, *none = nullptr;
    std::string empty, many(100, 'z');
    const char *wild = (const char *)16;
    int length = 3 + pass - pass, vary[length];

    for (int i = 0; i < length; i++)
        vary[i] = 10 * i;
    keep(pass), keep(text), keep(small), keep(letter), keep(quoted), keep(yes), keep(large), keep(third);
    keep(pi), keep(colour), keep(mixed), keep(numbers), keep(matrix), keep(points), keep(either), keep(at);
    keep(none), keep(empty), keep(many), keep(wild), keep(label), keep(length);
    asm volatile("" : : "r"(vary) : "memory");
    printf("TRUTH {\"pass\": \"%d\", \"small\": \"%d '\\\\373'\", \"large\": \"%lu\", \"colour\": \"%s\", "
           "\"mixed\": \"%d\", \"pi\": \"%g\", \"third\": \"%g\", \"at\": \"%p\", \"none\": \"0x0\", ",
           pass, small, large, colour == green ? "green" : "?", mixed, pi, third, (void *)at);
    printf(
        "\"yes\": \"%s\", \"letter\": \"%d '%c'\", \"text\": \"%p \\\"%s\\\"\", \"label\": \"\\\"%s\\\"\", ",
        yes ? "true" : "false", letter, letter, (const void *)text, text, label.c_str());
    printf(
        "\"grid\": \"{<Base> = {inherited = %ld}, n = %d, corner = {x = %d, y = %g}, name = %p \\\"%s\\\", "
        "flags = %u, more = %u, next = %p}\", ",
        grid.inherited, grid.n, grid.corner.x, grid.corner.y, (const void *)grid.name, grid.name, grid.flags,
        grid.more, (void *)grid.next);
    printf("\"numbers\": \"{1, 2, 3, 4, 5, 6, 7, 8, ... 4 more}\", \"matrix\": \"{{1, 2, 3}, {4, 5, 6}}\", "
           "\"points\": \"{{x = %d, y = %g}, {x = %d, y = %g}}\", \"vary\": \"{%d, %d, %d}\", ",
           points[0].x, points[0].y, points[1].x, points[1].y, vary[0], vary[1], vary[2]);
    printf("\"either\": \"{number = %d, bytes = \\\"%.4s\\\"}\", \"empty\": \"\\\"\\\"\", "
           "\"many\": \"\\\"%.64s\\\"...\", \"wild\": \"0x10 \\\"\\\" <0x10 cannot be read>\", "
           "\"quoted\": \"\\\"a\\\\\\\"b\\\\n\\\"\"}\n",
           either.number, either.bytes, many.c_str());
    fflush(stdout);
#pragma omp parallel num_threads(3)
    {
        int mine = 100 * omp_get_thread_num();
        hold(mine);
    }
    keep(pass);
}

int main()
{
    Grid grid;

    grid.inherited = -4;
    grid.n = 7;
    grid.corner = {3, 0.5};
    grid.name = "the grid";
    grid.flags = 5;
    grid.more = 100;
    grid.next = &grid;
    work(3, "words", grid, "label");
}
