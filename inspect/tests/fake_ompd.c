/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_ompd.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct fake_model *model;
static ompd_callbacks_t cb;

struct _ompd_aspace_handle {
    ompd_address_space_context_t *context;
};
struct _ompd_thread_handle {
    uint64_t id;
};
struct _ompd_parallel_handle {
    uint64_t id;
};
struct _ompd_task_handle {
    uint64_t id;
};

void fake_set_model(struct fake_model *m)
{
    model = m;
}

/* Counts a call; true: this one fails. */
static bool fails(void)
{
    return model && ++model->calls == model->fail_at;
}
#define ENTER()  \
    if (fails()) \
    return model->fail_rc

static ompd_rc_t new_handle(uint64_t id, void *ret)
{
    uint64_t *handle;
    ompd_rc_t rc = cb.alloc_memory(sizeof(*handle), (void **)&handle);

    if (rc != ompd_rc_ok)
        return rc;
    *handle = id;
    model->live_handles++;
    memcpy(ret, &handle, sizeof(handle));
    return ompd_rc_ok;
}

static ompd_rc_t release(void *handle)
{
    if (!handle)
        return ompd_rc_stale_handle;
    model->live_handles--;
    return cb.free_memory(handle);
}

static ompdx_thread_info_t *thread_of(uint64_t id)
{
    for (int i = 0; i < model->thread_count; i++)
        if (model->threads[i].id == id)
            return &model->threads[i];
    return NULL;
}

static int region_of(uint64_t id)
{
    for (int i = 0; i < model->region_count; i++)
        if (model->regions[i].info.id == id)
            return i;
    return -1;
}

static int task_of(uint64_t id)
{
    for (int i = 0; i < model->task_count; i++)
        if (model->tasks[i].info.id == id)
            return i;
    return -1;
}

static ompd_rc_t new_string(const char *text, const char **ret)
{
    char *copy;
    ompd_rc_t rc = cb.alloc_memory(strlen(text) + 1, (void **)&copy);

    if (rc != ompd_rc_ok)
        return rc;
    strcpy(copy, text);
    *ret = copy;
    return ompd_rc_ok;
}

ompd_rc_t ompd_initialize(ompd_word_t version, const ompd_callbacks_t *callbacks)
{
    if (version != 202411)
        return ompd_rc_unsupported;
    cb = *callbacks;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_api_version(ompd_word_t *version)
{
    *version = 202411;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_version_string(const char **string)
{
    *string = "fake OMPD 1";
    return ompd_rc_ok;
}

ompd_rc_t ompd_finalize(void)
{
    return ompd_rc_ok;
}

ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context, ompd_address_space_handle_t **ret)
{
    ompd_address_t table = {0};
    char magic[8];
    ompd_rc_t rc;

    ENTER();
    rc = cb.symbol_addr_lookup(context, NULL, "rt_layout_table", &table, NULL);
    if (cb.print_string)
        cb.print_string(rc != ompd_rc_ok && model->refusal ? model->refusal : "hello from the fake", 0);
    if (rc != ompd_rc_ok && (model->refuses || model->info.kind))
        rc = model->refuses;
    else if (rc == ompd_rc_ok)
        rc = cb.read_memory(context, NULL, &table, sizeof(magic), magic);
    if (rc != ompd_rc_ok)
        return rc;
    rc = new_handle(0, ret);
    if (rc == ompd_rc_ok)
        (*ret)->context = context;
    return rc;
}

ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
    return release(handle);
}

ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *aspace, ompd_word_t *version)
{
    (void)aspace;
    ENTER();
    *version = 202411;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *aspace, const char **string)
{
    (void)aspace;
    ENTER();
    return new_string("Fake runtime 1.0", string);
}

ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *aspace, ompd_thread_id_t kind, ompd_size_t size,
                                 const void *id, ompd_thread_handle_t **ret)
{
    uint64_t number = 0;

    (void)aspace;
    ENTER();
    if (size != (kind == OMPD_THREAD_ID_PTHREAD ? 8 : 4))
        return ompd_rc_bad_input;
    memcpy(&number, id, size);
    for (int i = 0; i < model->thread_count; i++)
        if (kind == OMPD_THREAD_ID_PTHREAD ? model->threads[i].pthread == number
                                           : (uint64_t)model->threads[i].tid == number)
            return new_handle(model->threads[i].id, ret);
    return ompd_rc_unavailable;
}

ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *handle)
{
    return release(handle);
}

ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *handle, ompd_thread_id_t kind, ompd_size_t size, void *id)
{
    const ompdx_thread_info_t *t = thread_of(handle->id);
    uint64_t number;

    ENTER();
    if (!t)
        return ompd_rc_stale_handle;
    number = kind == OMPD_THREAD_ID_PTHREAD ? t->pthread : (uint64_t)t->tid;
    memcpy(id, &number, size);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *handle, int num, ompd_thread_handle_t **ret)
{
    int r = region_of(handle->id);

    ENTER();
    if (r < 0)
        return ompd_rc_stale_handle;
    if (num < 0 || num >= model->regions[r].info.team_size)
        return ompd_rc_bad_input;
    return new_handle(model->regions[r].members[num], ret);
}

ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *handle, ompd_parallel_handle_t **ret)
{
    const ompdx_thread_info_t *t = thread_of(handle->id);

    ENTER();
    return t && t->region ? new_handle(t->region, ret) : ompd_rc_unavailable;
}

