/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/decode.h"
#include "corefiles/layout/imply.h"

bool ly_gomp_suffices(const struct ly_fact *facts, size_t count)
{
    static const char *const names[] = {
#define WHOLE_SIZE(tag)          #tag,
#define WHOLE(tag, member, path) #tag "." path,
#include "ompd/providers/gomp_whole.def"
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!ly_fact(facts, count, names[i]))
            return false;
    /* Both tell how many members a team has. */
    return ly_fact(facts, count, "gomp_team.nthreads") || ly_fact(facts, count, "gomp_team.barrier.total");
}
