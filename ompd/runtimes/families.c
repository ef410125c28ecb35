/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The runtime families that this library explains, in the order in which they are looked for.
 */
#include "providers/provider.h"
#include "runtimes/runtime.h"

struct family {
    ompd_rc_t (*load)(const struct tgt *tgt, struct lay *lay, bool *found);
    const struct rtm_ops *adapter;
};

static const struct family families[] = {
    {published_load, &rtm_companion},
};

ompd_rc_t rtm_detect(aspace_t *aspace)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        bool found = false;
        ompd_rc_t rc = families[i].load(&aspace->tgt, &aspace->lay, &found);
        if (rc == ompd_rc_unavailable && !found)
            continue;
        TRY(rc);
        TRY(families[i].adapter->check(aspace));
        aspace->rt = families[i].adapter;
        return ompd_rc_ok;
    }
    tgt_say("libompd: the process has no OpenMP runtime that this library knows (symbol rt_layout_table not "
            "found).\n");
    return ompd_rc_incompatible;
}
