/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The atomic construct: read, write, update, capture on types up to 8 bytes (OpenMP 5.2, 15.8.4).
 */
#include <stdbool.h>
#include "check.h"

#define ROUNDS 200

/* x = x op expr by all threads, one type; then the exact result is known. */
#define SUM_OF(type, name)                           \
    CASE("update += and -= on " name)                \
    {                                                \
        type x = 3;                                  \
        int n = 0;                                   \
        _Pragma("omp parallel num_threads(4)")       \
        {                                            \
            ADD(n, 1);                               \
            for (int i = 0; i < ROUNDS; i++) {       \
                _Pragma("omp atomic") x += 3;        \
                _Pragma("omp atomic update") x -= 1; \
                _Pragma("omp atomic") x = x - 1;     \
                _Pragma("omp atomic") x = 1 + x;     \
                _Pragma("omp atomic") x++;           \
                _Pragma("omp atomic")-- x;           \
            }                                        \
        }                                            \
        CHECK(x == (type)(3 + 2 * n * ROUNDS));      \
    }
SUM_OF(signed char, "signed char")
SUM_OF(unsigned char, "unsigned char")
SUM_OF(short, "short")
SUM_OF(unsigned short, "unsigned short")
SUM_OF(int, "int")
SUM_OF(unsigned, "unsigned")
SUM_OF(long, "long")
SUM_OF(unsigned long long, "unsigned long long")
SUM_OF(float, "float")
SUM_OF(double, "double")

#define BITS_OF(type, name)                                            \
    CASE("bitwise operators and shifts on " name)                      \
    {                                                                  \
        type all_or = 0, all_and = (type)-1, all_xor = 0, shifted = 1; \
        _Pragma("omp parallel num_threads(4)")                         \
        {                                                              \
            int me = omp_get_thread_num();                             \
            _Pragma("omp atomic") all_or |= (type)(1 << me);           \
            _Pragma("omp atomic") all_and &= (type) ~(1 << me);        \
            for (int i = 0; i < ROUNDS + me; i++) {                    \
                _Pragma("omp atomic") all_xor ^= (type)(1 << me);      \
            }                                                          \
            _Pragma("omp atomic") shifted <<= 1;                       \
        }                                                              \
        CHECK(all_or == 15);                                           \
        CHECK(all_and == (type)~15);                                   \
        CHECK(all_xor == 10);                                          \
        CHECK(shifted == 16);                                          \
        _Pragma("omp parallel num_threads(3)")                         \
        {                                                              \
            _Pragma("omp atomic") shifted >>= 1;                       \
        }                                                              \
        CHECK(shifted == 2);                                           \
    }
BITS_OF(unsigned char, "unsigned char")
BITS_OF(short, "short")
BITS_OF(int, "int")
BITS_OF(unsigned long, "unsigned long")

CASE("multiplication and division, both orders")
{
    int x = 1;
    double d = 1, e = 1;
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        x *= 3;
#pragma omp atomic
        d /= 2;
#pragma omp atomic
        e = 2 / e;
    }
    CHECK(x == 81 && d == 0.0625 && e == 1);
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        x /= 3;
    }
    CHECK(x == 1);
    int y = 10;
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        y = 5 - y; /* 10, -5, 10, -5, 10 */
    }
    CHECK(y == 10);
}

CASE("read and write are whole: no mixture of two values")
{
    static unsigned long long x = 0x1111111111111111ull;
    static double d = 1.0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 2000; i++) {
        if (omp_get_thread_num() & 1) {
            CHECK_UNUSED unsigned long long v = i & 1 ? 0x1111111111111111ull : 0xeeeeeeeeeeeeeeeeull;
            CHECK_UNUSED double w = i & 1 ? 1.0 : -2.5;
#pragma omp atomic write
            x = v;
#pragma omp atomic write
            d = w;
        } else {
            unsigned long long v;
            double w;
#pragma omp atomic read
            v = x;
#pragma omp atomic read
            w = d;
            CHECK(v == 0x1111111111111111ull || v == 0xeeeeeeeeeeeeeeeeull);
            CHECK(w == 1.0 || w == -2.5);
        }
    }
}

CASE("capture gives each thread another value")
{
    static int taken[4000];
    memset(taken, 0, sizeof taken);
    int ticket = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 1000; i++) {
        int mine;
#pragma omp atomic capture
        mine = ticket++;
        CHECK(mine >= 0 && mine < 4000);
        ADD(taken[mine], 1);
    }
    for (int i = 0; i < 4000; i++)
        CHECK(taken[i] == 1);
}

