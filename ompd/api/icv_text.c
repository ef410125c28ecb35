/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Control variables spelled as their environment variables are (OpenMP 6.0 chapter 4); those that have no
 * variable as numbers, true or false, or the word of omp-tools.h.
 */
#include "api/icv_text.h"

/** How an ICV is written. */
enum spelling {
    NUMBERS, /**< a number, or several with commas between */
    BOOLEAN, /**< true, false */
    SWITCH,  /**< enabled, disabled */
    BYTES,   /**< a number and B */
    BINDS,
    SCHEDULE,
    POLICY,
    OFFLOAD,
    GENERATOR,
    DEVICE,
    ALLOCATOR,
    BY_ADAPTER /**< rtm_ops.icv_text */
};

static const enum spelling spellings[RTM_ICVS] = {
    [RTM_ICV_RUN_SCHED] = SCHEDULE,
    [RTM_ICV_DEF_SCHED] = SCHEDULE,
    [RTM_ICV_DYN] = BOOLEAN,
    [RTM_ICV_FINAL_TASK] = BOOLEAN,
    [RTM_ICV_EXPLICIT_TASK] = BOOLEAN,
    [RTM_ICV_IMPLICIT_TASK] = BOOLEAN,
    [RTM_ICV_FREE_AGENT] = BOOLEAN,
    [RTM_ICV_CANCEL] = BOOLEAN,
    [RTM_ICV_DISPLAY_AFFINITY] = BOOLEAN,
    [RTM_ICV_DEBUG] = SWITCH,
    [RTM_ICV_TOOL] = SWITCH,
    [RTM_ICV_STACKSIZE] = BYTES,
    [RTM_ICV_BIND] = BINDS,
    [RTM_ICV_WAIT_POLICY] = POLICY,
    [RTM_ICV_TARGET_OFFLOAD] = OFFLOAD,
    [RTM_ICV_TEAM_GENERATOR] = GENERATOR,
    [RTM_ICV_DEFAULT_DEVICE] = DEVICE,
    [RTM_ICV_DEF_ALLOCATOR] = ALLOCATOR,
    [RTM_ICV_PLACE_PARTITION] = BY_ADAPTER,
    [RTM_ICV_AFFINITY_FORMAT] = BY_ADAPTER,
    [RTM_ICV_TOOL_LIBRARIES] = BY_ADAPTER,
    [RTM_ICV_TOOL_VERBOSE_INIT] = BY_ADAPTER,
};

static void add_named(struct grown *text, int64_t item, const char *const *names, int64_t count)
{
    if (names != NULL && item >= 0 && item < count)
        grown_add(text, names[item]);
    else
        grown_add_int(text, item);
}

static void add_schedule(struct grown *text, int64_t kind, int64_t chunk)
{
    static const char *const names[] = {"0", "static", "dynamic", "guided", "auto"}; /* omp_sched_t */
    const int64_t monotonic = 0x80000000;
    if ((kind & monotonic) != 0)
        grown_add(text, "monotonic:");
    add_named(text, kind & ~monotonic, names, 5);
    if (chunk != 0) {
        grown_add(text, ",");
        grown_add_int(text, chunk);
    }
}

static void add_list(struct grown *text, const struct rtm_icv_value *value, const char *const *names,
                     int64_t count)
{
    for (uint32_t i = 0; i < value->count; i++) {
        if (i != 0)
            grown_add(text, ",");
        add_named(text, value->item[i], names, count);
    }
    text->cut |= value->cut;
}

/** Predefined handles have the numbers of omp_allocator_handle_t. */
static const char *allocator_name(int64_t handle)
{
    static const char *const names[] = {
        "omp_null_allocator",   "omp_default_mem_alloc", "omp_large_cap_mem_alloc",
        "omp_const_mem_alloc",  "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",
        "omp_cgroup_mem_alloc", "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};
    static const struct {
        int64_t handle;
        const char *name;
    } others[] = {/* of clang's omp.h and of gcc's */
                  {100, "llvm_omp_target_host_mem_alloc"},
                  {101, "llvm_omp_target_shared_mem_alloc"},
                  {102, "llvm_omp_target_device_mem_alloc"},
                  {200, "ompx_gnu_pinned_mem_alloc"}};
    if (handle >= 0 && handle < (int64_t)(sizeof names / sizeof names[0]))
        return names[handle];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].handle == handle)
            return others[i].name;
    return NULL;
}

static void spell(enum spelling how, const struct rtm_icv_value *value, struct grown *text)
{
    static const char *const booleans[] = {"false", "true"};
    static const char *const switches[] = {"disabled", "enabled"};
    static const char *const binds[] = {"false", "true", "primary", "close", "spread"}; /* omp_proc_bind_t */
    static const char *const binds_50[] = {"false", "true", "master", "close", "spread"};
    /* Unset: Companion's threads spin for a while and then sleep, which is passive. */
    static const char *const policies[] = {"passive", "active", "passive"};
    static const char *const offloads[] = {"default", "mandatory", "disabled"};
    static const char *const generators[] = {"program", "parallel", "teams", "target"};
    const int64_t first = value->item[0], invalid_device = -4; /* omp_invalid_device */
    switch (how) {
    case BOOLEAN:
        grown_add(text, booleans[first != 0]);
        break;
    case SWITCH:
        grown_add(text, switches[first != 0]);
        break;
    case BYTES:
        grown_add_int(text, first);
        grown_add(text, "B");
        break;
    case BINDS:
        add_list(text, value, tgt_lib.version < OMPD_VERSION_51 ? binds_50 : binds, 5);
        break;
    case SCHEDULE:
        add_schedule(text, first, value->count > 1 ? value->item[1] : 0);
        break;
    case POLICY:
        add_named(text, first, policies, 3);
        break;
    case OFFLOAD:
        add_named(text, first, offloads, 3);
        break;
    case GENERATOR:
        add_named(text, first, generators, 4);
        break;
    case DEVICE: /* 6.0 has a word for it */
        if (first == invalid_device && tgt_lib.version >= OMPD_VERSION_60)
            grown_add(text, "invalid");
        else
            grown_add_int(text, first);
        break;
    default:
        add_list(text, value, NULL, 0);
        break;
    }
}

ompd_rc_t icv_text(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                   struct grown *text)
{
    const enum spelling how = spellings[icv];
    struct rtm_icv_value value;
    if (how == BY_ADAPTER)
        return aspace->rt->icv_text(aspace, icv, ref, scope, text);
    TRY(aspace->rt->icv(aspace, icv, ref, scope, &value));
    if (how != ALLOCATOR) {
        spell(how, &value, text);
        return ompd_rc_ok;
    }
    const char *name = allocator_name(value.item[0]);
    if (name == NULL) /* made by the program or from OMP_ALLOCATOR */
        return aspace->rt->icv_text(aspace, icv, ref, scope, text);
    grown_add(text, name);
    return ompd_rc_ok;
}
