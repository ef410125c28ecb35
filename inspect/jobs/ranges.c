/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/ranges.h"

#include <inttypes.h>
#include <stdlib.h>

static int by_number(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return a < b ? -1 : a > b;
}

static void add_range(json_t *list, int64_t first, int64_t last)
{
    json_array_append_new(list, json_pack("[I,I]", (json_int_t)first, (json_int_t)last));
}

json_t *ranges_json(int64_t *numbers, size_t count)
{
    json_t *list = json_array();

    if (count)
        qsort(numbers, count, sizeof(*numbers), by_number);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && numbers[end] - numbers[end - 1] <= 1; end++)
            ;
        add_range(list, numbers[i], numbers[end - 1]);
    }
    return list;
}

static int64_t bound(const json_t *ranges, size_t index, size_t end)
{
    return json_integer_value(json_array_get(json_array_get(ranges, index), end));
}

bool ranges_good(const json_t *ranges)
{
    int64_t before = -2;

    if (!json_is_array(ranges))
        return false;
    for (size_t i = 0; i < json_array_size(ranges); i++) {
        const json_t *one = json_array_get(ranges, i);
        int64_t first = bound(ranges, i, 0), last = bound(ranges, i, 1);

        if (json_array_size(one) != 2 || !json_is_integer(json_array_get(one, 0)) ||
            !json_is_integer(json_array_get(one, 1)) || first <= before + 1 || last < first || first < 0 ||
            last > INT32_MAX)
            return false;
        before = last;
    }
    return true;
}

json_t *ranges_union(const json_t *a, const json_t *b)
{
    size_t i = 0, k = 0, n = json_array_size(a), m = json_array_size(b);
    json_t *list = json_array();
    int64_t first = 0, last = -2;

    while (i < n || k < m) {
        bool left = k == m || (i < n && bound(a, i, 0) <= bound(b, k, 0));
        int64_t from = left ? bound(a, i, 0) : bound(b, k, 0), to = left ? bound(a, i, 1) : bound(b, k, 1);

        if (left)
            i++;
        else
            k++;
        if (last >= 0 && from > last + 1)
            add_range(list, first, last);
        if (last < 0 || from > last + 1)
            first = from;
        last = to > last || last < 0 ? to : last;
    }
    if (last >= 0)
        add_range(list, first, last);
    return list;
}

void ranges_add(struct sbuf *out, const json_t *ranges, size_t most)
{
    size_t n = json_array_size(ranges);

    for (size_t i = 0; i < n && i < most; i++) {
        int64_t first = bound(ranges, i, 0), last = bound(ranges, i, 1);

        sbuf_printf(out, "%s%" PRId64, i ? "," : "", first);
        if (last > first)
            sbuf_printf(out, "%s%" PRId64, last == first + 1 ? "," : "-", last);
    }
    if (n > most)
        sbuf_add(out, ",...");
}