ompd_rc_t ompd_get_enclosing_parallel_handle(ompd_parallel_handle_t *handle, ompd_parallel_handle_t **ret)
{
    int r = region_of(handle->id);

    ENTER();
    return r >= 0 && model->regions[r].info.parent ? new_handle(model->regions[r].info.parent, ret)
                                                   : ompd_rc_unavailable;
}

ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *handle)
{
    return release(handle);
}

ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *a, ompd_parallel_handle_t *b, int *value)
{
    ENTER();
    *value = a->id < b->id ? -1 : a->id > b->id;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *handle, ompd_task_handle_t **ret)
{
    const ompdx_thread_info_t *t = thread_of(handle->id);

    ENTER();
    return t && t->task ? new_handle(t->task, ret) : ompd_rc_unavailable;
}

ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *handle, ompd_task_handle_t **ret)
{
    int t = task_of(handle->id);

    ENTER();
    return t >= 0 && model->tasks[t].info.generator ? new_handle(model->tasks[t].info.generator, ret)
                                                    : ompd_rc_unavailable;
}

ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *handle, ompd_task_handle_t **ret)
{
    int t = task_of(handle->id);

    ENTER();
    return t >= 0 && model->tasks[t].info.scheduled_over
               ? new_handle(model->tasks[t].info.scheduled_over, ret)
               : ompd_rc_unavailable;
}

ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *handle, ompd_parallel_handle_t **ret)
{
    int t = task_of(handle->id);

    ENTER();
    return t >= 0 ? new_handle(model->tasks[t].info.region, ret) : ompd_rc_unavailable;
}

ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *handle, int num, ompd_task_handle_t **ret)
{
    ENTER();
    for (int i = 0; i < model->task_count; i++)
        if (model->tasks[i].info.region == handle->id && model->tasks[i].info.flags & 3 &&
            model->tasks[i].info.thread_num == num)
            return new_handle(model->tasks[i].info.id, ret);
    return ompd_rc_bad_input;
}

ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *handle)
{
    return release(handle);
}

ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *a, ompd_task_handle_t *b, int *value)
{
    ENTER();
    *value = a->id < b->id ? -1 : a->id > b->id;
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_task_function(ompd_task_handle_t *handle, ompd_address_t *entry)
{
    int t = task_of(handle->id);

    ENTER();
    if (t < 0)
        return ompd_rc_stale_handle;
    entry->segment = 0;
    entry->address = model->tasks[t].info.function;
    return ompd_rc_ok;
}

ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *aspace, ompd_word_t at, ompd_word_t *next,
                                const char **name, ompd_word_t *more)
{
    (void)aspace;
    ENTER();
    *next = at == ompt_state_undefined ? 0 : 0x200;
    *more = at == ompt_state_undefined;
    return new_string(*more ? "ompt_state_work_serial" : "ompt_state_fake_own", name);
}

