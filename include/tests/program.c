/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses every type of omp.h the way 5.0 to 6.0 show it; compiled, never run. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void locks(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_destroy_lock(&lock);
    omp_init_lock_with_hint(&lock, omp_lock_hint_contended);
    omp_init_nest_lock_with_hint(&nest,
                                 (omp_sync_hint_t)(omp_sync_hint_contended | omp_sync_hint_speculative));
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock))
            omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        if (omp_test_nest_lock(&nest) == 2)
            omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    omp_destroy_nest_lock(&nest);
    omp_destroy_lock(&lock);
}

static void tasks(void)
{
    int value = 0;
    omp_depend_t object;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp depobj(object) depend(inout : value)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(depobj : object) detach(event)
        {value++;
    omp_fulfill_event(event);
}
#pragma omp taskwait
}
#pragma omp depobj(object) destroy
(void)object;
(void)event;
}

static void memory(void)
{
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 64}, {omp_atk_fallback, omp_atv_null_fb}, {omp_atk_access, omp_atv_default}};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 3, traits);
    char *text = (char *)omp_alloc(100, allocator);
    int local;
#ifdef __clang__ /* gcc 12 does not know it */
#pragma omp allocate(local) allocator(omp_default_mem_alloc)
#endif
    local = allocator == omp_null_allocator;
    text = (char *)omp_realloc(text, (size_t)200 + (size_t)local, allocator, allocator);
    omp_free(text, omp_null_allocator);
    omp_destroy_allocator(allocator);
    omp_set_default_allocator(omp_get_default_allocator());
    omp_free(omp_calloc(2, 3, omp_high_bw_mem_alloc), omp_high_bw_mem_alloc);
}

static void affinity(void)
{
    char buffer[100];
    omp_set_affinity_format("%n");
    omp_display_affinity(NULL);
    if (omp_get_affinity_format(buffer, sizeof(buffer)) < sizeof(buffer))
        omp_capture_affinity(buffer, sizeof(buffer), "%H");
    if (omp_get_proc_bind() == omp_proc_bind_master && omp_proc_bind_primary == omp_proc_bind_master)
        puts(buffer);
}

static void devices(void)
{
    omp_interop_t other = omp_interop_none;
    size_t one[1] = {1};
    char a[2] = "a";
    char b[2] = "b";
    int host = omp_get_initial_device();
    if (omp_get_default_device() == omp_invalid_device || host == omp_initial_device)
        omp_set_default_device(omp_initial_device);
    omp_target_memcpy(a, b, 1, 0, 0, host, host);
    omp_target_memcpy_rect(a, b, 1, 1, one, one, one, one, one, host, host);
    omp_target_memcpy_async(a, b, 1, 0, 0, host, host, 0, NULL);
    omp_get_interop_int(other, omp_ipr_vendor, NULL);
    omp_pause_resource(omp_pause_soft, host);
    if (omp_control_tool(omp_control_tool_start, 0, NULL) == omp_control_tool_notool)
        omp_display_env(0);
}

int main(void)
{
    omp_sched_t kind;
    int chunk;
    omp_set_schedule((omp_sched_t)(omp_sched_dynamic | omp_sched_monotonic), 3);
    omp_get_schedule(&kind, &chunk);
    omp_set_nested(1);
    locks();
    tasks();
    memory();
    affinity();
    devices();
    return omp_get_wtime() > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
