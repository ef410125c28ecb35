/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/base/cpus.h"

static ompd_rc_t has(const struct tgt *tgt, const struct cpus *set, uint64_t cpu, bool *ret)
{
    const uint64_t bits = 8 * set->size;
    uint64_t word;
    *ret = false;
    if (cpu >= set->words * bits)
        return ompd_rc_ok;
    TRY(tgt_number(tgt, set->bytes + cpu / bits * set->size, set->size, &word));
    *ret = (word >> cpu % bits & 1) != 0;
    return ompd_rc_ok;
}

ompd_rc_t cpus_text(const struct tgt *tgt, const struct cpus *set, struct grown *text)
{
    const uint64_t cpus = (uint64_t)set->words * set->size * 8;
    const char *before = "{";
    for (uint64_t cpu = 0, run; cpu < cpus; cpu += run) {
        bool there;
        TRY(has(tgt, set, cpu, &there));
        run = 1;
        if (!there)
            continue;
        for (; run < cpus; run++) {
            TRY(has(tgt, set, cpu + run, &there));
            if (!there)
                break;
        }
        grown_add(text, before);
        grown_add_int(text, (int64_t)cpu);
        before = ",";
        if (run == 2)
            run = 1; /* the next is written by itself */
        else if (run > 2) {
            grown_add(text, ":");
            grown_add_int(text, (int64_t)run);
        }
    }
    grown_add(text, *before == '{' ? "{}" : "}");
    return ompd_rc_ok;
}
