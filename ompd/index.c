/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

static int less(const struct index_row *a, const struct index_row *b)
{
    return a->key != b->key ? a->key < b->key : a->value < b->value;
}

static void sift_down(struct index_row *rows, size_t root, size_t count)
{
    const struct index_row moved = rows[root];
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            break;
        if (child + 1 < count && less(&rows[child], &rows[child + 1]))
            child++;
        if (!less(&moved, &rows[child]))
            break;
        rows[root] = rows[child];
        root = child;
    }
    rows[root] = moved;
}

void index_sort(struct index *index)
{
    struct index_row *rows = index->rows;
    size_t sorted = 1;
    while (sorted < index->count && !less(&rows[sorted], &rows[sorted - 1]))
        sorted++;
    if (sorted >= index->count)
        return; /* the common case: slots are handed out in order of their serials */
    for (size_t i = index->count / 2; i-- > 0;)
        sift_down(rows, i, index->count);
    for (size_t end = index->count - 1; end > 0; end--) {
        const struct index_row largest = rows[0];
        rows[0] = rows[end];
        rows[end] = largest;
        sift_down(rows, 0, end);
    }
}

size_t index_find(const struct index *index, uint64_t key)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->rows[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int index_get(const struct index *index, uint64_t key, uint64_t *value)
{
    size_t at = index_find(index, key);
    if (at == index->count || index->rows[at].key != key)
        return 0;
    *value = index->rows[at].value;
    return 1;
}
