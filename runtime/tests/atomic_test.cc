// SPDX-License-Identifier: Apache-2.0
// The 340 __kmpc_atomic_* of the ABI, each against a plain computation: alone, and by two threads at once.
// Both threads apply the same function to one object, so its values are a fixed sequence whatever the order,
// and a lost update shows.
//
// The lists below name every function once; a test compares the names with versions.tsv.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

typedef __complex__ float cmplx4;
typedef __complex__ double cmplx8;
typedef __complex__ long double cmplx10;
typedef __int128 wide;
typedef unsigned __int128 uwide;

namespace
{
constexpr int rounds = 10000; // of each of the two threads

// Both start at once: a new thread takes longer to come than the other to end.
template <class F> void on_two_threads(F f)
{
    std::atomic<int> missing{2};
    auto start = [&](int thread) {
        missing--;
        while (missing > 0)
            std::this_thread::yield();
        f(thread);
    };
    std::thread other(start, 1);
    start(0);
    other.join();
}

// What the values of a type are ordered by.
template <class T> T key(T value)
{
    return value;
}
std::pair<double, double> key(cmplx4 value)
{
    return {__real__ value, __imag__ value};
}
std::pair<double, double> key(cmplx8 value)
{
    return {__real__ value, __imag__ value};
}
std::pair<long double, long double> key(cmplx10 value)
{
    return {__real__ value, __imag__ value};
}
template <class T> class Bag
{
    std::map<decltype(key(T())), int> counts_;

  public:
    void add(T value, int by = 1)
    {
        int &count = counts_[key(value)];
        count += by;
        if (count == 0)
            counts_.erase(key(value));
    }
    bool empty() const { return counts_.empty(); }
};

template <class T, class R> using Operands = std::vector<std::pair<T, R>>;

// plain(lhs, r); compute(x, r) gives the new value.
template <class T, class R, class Plain, class Compute>
void check_plain(const char *name, Plain plain, Compute compute, const Operands<T, R> &operands)
{
    ASSERT_FALSE(operands.empty()) << name;
    for (auto [x, r] : operands) {
        T object = x;
        plain(&object, r);
        EXPECT_EQ(key(object), key(compute(x, r))) << name;
    }
    auto [x, r] = operands.front();
    T object = x, want = x;
    for (int i = 0; i < 2 * rounds; i++)
        want = compute(want, r);
    on_two_threads([&, r = r](int) {
        for (int i = 0; i < rounds; i++)
            plain(&object, r);
    });
    EXPECT_EQ(key(object), key(want)) << name;
}

// capture(lhs, r, flag) returns the old value, or the new one if flag.
template <class T, class Capture, class Compute>
void check_capture(const char *name, Capture capture, Compute compute, const Operands<T, T> &operands)
{
    for (auto [x, r] : operands) {
        for (int flag : {0, 1}) {
            T object = x, want = compute(x, r);
            EXPECT_EQ(key(capture(&object, r, flag)), key(flag ? want : x)) << name << " " << flag;
            EXPECT_EQ(key(object), key(want)) << name;
        }
    }
    auto [x, r] = operands.front();
    T object = x, want = x;
    Bag<T> bag; // of the values that the object takes, less those that were seen
    for (int i = 0; i < 2 * rounds; i++)
        bag.add(want = compute(want, r));
    std::vector<T> seen[2];
    on_two_threads([&, r = r](int thread) {
        for (int i = 0; i < rounds; i++)
            seen[thread].push_back(capture(&object, r, thread));
    });
    for (T before : seen[0])
        bag.add(compute(before, r), -1);
    for (T after : seen[1])
        bag.add(after, -1);
    EXPECT_TRUE(bag.empty()) << name;
    EXPECT_EQ(key(object), key(want)) << name;
}

template <class T> T complex(double real, double imaginary)
{
    T value;
    __real__ value = real;
    __imag__ value = imaginary;
    return value;
}

// A few values, all bytes alike in an integer, both parts in a complex number.
template <class T> T pattern(int k)
{
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(0x0101010101010101ULL * static_cast<unsigned>(k));
    else
        return complex<T>(k, k);
}
template <> float pattern<float>(int k)
{
    return static_cast<float>(k) * 1.1f;
}
template <> double pattern<double>(int k)
{
    return k * 1.1;
}
template <> long double pattern<long double>(int k)
{
    return k * 1.1L;
}

template <class T, class Read, class Write, class Swap>
void check_access(const char *name, Read read, Write write, Swap swap)
{
    T object = pattern<T>(0);
    std::set<decltype(key(T()))> possible;
    for (int k = 0; k < 8; k++)
        possible.insert(key(pattern<T>(k)));
    bool whole = true;
    on_two_threads([&](int thread) {
        for (int i = 0; i < rounds; i++)
            if (thread == 0)
                write(&object, pattern<T>(i % 8));
            else
                whole &= possible.count(key(read(&object))) == 1;
    });
    EXPECT_TRUE(whole) << name << "_rd, _wr";
    EXPECT_EQ(key(read(&object)), key(pattern<T>((rounds - 1) % 8))) << name;

    object = pattern<T>(0);
    Bag<T> bag;
    bag.add(object);
    std::vector<T> seen[2];
    on_two_threads([&](int thread) {
        for (int i = 0; i < rounds; i++)
            seen[thread].push_back(swap(&object, pattern<T>(2 * (i % 60) + thread)));
    });
    for (int thread = 0; thread < 2; thread++) {
        for (int i = 0; i < rounds; i++) {
            bag.add(pattern<T>(2 * (i % 60) + thread));
            bag.add(seen[thread][i], -1);
        }
    }
    bag.add(object, -1);
    EXPECT_TRUE(bag.empty()) << name << "_swp";
}

// ---- the lists: what each operator means, and for which operands it means anything ------------------------
// X(type, operator, suffix, T, new value from x and r, condition)
#define ARITHMETIC(X, type, T)                                         \
    X(type, add, , T, static_cast<T>(wide(x) + r), true)               \
    X(type, sub, , T, static_cast<T>(wide(x) - r), true)               \
    X(type, sub, _rev, T, static_cast<T>(wide(r) - x), true)           \
    X(type, mul, , T, static_cast<T>(wide(x) * r), true)               \
    X(type, andb, , T, static_cast<T>(x & r), true)                    \
    X(type, orb, , T, static_cast<T>(x | r), true)                     \
    X(type, xor, , T, static_cast<T>((x | r) & ~(x & r)), true)        \
    X(type, neqv, , T, static_cast<T>((x | r) & ~(x & r)), true)       \
    X(type, eqv, , T, static_cast<T>((x & r) | (~x & ~r)), true)       \
    X(type, andl, , T, static_cast<T>(x != 0 && r != 0 ? 1 : 0), true) \
    X(type, orl, , T, static_cast<T>(x != 0 || r != 0 ? 1 : 0), true)  \
    X(type, max, , T, x > r ? x : r, true)                             \
    X(type, min, , T, x < r ? x : r, true)                             \
    X(type, shl, , T, static_cast<T>(shifted_left<T>(x, r)), true)     \
    X(type, shl, _rev, T, static_cast<T>(shifted_left<T>(r, x)), true)
#define BY_SIGN(X, type, T)                                                     \
    X(type, div, , T, static_cast<T>(wide(x) / r), r != 0 && r != T(-1))        \
    X(type, div, _rev, T, static_cast<T>(wide(r) / x), x != 0 && x != T(-1))    \
    X(type, shr, , T, static_cast<T>(wide(x) >> (r & (count_mask<T>()))), true) \
    X(type, shr, _rev, T, static_cast<T>(wide(r) >> (x & (count_mask<T>()))), true)
#define INTEGERS(X)                \
    ARITHMETIC(X, fixed1, int8_t)  \
    ARITHMETIC(X, fixed2, int16_t) \
    ARITHMETIC(X, fixed4, int32_t) \
    ARITHMETIC(X, fixed8, int64_t) \
    BY_SIGN(X, fixed1, int8_t)     \
    BY_SIGN(X, fixed2, int16_t)    \
    BY_SIGN(X, fixed4, int32_t)    \
    BY_SIGN(X, fixed8, int64_t)    \
    BY_SIGN(X, fixed1u, uint8_t)   \
    BY_SIGN(X, fixed2u, uint16_t)  \
    BY_SIGN(X, fixed4u, uint32_t)  \
    BY_SIGN(X, fixed8u, uint64_t)
#define FIELD(X, type, T)              \
    X(type, add, , T, r + x, true)     \
    X(type, sub, , T, -(r - x), true)  \
    X(type, sub, _rev, T, r - x, true) \
    X(type, mul, , T, r *x, true)      \
    X(type, div, , T, x / r, true)     \
    X(type, div, _rev, T, r / x, true)
#define REAL(X, type, T)                   \
    FIELD(X, type, T)                      \
    X(type, max, , T, x > r ? x : r, true) \
    X(type, min, , T, x < r ? x : r, true)
#define REALS(X)            \
    REAL(X, float4, float)  \
    REAL(X, float8, double) \
    REAL(X, float10, long double)
#define COMPLEXES(X)         \
    FIELD(X, cmplx8, cmplx8) \
    FIELD(X, cmplx10, cmplx10)
#define COMPLEX4(X) FIELD(X, cmplx4, cmplx4)
// X(type, operator, T, R, new value)
#define MIXED_INTEGERS(X)                                                       \
    X(fixed1, mul_float8, int8_t, double, static_cast<int8_t>(x * r))           \
    X(fixed1, div_float8, int8_t, double, static_cast<int8_t>(x / r))           \
    X(fixed2, mul_float8, int16_t, double, static_cast<int16_t>(x * r))         \
    X(fixed2, div_float8, int16_t, double, static_cast<int16_t>(x / r))         \
    X(fixed4, mul_float8, int32_t, double, static_cast<int32_t>(x * r))         \
    X(fixed4, div_float8, int32_t, double, static_cast<int32_t>(x / r))         \
    X(fixed8, mul_float8, int64_t, double, static_cast<int64_t>(double(x) * r)) \
    X(fixed8, div_float8, int64_t, double, static_cast<int64_t>(double(x) / r))
#define MIXED_REALS(X)                                              \
    X(float4, add_float8, float, double, static_cast<float>(x + r)) \
    X(float4, sub_float8, float, double, static_cast<float>(x - r)) \
    X(float4, mul_float8, float, double, static_cast<float>(x * r)) \
    X(float4, div_float8, float, double, static_cast<float>(x / r))
#define MIXED_COMPLEXES(X)                                                                 \
    X(cmplx4, add_cmplx8, cmplx4, cmplx8, static_cast<cmplx4>(static_cast<cmplx8>(x) + r)) \
    X(cmplx4, sub_cmplx8, cmplx4, cmplx8, static_cast<cmplx4>(static_cast<cmplx8>(x) - r)) \
    X(cmplx4, mul_cmplx8, cmplx4, cmplx8, static_cast<cmplx4>(static_cast<cmplx8>(x) * r)) \
    X(cmplx4, div_cmplx8, cmplx4, cmplx8, static_cast<cmplx4>(static_cast<cmplx8>(x) / r))
// X(type, T): read, write, swap
#define ACCESSES(X)         \
    X(fixed1, int8_t)       \
    X(fixed2, int16_t)      \
    X(fixed4, int32_t)      \
    X(fixed8, int64_t)      \
    X(float4, float)        \
    X(float8, double)       \
    X(float10, long double) \
    X(cmplx8, cmplx8)       \
    X(cmplx10, cmplx10)
// X(size, T)
#define ANY_SIZES(X)   \
    X(1, uint8_t)      \
    X(2, uint16_t)     \
    X(4, float)        \
    X(8, cmplx4)       \
    X(10, long double) \
    X(16, cmplx8)      \
    X(20, cmplx10)     \
    X(32, cmplx10)
#define CAS_SIZES(X) \
    X(1, int8_t)     \
    X(2, int16_t)    \
    X(4, int32_t)    \
    X(8, int64_t)

// Operands narrower than int are shifted as int, and the processor takes 5 or 6 bits of the count.
template <class T> constexpr int count_mask()
{
    return sizeof(T) == 8 ? 63 : 31;
}
template <class T> uwide shifted_left(T value, T count)
{
    return static_cast<uwide>(wide(value)) << (count & count_mask<T>());
}
} // namespace

