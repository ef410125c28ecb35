/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/icv_filter.h"

#include <string.h>

#include "inspect/model/words.h"

bool icv_wanted(const struct insp_render_options *o, const struct mdl_icv *icv)
{
    size_t n = o->filter ? strlen(o->filter) : 0;

    if (o->scope && *o->scope && !mdl_same(o->scope, mdl_word(&mdl_scope_words, (int)icv->scope)))
        return false;
    /* "nthreads" is as good as "nthreads-var". */
    return !n || !strcmp(o->filter, icv->name) ||
           (!strncmp(o->filter, icv->name, n) && !strcmp(icv->name + n, "-var"));
}