ompd_rc_t ompd_get_state(ompd_thread_handle_t *handle, ompd_word_t *state, ompd_wait_id_t *wait_id)
{
    const ompdx_thread_info_t *t = thread_of(handle->id);

    ENTER();
    if (!t)
        return ompd_rc_stale_handle;
    *state = t->state;
    if (wait_id)
        *wait_id = t->wait_id;
    return ompd_rc_ok;
}

/* Two names for one value, as in LLVM's list of 30. */
static const struct {
    const char *name;
    ompd_scope_t scope;
} icvs[] = {{"debug-var", ompd_scope_address_space}, {"nthreads-var", ompd_scope_task},
            {"thread-num-var", ompd_scope_thread},   {"ompd-thread-num-var", ompd_scope_thread},
            {"levels-var", ompd_scope_parallel},     {"team-size-var", ompd_scope_parallel},
            {"implicit-task-var", ompd_scope_task},  {"affinity-format-var", ompd_scope_address_space}};

ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *aspace, ompd_icv_id_t at, ompd_icv_id_t *next,
                              const char **name, ompd_scope_t *scope, int *more)
{
    (void)aspace;
    ENTER();
    *next = at + 1;
    *scope = icvs[at].scope;
    *more = at + 1 < sizeof(icvs) / sizeof(*icvs);
    return new_string(icvs[at].name, name);
}

static ompd_rc_t icv_value(void *handle, ompd_icv_id_t id, ompd_word_t *ret)
{
    const char *name = icvs[id - 1].name;
    int at;

    *ret = 1;
    if (!strcmp(name, "nthreads-var")) {
        *ret = 4;
        return ompd_rc_incomplete;
    }
    if (!strcmp(name, "affinity-format-var"))
        return ompd_rc_incompatible;
    if (strstr(name, "thread-num-var")) {
        const ompdx_thread_info_t *t = thread_of(*(uint64_t *)handle);

        *ret = t ? t->thread_num : 0;
    } else if (!strcmp(name, "levels-var") || !strcmp(name, "team-size-var")) {
        at = region_of(*(uint64_t *)handle);
        if (at < 0)
            return ompd_rc_stale_handle;
        *ret = *name == 'l' ? model->regions[at].info.level : model->regions[at].info.team_size;
    } else if (!strcmp(name, "implicit-task-var")) {
        at = task_of(*(uint64_t *)handle);
        *ret = at >= 0 && model->tasks[at].info.flags & 3;
    }
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t id, ompd_word_t *value)
{
    (void)scope;
    ENTER();
    return icv_value(handle, id, value);
}

ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t id,
                                         const char **string)
{
    char text[32];
    ompd_word_t value;
    ompd_rc_t rc;

    (void)scope;
    ENTER();
    if (!strcmp(icvs[id - 1].name, "nthreads-var"))
        return new_string("4,2", string);
    if (!strcmp(icvs[id - 1].name, "affinity-format-var"))
        return new_string("level %L thread %n", string);
    rc = icv_value(handle, id, &value);
    snprintf(text, sizeof(text), "%ld", (long)value);
    return rc == ompd_rc_ok ? new_string(text, string) : rc;
}

#ifdef WITH_EXT
ompd_rc_t ompdx_stop_begin(ompd_address_space_handle_t *aspace)
{
    ompd_address_t addr = {0, model->root};
    char buf[16];

    ENTER();
    if (model->in_bracket)
        return ompd_rc_unavailable;
    for (int i = 0; i < model->reads_in_bracket; i++)
        if (cb.read_memory(aspace->context, NULL, &addr, sizeof(buf), buf) != ompd_rc_ok)
            return ompd_rc_callback_error;
    model->in_bracket = 1;
    return ompd_rc_ok;
}