extern "C" {
#define DECLARE_UPDATE(type, op, suffix, T, result, condition)                    \
    void __kmpc_atomic_##type##_##op##suffix(void *loc, int gtid, T *lhs, T rhs); \
    T __kmpc_atomic_##type##_##op##_cpt##suffix(void *loc, int gtid, T *lhs, T rhs, int flag);
#define DECLARE_BY_POINTER(type, op, suffix, T, result, condition)                \
    void __kmpc_atomic_##type##_##op##suffix(void *loc, int gtid, T *lhs, T rhs); \
    void __kmpc_atomic_##type##_##op##_cpt##suffix(void *loc, int gtid, T *lhs, T rhs, T *out, int flag);
#define DECLARE_MIXED(type, op, T, R, result) \
    void __kmpc_atomic_##type##_##op(void *loc, int gtid, T *lhs, R rhs);
#define DECLARE_ACCESS(type, T)                                         \
    T __kmpc_atomic_##type##_rd(void *loc, int gtid, T *lhs);           \
    void __kmpc_atomic_##type##_wr(void *loc, int gtid, T *lhs, T rhs); \
    T __kmpc_atomic_##type##_swp(void *loc, int gtid, T *lhs, T rhs);
#define DECLARE_ANY(size, T)                                             \
    void __kmpc_atomic_##size(void *loc, int gtid, void *lhs, void *rhs, \
                              void (*combine)(void *out, void *a, void *b));
