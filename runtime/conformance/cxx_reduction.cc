/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * declare reduction in C++: classes, templates, containers (OpenMP 5.2, 5.5.11).
 */
#include <algorithm>
#include <complex>
#include <map>
#include <string>
#include <vector>
#include "check.h"

#pragma omp declare reduction(+ : std::complex <double> : omp_out += omp_in) initializer(omp_priv = 0)

CASE("std::complex")
{
    std::complex<double> sum(1, 1);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += std::complex<double>(i, -i);
    CHECK(sum.real() == 4951 && sum.imag() == -4949);
}

#pragma omp declare reduction(append : std::vector<int> :                                                    \
        omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

CASE("std::vector, appended")
{
    std::vector<int> all(1, -1);
#pragma omp parallel for reduction(append : all)
    for (int i = 0; i < 500; i++)
        all.push_back(i);
    std::sort(all.begin(), all.end());
    CHECK(all.size() == 501);
    for (int i = -1; i < 500; i++)
        CHECK(all[(size_t)i + 1] == i);
}

namespace
{
typedef std::map<int, int> histogram;
void add(histogram &out, const histogram &in)
{
    for (const auto &p : in)
        out[p.first] += p.second;
}
} // namespace
#pragma omp declare reduction(merge:histogram : add(omp_out, omp_in))

CASE("std::map, merged")
{
    histogram a, b;
#pragma omp parallel for reduction(merge : a, b) schedule(dynamic, 7)
    for (int i = 0; i < 1000; i++) {
        a[i % 13]++;
        b[i % 7] += i;
    }
    int count = 0, sum = 0;
    for (auto &p : a)
        count += p.second;
    for (auto &p : b)
        sum += p.second;
    CHECK(a.size() == 13 && count == 1000 && b.size() == 7 && sum == 499500);
}

namespace
{
template <typename T> struct statistics {
    T low, high, sum;
    long count;
    static int made, destroyed;
    statistics() : low(), high(), sum(), count(0) { ADD(made, 1); }
    statistics(const statistics &o) : low(o.low), high(o.high), sum(o.sum), count(o.count) { ADD(made, 1); }
    statistics &operator=(const statistics &) = default;
    ~statistics() { ADD(destroyed, 1); }
    void take(T x)
    {
        low = count ? std::min(low, x) : x;
        high = count ? std::max(high, x) : x;
        sum += x;
        count++;
    }
    void join(const statistics &o)
    {
        if (!o.count)
            return;
        low = count ? std::min(low, o.low) : o.low;
        high = count ? std::max(high, o.high) : o.high;
        sum += o.sum;
        count += o.count;
    }
};
template <typename T> int statistics<T>::made;
template <typename T> int statistics<T>::destroyed;

#pragma omp declare reduction(join : statistics <int>, statistics <double> : omp_out.join(omp_in))

template <typename T> statistics<T> collect(int n, T scale)
{
    statistics<T> s;
#pragma omp parallel for reduction(join : s)
    for (int i = 0; i < n; i++)
        s.take((T)(i - 10) * scale);
    return s;
}
} // namespace

CASE("a template class in a template function")
{
    {
        statistics<int> i = collect<int>(100, 3);
        CHECK(i.low == -30 && i.high == 267 && i.sum == 3 * (4950 - 1000) && i.count == 100);
        statistics<double> d = collect<double>(50, 0.5);
        CHECK(d.low == -5 && d.high == 19.5 && d.count == 50);
    }
    CHECK(statistics<int>::made == statistics<int>::destroyed);
    CHECK(statistics<double>::made == statistics<double>::destroyed);
}

#pragma omp declare reduction(concat : std::string : omp_out += omp_in) initializer(omp_priv = std::string())

CASE("std::string: each piece once")
{
    std::string text = "<";
#pragma omp parallel for reduction(concat : text)
    for (int i = 0; i < 26; i++)
        text += (char)('a' + i);
    std::sort(text.begin() + 1, text.end());
    CHECK(text == "<abcdefghijklmnopqrstuvwxyz");
}

CASE("in tasks")
{
    std::complex<double> sum(0, 0);
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
                for (int i = 0; i < 40; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
                    sum += std::complex<double>(1, i);
                }
            }
        }
    }
    CHECK(sum.real() == 40 && sum.imag() == 780);
}

CASE("arrays of objects")
{
    std::complex<double> a[4];
#pragma omp parallel for reduction(+ : a)
    for (int i = 0; i < 100; i++)
        a[i % 4] += std::complex<double>(1, 2);
    for (int i = 0; i < 4; i++)
        CHECK(a[i].real() == 25 && a[i].imag() == 50);
}
