/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/base/ids.h"

ompd_rc_t ids_of(struct index *found, uint64_t **ret, int *count)
{
    uint64_t *ids = NULL;
    int kept = 0;
    index_sort(found);
    if (found->count != 0)
        TRY(tgt_alloc(found->count * sizeof *ids, &ids));
    for (size_t i = 0; i < found->count; i++)
        if (kept == 0 || ids[kept - 1] != found->rows[i].key)
            ids[kept++] = found->rows[i].key;
    *ret = ids;
    *count = kept;
    return ompd_rc_ok;
}