#define DECLARE_CAS(size, T)                                                                             \
    bool __kmpc_atomic_bool_##size##_cas(void *loc, int gtid, T *x, T expected, T desired);              \
    T __kmpc_atomic_val_##size##_cas(void *loc, int gtid, T *x, T expected, T desired);                  \
    bool __kmpc_atomic_bool_##size##_cas_cpt(void *loc, int gtid, T *x, T expected, T desired, T *seen); \
    T __kmpc_atomic_val_##size##_cas_cpt(void *loc, int gtid, T *x, T expected, T desired, T *seen);
INTEGERS(DECLARE_UPDATE)
REALS(DECLARE_UPDATE)
COMPLEXES(DECLARE_UPDATE)
COMPLEX4(DECLARE_BY_POINTER)
MIXED_INTEGERS(DECLARE_MIXED)
MIXED_REALS(DECLARE_MIXED)
MIXED_COMPLEXES(DECLARE_MIXED)
ACCESSES(DECLARE_ACCESS)
cmplx4 __kmpc_atomic_cmplx4_rd(void *loc, int gtid, cmplx4 *lhs);
void __kmpc_atomic_cmplx4_wr(void *loc, int gtid, cmplx4 *lhs, cmplx4 rhs);
void __kmpc_atomic_cmplx4_swp(void *loc, int gtid, cmplx4 *lhs, cmplx4 rhs, cmplx4 *out);
ANY_SIZES(DECLARE_ANY)
CAS_SIZES(DECLARE_CAS)
int __kmpc_global_thread_num(void *loc);
void __kmpc_atomic_start(void);
void __kmpc_atomic_end(void);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
}

