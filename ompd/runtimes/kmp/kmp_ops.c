/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: the steps in which a world is made, and what of the process is the same at all times.
 */
#include "runtimes/kmp/kmp.h"

#include "runtimes/kmp/kmp_loops.h"
#include "runtimes/kmp/kmp_turns.h"
#include "runtimes/world/world_ops.h"

static ompd_rc_t build(aspace_t *aspace, struct world *world)
{
    struct kmp *kmp = NULL;
    TRY(brk_alloc(&aspace->brk, sizeof *kmp, &kmp));
    *kmp = (struct kmp){.aspace = aspace, .world = world, .stock = aspace->stock};
    TRY(kmp_read_threads(kmp));
    TRY(kmp_read_teams(kmp));
    TRY(kmp_place(kmp));
    TRY(kmp_judge(kmp));
    TRY(kmp_read_tasks(kmp));
    TRY(kmp_name_turns(kmp));
    return kmp_set_arrivals(kmp);
}

/** What libomp never tells, and what this layout lacks. */
static void say_lacks(aspace_t *aspace)
{
    const struct lay *lay = &aspace->lay;
    struct stock *stock = aspace->stock;
    stock_lack(stock, ompdx_ability_owners,
               "libomp records who holds a lock only of nest locks, of the kinds tas and futex, and of all "
               "with KMP_CONSISTENCY_CHECK=all");
    if (!lay_has(lay, LAY_F_kmp_thread_data_deque) || !lay_has(lay, LAY_F_kmp_task_team_threads_data))
        stock_lack(stock, ompdx_ability_tasks, "the layout of libomp's queues of tasks is not known");
    if (!lay_has(lay, LAY_F_kmp_depnode_successors) || !lay_has(lay, LAY_F_kmp_taskdata_depnode))
        stock_lack(stock, ompdx_ability_dependences, "the layout of libomp's dependences is not known");
    if (!lay_has(lay, LAY_F_kmp_internal_control_nproc))
        stock_lack(stock, ompdx_ability_icvs, "the layout of libomp's control variables is not known");
    if (stock->row == NULL || stock_slot(stock, "__kmpc_set_lock") == NULL)
        stock_lack(stock, ompdx_ability_mutexes,
                   "where libomp's frames keep the address of a lock is not known");
}

static ompd_rc_t check(aspace_t *aspace)
{
    static const uint16_t structures[] = {LAY_S_kmp_info,
                                          LAY_F_kmp_info_ds_thread,
                                          LAY_F_kmp_info_ds_tid,
                                          LAY_F_kmp_info_team,
                                          LAY_F_kmp_info_current_task,
                                          LAY_S_kmp_team,
                                          LAY_F_kmp_team_nproc,
                                          LAY_F_kmp_team_threads,
                                          LAY_V_kmp_threads,
                                          0};
    TRY(lay_require(&aspace->lay, structures));
    stock_note_missing(aspace);
    say_lacks(aspace);
    return ompd_rc_ok;
}

static ompd_rc_t openmp_version(aspace_t *aspace, ompd_word_t *ret)
{
    if (!lay_has(&aspace->lay, LAY_C_kmp_openmp_version))
        return ompd_rc_unsupported;
    *ret = (ompd_word_t)lay_constant(&aspace->lay, LAY_C_kmp_openmp_version);
    return ompd_rc_ok;
}

static ompd_rc_t version_string(aspace_t *aspace, const char **ret)
{
    return tgt_strdup(aspace->stock->row != NULL ? aspace->stock->row->name : "LLVM libomp", ret);
}

static const struct world_family family = {.build = build,
                                           .loop = kmp_loop,
                                           .icv = kmp_icv,
                                           .openmp_version = openmp_version,
                                           .version_string = version_string};

const struct rtm_ops rtm_kmp = {.kind = "libomp", .family = &family, .check = check, WORLD_OPS};
