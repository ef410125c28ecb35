/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp.h"

#include "runtimes/gomp/gomp_call.h"
#include "runtimes/gomp/gomp_icvs.h"
#include "runtimes/gomp/gomp_places.h"
#include "runtimes/gomp/gomp_loops.h"
#include "runtimes/gomp/gomp_new.h"
#include "runtimes/gomp/gomp_records.h"
#include "runtimes/gomp/gomp_stacks.h"
#include "runtimes/gomp/gomp_targets.h"
#include "runtimes/gomp/gomp_tasks.h"
#include "runtimes/gomp/gomp_teams.h"
#include "runtimes/gomp/gomp_tls.h"
#include "runtimes/gomp/gomp_waits.h"
#include "runtimes/world/world_ops.h"

static const uint16_t whole[] = {LAY_S_gomp_thread, LAY_S_gomp_team,
#define WHOLE_SIZE(tag)          LAY_S_##tag,
#define WHOLE(tag, member, path) LAY_F_##tag##_##member,
#include "providers/gomp_whole.def"
#undef WHOLE_SIZE
#undef WHOLE
                                 0};

/** A team's record and its barrier both tell how many members it has. */
static ompd_rc_t check_size_of_team(const struct lay *lay)
{
    const uint16_t nthreads[] = {LAY_F_gomp_team_nthreads, 0};
    return lay_has(lay, LAY_F_gomp_team_barrier_total) ? ompd_rc_ok : lay_require(lay, nthreads);
}

static ompd_rc_t check(aspace_t *aspace)
{
    static const uint16_t records[] = {LAY_V_gomp_tls_data, 0};
    struct lay *lay = &aspace->lay;
    stock_lack(aspace->stock, ompdx_ability_owners,
               "libgomp records who holds a nest lock, and of no other mutex");
    TRY(lay_require(lay, whole));
    TRY(gomp_has_tls(lay) ? ompd_rc_ok : lay_require(lay, records));
    TRY(check_size_of_team(lay));
    TRY(lay_require_sense(lay));
    stock_note_missing(aspace);
    const uint64_t implicit = lay_offset(lay, LAY_F_gomp_team_implicit_task);
    if (aspace->tgt.sizes.sizeof_pointer == 8 && implicit >= 8 &&
        implicit <= lay_size(lay, LAY_S_gomp_team) &&
        lay_size(lay, LAY_S_gomp_thread) <= BRK_SLOT_BYTES_MAX &&
        lay_size(lay, LAY_S_gomp_task) <= BRK_SLOT_BYTES_MAX &&
        lay_size(lay, LAY_S_gomp_team) <= BRK_SLOT_BYTES_MAX)
        return ompd_rc_ok;
    tgt_say("libompd: the layout of libgomp has structures of a size that none of its versions has.\n");
    return ompd_rc_incompatible;
}

/**
 * Where several threads have records and not one of them agrees with its team, what was read is something
 * else. Codes: ok; error, after a sentence.
 */
static ompd_rc_t believe(const struct gomp *gomp)
{
    size_t records = 0;
    for (size_t i = 0; i < gomp->native_count; i++) {
        if (gomp->natives[i].thread == WORLD_NONE || gomp->natives[i].lone != GOMP_LONE_NO)
            continue;
        if (gomp->natives[i].refused == NULL || need_is_reason(gomp_lay(gomp), gomp->natives[i].refused))
            return ompd_rc_ok;
        records++;
    }
    if (records < 2)
        return ompd_rc_ok;
    tgt_say("libompd: no thread's record agrees with that of its team; the layout is not that of this "
            "libgomp, or its memory is damaged.\n");
    return ompd_rc_error;
}

static ompd_rc_t build(aspace_t *aspace, struct world *world)
{
    struct gomp gomp = {.aspace = aspace, .world = world};
    TRY(gomp_read_records(&gomp));
    TRY(gomp_find_creators(&gomp));
    gomp_find_idle(&gomp);
    TRY(gomp_find_teams(&gomp));
    TRY(gomp_find_targets(&gomp));
    TRY(gomp_enter_members(&gomp));
    TRY(gomp_find_new(&gomp));
    TRY(gomp_enter_threads(&gomp));
    TRY(believe(&gomp));
    TRY(gomp_find_tasks(&gomp));
    TRY(gomp_relate_tasks(&gomp));
    return gomp_find_waits(&gomp);
}

static ompd_rc_t openmp_version(aspace_t *aspace, ompd_word_t *ret)
{
    if (!lay_has(&aspace->lay, LAY_C_gomp_openmp_version))
        return ompd_rc_unavailable;
    *ret = (ompd_word_t)lay_constant(&aspace->lay, LAY_C_gomp_openmp_version);
    return ompd_rc_ok;
}

static ompd_rc_t version_string(aspace_t *aspace, const char **ret)
{
    const struct stock *stock = aspace->stock;
    return tgt_strdup(stock->row != NULL ? stock->row->name : "libgomp", ret);
}

/** Nothing of it is recorded; the primary thread's stack has the call. */
static ompd_rc_t complete_team(aspace_t *aspace, struct world *world, struct world_team *team)
{
    struct gomp gomp = {.aspace = aspace, .world = world};
    struct gomp_call call;
    TRY(gomp_team_call(&gomp, (int32_t)(team - world->teams), &call));
    team->codeptr = call.codeptr;
    return ompd_rc_ok;
}

static const struct world_family family = {
    .build = build,
    .complete_team = complete_team,
    .loop = gomp_loop,
    .icv = gomp_icv,
    .place = gomp_place,
    .openmp_version = openmp_version,
    .version_string = version_string,
};

const struct rtm_ops rtm_gomp = {.kind = "libgomp", .family = &family, .check = check, WORLD_OPS};