namespace
{
int me()
{
    thread_local const int number = __kmpc_global_thread_num(nullptr);
    return number;
}

// ---- operands: the first pair is for the threads ----------------------------------------------------------
template <class T, class Allowed> Operands<T, T> integer_operands(const std::string &op, Allowed allowed)
{
    std::vector<T> objects = {
        1, 0, 5, 100, static_cast<T>(-3), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    std::vector<T> values = {3, 1, 7, 0, static_cast<T>(-2)};
    if (op.compare(0, 3, "div") == 0) // the threads: 7 / 7, 7 / 1, ...
        values.insert(values.begin(), 7);
    Operands<T, T> operands;
    for (T x : objects)
        for (T r : values)
            if (allowed(x, r))
                operands.emplace_back(x, r);
    return operands;
}
template <class T> Operands<T, T> real_operands()
{
    return {{T(1.0), T(1.001)}, {T(-2.5), T(1e10)}, {T(1e-3), T(-7)}, {T(3), T(3)}};
}
template <class T> Operands<T, T> complex_operands()
{
    return {{complex<T>(1, 2), complex<T>(1, 0.001)},
            {complex<T>(-2.5, 1), complex<T>(3, -4)},
            {complex<T>(0, 1), complex<T>(0, 2)}};
}

#define LITERAL(text) #text
#define CHECK_UPDATE(operands, type, op, suffix, T, result)                                           \
    {                                                                                                 \
        auto compute = [](T x, T r) -> T { return result; };                                          \
        check_plain<T, T>(                                                                            \
            LITERAL(type##_##op##suffix),                                                             \
            [](T *lhs, T r) { __kmpc_atomic_##type##_##op##suffix(nullptr, me(), lhs, r); }, compute, \
            operands);                                                                                \
        check_capture<T>(                                                                             \
            LITERAL(type##_##op##_cpt##suffix),                                                       \
            [](T *lhs, T r, int flag) {                                                               \
                return __kmpc_atomic_##type##_##op##_cpt##suffix(nullptr, me(), lhs, r, flag);        \
            },                                                                                        \
            compute, operands);                                                                       \
    }
#define CHECK_INTEGER(type, op, suffix, T, result, condition) \
    CHECK_UPDATE((integer_operands<T>(#op #suffix,            \
                                      [](T x, T r) {          \
                                          (void)x, (void)r;   \
                                          return condition;   \
                                      })),                    \
                 type, op, suffix, T, result)
#define CHECK_REAL(type, op, suffix, T, result, condition) \
    CHECK_UPDATE(real_operands<T>(), type, op, suffix, T, result)
#define CHECK_COMPLEX(type, op, suffix, T, result, condition) \
    CHECK_UPDATE(complex_operands<T>(), type, op, suffix, T, result)
#define CHECK_BY_POINTER(type, op, suffix, T, result, condition)                                      \
    {                                                                                                 \
        auto compute = [](T x, T r) -> T { return result; };                                          \
        check_plain<T, T>(                                                                            \
            LITERAL(type##_##op##suffix),                                                             \
            [](T *lhs, T r) { __kmpc_atomic_##type##_##op##suffix(nullptr, me(), lhs, r); }, compute, \
            complex_operands<T>());                                                                   \
        check_capture<T>(                                                                             \
            LITERAL(type##_##op##_cpt##suffix),                                                       \
            [](T *lhs, T r, int flag) {                                                               \
                T out = 0;                                                                            \
                __kmpc_atomic_##type##_##op##_cpt##suffix(nullptr, me(), lhs, r, &out, flag);         \
                return out;                                                                           \
            },                                                                                        \
            compute, complex_operands<T>());                                                          \
    }
#define CHECK_MIXED(operands, type, op, T, R, result)                                                  \
    check_plain<T, R>(                                                                                 \
        LITERAL(type##_##op), [](T *lhs, R r) { __kmpc_atomic_##type##_##op(nullptr, me(), lhs, r); }, \
        [](T x, R r) -> T { return result; }, operands);

TEST(Atomic, Integers){INTEGERS(CHECK_INTEGER)}

TEST(Atomic, Reals){REALS(CHECK_REAL)}

TEST(Atomic, Complexes){COMPLEXES(CHECK_COMPLEX) COMPLEX4(CHECK_BY_POINTER)}

TEST(Atomic, MixedTypes){
#define CHECK_MIXED_INTEGER(type, op, T, R, result) \
    CHECK_MIXED((Operands<T, R>{{100, 0.99}, {-7, 1.25}, {99, 1.25}, {0, 3.5}}), type, op, T, R, result)
#define CHECK_MIXED_REAL(type, op, T, R, result) \
    CHECK_MIXED((Operands<T, R>{{1.0f, 1.0001}, {-2.5f, 1e10}, {1e30f, 3e-4}}), type, op, T, R, result)
#define CHECK_MIXED_COMPLEX(type, op, T, R, result)                                                      \
    CHECK_MIXED((Operands<T, R>{{pattern<T>(1), complex<R>(1, 0.001)}, {pattern<T>(3), pattern<R>(2)}}), \
                type, op, T, R, result)
    MIXED_INTEGERS(CHECK_MIXED_INTEGER) MIXED_REALS(CHECK_MIXED_REAL) MIXED_COMPLEXES(CHECK_MIXED_COMPLEX)}

TEST(Atomic, ReadWriteSwap)
{
#define CHECK_ACCESS(type, T)                                                        \
    check_access<T>(                                                                 \
        #type, [](T *lhs) { return __kmpc_atomic_##type##_rd(nullptr, me(), lhs); }, \
        [](T *lhs, T r) { __kmpc_atomic_##type##_wr(nullptr, me(), lhs, r); },       \
        [](T *lhs, T r) { return __kmpc_atomic_##type##_swp(nullptr, me(), lhs, r); });
    ACCESSES(CHECK_ACCESS)
    check_access<cmplx4>(
        "cmplx4", [](cmplx4 *lhs) { return __kmpc_atomic_cmplx4_rd(nullptr, me(), lhs); },
        [](cmplx4 *lhs, cmplx4 r) { __kmpc_atomic_cmplx4_wr(nullptr, me(), lhs, r); },
        [](cmplx4 *lhs, cmplx4 r) {
            cmplx4 out = 0;
            __kmpc_atomic_cmplx4_swp(nullptr, me(), lhs, r, &out);
            return out;
        });
}

template <class T> void add(void *out, void *a, void *b)
{
    *static_cast<T *>(out) = *static_cast<T *>(a) + *static_cast<T *>(b);
}

TEST(Atomic, AnyTypeByTheCallersFunction)
{
#define CHECK_ANY(size, T)                                                                \
    check_plain<T, T>(                                                                    \
        #size, [](T *lhs, T r) { __kmpc_atomic_##size(nullptr, me(), lhs, &r, add<T>); }, \
        [](T x, T r) -> T { return x + r; }, Operands<T, T>{{1, 3}, {0, 2}});
    ANY_SIZES(CHECK_ANY)
}

TEST(Atomic, CompareAndSwap){
#define CHECK_CAS(size, T)                                                                                 \
    {                                                                                                      \
        T object = 5, seen = 9;                                                                            \
        EXPECT_TRUE(__kmpc_atomic_bool_##size##_cas(nullptr, me(), &object, 5, 6));                        \
        EXPECT_FALSE(__kmpc_atomic_bool_##size##_cas(nullptr, me(), &object, 5, 7));                       \
        EXPECT_EQ(object, 6);                                                                              \
        EXPECT_EQ(__kmpc_atomic_val_##size##_cas(nullptr, me(), &object, 6, 8), 6);                        \
        EXPECT_EQ(__kmpc_atomic_val_##size##_cas(nullptr, me(), &object, 6, 10), 8);                       \
        EXPECT_EQ(object, 8);                                                                              \
        EXPECT_TRUE(__kmpc_atomic_bool_##size##_cas_cpt(nullptr, me(), &object, 8, -1, &seen));            \
        EXPECT_EQ(seen, 9);                                                                                \
        EXPECT_FALSE(__kmpc_atomic_bool_##size##_cas_cpt(nullptr, me(), &object, 8, 2, &seen));            \
        EXPECT_EQ(seen, -1);                                                                               \
        EXPECT_EQ(__kmpc_atomic_val_##size##_cas_cpt(nullptr, me(), &object, -1, 3, &seen), -1);           \
        EXPECT_EQ(seen, 3);                                                                                \
        EXPECT_EQ(__kmpc_atomic_val_##size##_cas_cpt(nullptr, me(), &object, -1, 4, &seen), 3);            \
        EXPECT_EQ(seen, 3);                                                                                \
        EXPECT_EQ(object, 3);                                                                              \
        on_two_threads([&](int thread) {                                                                   \
            for (int i = 0; i < rounds; i++) {                                                             \
                T now = __kmpc_atomic_fixed##size##_rd(nullptr, me(), &object), next, got;                 \
                for (;;) {                                                                                 \
                    next = static_cast<T>(now + 1);                                                        \
                    if (thread == 0                                                                        \
                            ? __kmpc_atomic_bool_##size##_cas_cpt(nullptr, me(), &object, now, next, &now) \
                            : (got = __kmpc_atomic_val_##size##_cas(nullptr, me(), &object, now, next)) == \
                                  now)                                                                     \
                        break;                                                                             \
                    if (thread == 1)                                                                       \
                        now = got;                                                                         \
                }                                                                                          \
            }                                                                                              \
        });                                                                                                \
        EXPECT_EQ(object, static_cast<T>(3 + 2 * rounds));                                                 \
    }
    CAS_SIZES(CHECK_CAS)}

// One object, several ways: they must exclude each other.
TEST(Atomic, WaysOfOneObjectAgree)
{
    constexpr int many = 10 * rounds;
    long double large = 0;
    cmplx8 pair = 0;
    cmplx4 small = 0;
    long plain = 0;
    on_two_threads([&](int thread) {
        long double one = 1;
        cmplx8 eight = 1;
        cmplx4 four = 1;
        for (int i = 0; i < many; i++) {
            if (thread == 0) {
                __kmpc_atomic_float10_add(nullptr, me(), &large, 1);
                __kmpc_atomic_16(nullptr, me(), &pair, &eight, add<cmplx8>);
                __kmpc_atomic_cmplx4_add(nullptr, me(), &small, 1);
                __kmpc_atomic_start();
                plain++;
                __kmpc_atomic_end();
            } else {
                if (i % 2) {
                    __kmpc_atomic_10(nullptr, me(), &large, &one, add<long double>);
                    __kmpc_atomic_cmplx8_add(nullptr, me(), &pair, 1);
                } else {
                    GOMP_atomic_start();
                    large += 1;
                    pair += 1;
                    GOMP_atomic_end();
                }
                __kmpc_atomic_8(nullptr, me(), &small, &four, add<cmplx4>);
                GOMP_atomic_start();
                plain++;
                GOMP_atomic_end();
            }
        }
    });
    EXPECT_EQ(large, 2 * many);
    EXPECT_EQ(key(pair), key(cmplx8(2 * many)));
    EXPECT_EQ(key(small), key(cmplx4(2 * many)));
    EXPECT_EQ(plain, 2 * many);
}

TEST(Atomic, MinimumAndMaximumIgnoreNaN)
{
    double object = 1;
    __kmpc_atomic_float8_max(nullptr, me(), &object, std::numeric_limits<double>::quiet_NaN());
    __kmpc_atomic_float8_min(nullptr, me(), &object, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(object, 1);
    long double wide_object = 1;
    __kmpc_atomic_float10_max(nullptr, me(), &wide_object, std::numeric_limits<long double>::quiet_NaN());
    EXPECT_EQ(wide_object, 1);
}

TEST(Atomic, EveryNameOfTheTableIsHere)
{
    std::set<std::string> here = {"start", "end", "cmplx4_rd", "cmplx4_wr", "cmplx4_swp"};
#define NAME_UPDATE(type, op, suffix, T, result, condition) \
    here.insert(LITERAL(type##_##op##suffix));              \
    here.insert(LITERAL(type##_##op##_cpt##suffix));
#define NAME_MIXED(type, op, T, R, result) here.insert(LITERAL(type##_##op));
#define NAME_ACCESS(type, T)  \
    here.insert(#type "_rd"); \
    here.insert(#type "_wr"); \
    here.insert(#type "_swp");
#define NAME_ANY(size, T) here.insert(#size);
#define NAME_CAS(size, T)                  \
    here.insert("bool_" #size "_cas");     \
    here.insert("val_" #size "_cas");      \
    here.insert("bool_" #size "_cas_cpt"); \
    here.insert("val_" #size "_cas_cpt");
    INTEGERS(NAME_UPDATE)
    REALS(NAME_UPDATE)
    COMPLEXES(NAME_UPDATE)
    COMPLEX4(NAME_UPDATE)
    MIXED_INTEGERS(NAME_MIXED)
    MIXED_REALS(NAME_MIXED)
    MIXED_COMPLEXES(NAME_MIXED)
    ACCESSES(NAME_ACCESS)
    ANY_SIZES(NAME_ANY)
    CAS_SIZES(NAME_CAS)

    std::ifstream file("runtime/tests/versions.tsv"); // a test starts in the workspace's folder
    ASSERT_TRUE(file);
    const std::string prefix = "__kmpc_atomic_";
    std::set<std::string> table;
    for (std::string line; std::getline(file, line);)
        if (line.compare(0, prefix.size(), prefix) == 0)
            table.insert(line.substr(prefix.size(), line.find('\t') - prefix.size()));
    EXPECT_EQ(here, table);
    EXPECT_EQ(table.size(), 340u);
}
} // namespace