CASE("the forms of capture")
{
    int x = 10, v;
#pragma omp atomic capture
    v = x++;
    CHECK(v == 10 && x == 11);
#pragma omp atomic capture
    v = ++x;
    CHECK(v == 12 && x == 12);
#pragma omp atomic capture
    v = x--;
    CHECK(v == 12 && x == 11);
#pragma omp atomic capture
    v = --x;
    CHECK(v == 10 && x == 10);
#pragma omp atomic capture
    v = x += 5;
    CHECK(v == 15 && x == 15);
#pragma omp atomic capture
    v = x = x * 2;
    CHECK(v == 30 && x == 30);
#pragma omp atomic capture
    v = x = 100 - x;
    CHECK(v == 70 && x == 70);
#pragma omp atomic capture
    {
        v = x;
        x -= 3;
    }
    CHECK(v == 70 && x == 67);
#pragma omp atomic capture
    {
        x = x ^ 1;
        v = x;
    }
    CHECK(v == 66 && x == 66);
#pragma omp atomic capture
    {
        v = x;
        x = 5;
    }
    CHECK(v == 66 && x == 5);
#pragma omp atomic capture
    {
        v = x;
        x = 12 / x;
    }
    CHECK(v == 5 && x == 2);
}

CASE("capture on floating point")
{
    float f = 1, vf;
    double d = 0;
    int lost = 0;
#pragma omp atomic capture
    {
        vf = f;
        f = f * 4;
    }
    CHECK(vf == 1 && f == 4);
#pragma omp parallel num_threads(4) reduction(+ : lost)
    for (int i = 0; i < ROUNDS; i++) {
        double before;
#pragma omp atomic capture
        {
            before = d;
            d += 0.5;
        }
        lost += before != (int)(before * 2) * 0.5;
    }
    CHECK(d == 0.5 * 4 * ROUNDS && lost == 0);
}

CASE("exchange: a value written is taken by one thread")
{
    int box = 0;
    long got = 0, given = 0;
#pragma omp parallel num_threads(4) reduction(+ : got, given)
    for (int i = 1; i <= ROUNDS; i++) {
        int old;
#pragma omp atomic capture
        {
            old = box;
            box = i;
        }
        got += old;
        given += i;
    }
    CHECK(got + box == given);
}

CASE("memory orders")
{
    int x = 0, v = -1;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp atomic seq_cst
        x++;
#pragma omp atomic relaxed
        x++;
#pragma omp atomic release
        x++;
#if GCC_AT_LEAST(12)
#pragma omp atomic acq_rel update
#else
#pragma omp atomic
#endif
        x++;
    }
#pragma omp atomic read acquire
    v = x;
    CHECK(v == 16 * ROUNDS);
#pragma omp atomic write release
    x = 1;
#pragma omp atomic read seq_cst
    v = x;
    CHECK(v == 1);
#pragma omp atomic capture acq_rel
    v = x += 1;
    CHECK(v == 2 && x == 2);
#pragma omp atomic write seq_cst
    x = 9;
    CHECK(x == 9);
}

CASE("release and acquire pass other memory on")
{
    static int data[100], flag;
    STORE(flag, 0);
#pragma omp parallel num_threads(2)
    for (int round = 1; round <= 50; round++) {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 100; i++)
                data[i] = round * i;
#pragma omp atomic write release
            flag = round;
        } else {
            int seen = 0;
            while (seen < round) {
#pragma omp atomic read acquire
                seen = flag;
                if (seen < round)
                    sched_yield();
            }
            for (int i = 0; i < 100; i++)
                CHECK(data[i] == round * i);
        }
#pragma omp barrier
    }
}

CASE("elements of arrays and members of structures")
{
    int a[10] = {0};
    struct {
        char before;
        int x;
        short y;
        char after;
    } s = {1, 0, 0, 2};
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        a[i % 10] += i;
#pragma omp atomic
        s.x += 1;
#pragma omp atomic
        s.y += 2;
    }
    for (int i = 0; i < 10; i++)
        CHECK(a[i] == 4 * (10 * i + 450));
    CHECK(s.x == 400 && s.y == 800 && s.before == 1 && s.after == 2);
}

CASE("the types of x and the expression differ")
{
    int x = 0;
    char c = 0;
    float f = 0;
    unsigned char u = 200;
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        x += 1.75; /* converted to int each time: 1, 2, 3, 4 */
#pragma omp atomic
        c += 2L;
#pragma omp atomic
        f += 1;
#pragma omp atomic
        u += 20; /* wraps */
    }
    CHECK(x == 4 && c == 8 && f == 4 && u == (unsigned char)280);
}

CASE("pointers and bool")
{
    int a[500], *p = a;
    bool b = false;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
        int *mine;
#pragma omp atomic capture
        mine = p++;
        *mine = 1;
#pragma omp atomic write
        b = true;
    }
    bool seen;
#pragma omp atomic read
    seen = b;
    CHECK(p == a + 400 && seen);
}

CASE("hints")
{
    int x = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 50; i++) {
#pragma omp atomic hint(omp_sync_hint_contended)
        x++;
#pragma omp atomic hint(omp_sync_hint_uncontended) relaxed
        x++;
    }
    CHECK(x == 400);
}