ompd_rc_t ompdx_stop_end(ompd_address_space_handle_t *aspace)
{
    (void)aspace;
    if (!model->in_bracket)
        return ompd_rc_unavailable;
    model->in_bracket = 0;
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_runtime_info(ompd_address_space_handle_t *aspace, ompdx_runtime_info_t *info)
{
    (void)aspace;
    ENTER();
    if (model->info.kind) {
        uint64_t size = info->size;

        *info = model->info;
        info->size = size;
        return ompd_rc_ok;
    }
    info->kind = "companion";
    info->layout_major = 1;
    info->layout_minor = 2;
    info->code_start = model->code_start;
    info->code_end = model->code_end;
    return ompd_rc_ok;
}

static ompd_rc_t new_handles(const uint64_t *ids, int count, void ***ret, int *ret_count)
{
    void **handles;
    ompd_rc_t rc = cb.alloc_memory((ompd_size_t)count * sizeof(*handles) + 1, (void **)&handles);

    for (int i = 0; rc == ompd_rc_ok && i < count; i++)
        rc = new_handle(ids[i], &handles[i]);
    if (rc != ompd_rc_ok)
        return rc;
    *ret = handles;
    *ret_count = count;
    return rc;
}

ompd_rc_t ompdx_get_all_threads(ompd_address_space_handle_t *aspace, ompd_thread_handle_t ***handles,
                                int *count)
{
    uint64_t ids[FAKE_THREADS];

    (void)aspace;
    ENTER();
    for (int i = 0; i < model->thread_count; i++)
        ids[i] = model->threads[i].id;
    return new_handles(ids, model->thread_count, (void ***)handles, count);
}

ompd_rc_t ompdx_get_all_parallels(ompd_address_space_handle_t *aspace, ompd_parallel_handle_t ***handles,
                                  int *count)
{
    uint64_t ids[FAKE_REGIONS];

    (void)aspace;
    ENTER();
    for (int i = 0; i < model->region_count; i++)
        ids[i] = model->regions[i].info.id;
    return new_handles(ids, model->region_count, (void ***)handles, count);
}

ompd_rc_t ompdx_get_all_tasks(ompd_address_space_handle_t *aspace, ompd_task_handle_t ***handles, int *count)
{
    uint64_t ids[FAKE_TASKS];

    (void)aspace;
    ENTER();
    for (int i = 0; i < model->task_count; i++)
        ids[i] = model->tasks[i].info.id;
    return new_handles(ids, model->task_count, (void ***)handles, count);
}

ompd_rc_t ompdx_get_thread_info(ompd_thread_handle_t *handle, ompdx_thread_info_t *info)
{
    const ompdx_thread_info_t *t = thread_of(handle->id);

    ENTER();
    if (!t)
        return ompd_rc_stale_handle;
    *info = *t;
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_parallel_info(ompd_parallel_handle_t *handle, ompdx_parallel_info_t *info)
{
    int r = region_of(handle->id);

    ENTER();
    if (r < 0)
        return ompd_rc_stale_handle;
    *info = model->regions[r].info;
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_barrier_arrivals(ompd_parallel_handle_t *handle, int **nums, int *count)
{
    int r = region_of(handle->id);
    ompd_rc_t rc;

    ENTER();
    if (r < 0)
        return ompd_rc_stale_handle;
    *count = model->regions[r].arrival_count;
    *nums = NULL;
    if (!*count)
        return ompd_rc_ok;
    rc = cb.alloc_memory((ompd_size_t)*count * sizeof(int), (void **)nums);
    if (rc == ompd_rc_ok)
        memcpy(*nums, model->regions[r].arrivals, (size_t)*count * sizeof(int));
    return rc;
}

ompd_rc_t ompdx_get_task_info(ompd_task_handle_t *handle, ompdx_task_info_t *info)
{
    int t = task_of(handle->id);

    ENTER();
    if (t < 0)
        return ompd_rc_stale_handle;
    *info = model->tasks[t].info;
    return ompd_rc_ok;
}

ompd_rc_t ompdx_get_task_predecessors(ompd_task_handle_t *handle, uint64_t **ids, int *count)
{
    int t = task_of(handle->id);
    ompd_rc_t rc;

    ENTER();
    if (t < 0)
        return ompd_rc_stale_handle;
    *count = model->tasks[t].pred_count;
    *ids = NULL;
    if (!*count)
        return ompd_rc_ok;
    rc = cb.alloc_memory((ompd_size_t)*count * sizeof(uint64_t), (void **)ids);
    if (rc == ompd_rc_ok)
        memcpy(*ids, model->tasks[t].preds, (size_t)*count * sizeof(uint64_t));
    return rc;
}
#endif
