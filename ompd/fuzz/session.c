/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "ompd/fuzz/places.h"

#define IMAGES_MAX 32
#define ICVS_MAX   256

static struct session sessions[IMAGES_MAX];
static ompd_scope_t scopes[ICVS_MAX];
static ompd_word_t version_now;
static int64_t live_between;

static void expect(ompd_rc_t rc, const char *what)
{
    if (rc == ompd_rc_ok)
        return;
    fprintf(stderr, "on a sound image: %s returned %d\n", what, rc);
    abort();
}
#define OK(call) expect(call, #call)

static void initialize(ompd_word_t version)
{
    const ompd_rc_t rc = ompd_initialize(version, &host_callbacks);
    call_codes[CALL_ompd_initialize][rc]++;
    expect(rc, "ompd_initialize");
    version_now = version;
}

static void learn_scopes(ompd_address_space_handle_t *aspace)
{
    ompd_icv_id_t id = ompd_icv_undefined;
    for (int more = 1; more != 0;) {
        const char *name;
        ompd_scope_t scope;
        OK(ompd_enumerate_icvs(aspace, id, &id, &name, &scope, &more));
        host_free(name);
        if (id < ICVS_MAX)
            scopes[id] = scope;
    }
}

/** Keeps the first two and the last two of a list in the registers. */
static void keep(void **all, int count, void **registers, ompd_rc_t (*release)(void *))
{
    for (int i = 0; i < count; i++) {
        if (i < REGISTERS / 2)
            registers[i] = all[i];
        else if (count - 1 - i < REGISTERS / 2)
            registers[REGISTERS - (count - i)] = all[i];
        else
            OK(release(all[i]));
    }
    host_free(all);
}

static ompd_rc_t release_thread(void *handle)
{
    return ompd_rel_thread_handle(handle);
}
static ompd_rc_t release_parallel(void *handle)
{
    return ompd_rel_parallel_handle(handle);
}
static ompd_rc_t release_task(void *handle)
{
    return ompd_rel_task_handle(handle);
}

static void learn_threads(struct session *s, ompd_thread_handle_t **all, int count)
{
    s->threads = count < 8 ? count : 8;
    for (int i = 0; i < s->threads; i++) {
        uint32_t tid = 0;
        OK(ompd_get_thread_id(all[i], OMPD_THREAD_ID_PTHREAD, s->mem->pointer, &s->pthread[i]));
        OK(ompd_get_thread_id(all[i], OMPD_THREAD_ID_LWP, 4, &tid));
        s->tid[i] = tid;
    }
    OK(ompd_get_state(all[0], &s->state, NULL));
}

static void open_session(struct session *s, struct mem *mem)
{
    ompd_thread_handle_t **threads;
    ompd_parallel_handle_t **regions;
    ompd_task_handle_t **tasks;
    int count;
    s->mem = mem;
    OK(ompd_process_initialize((ompd_address_space_context_t *)mem, &s->aspace));
    learn_scopes(s->aspace);
    OK(ompdx_get_all_threads(s->aspace, &threads, &count));
    learn_threads(s, threads, count);
    keep((void **)threads, count, (void **)s->thread, release_thread);
    OK(ompdx_get_all_parallels(s->aspace, &regions, &count));
    keep((void **)regions, count, (void **)s->parallel, release_parallel);
    OK(ompdx_get_all_tasks(s->aspace, &tasks, &count));
    keep((void **)tasks, count, (void **)s->task, release_task);
}

static void close_sessions(void)
{
    for (unsigned i = 0; i < IMAGES_MAX; i++) {
        struct session *s = &sessions[i];
        if (s->mem == NULL)
            continue;
        for (unsigned r = 0; r < REGISTERS; r++) {
            if (s->thread[r] != NULL)
                OK(ompd_rel_thread_handle(s->thread[r]));
            if (s->parallel[r] != NULL)
                OK(ompd_rel_parallel_handle(s->parallel[r]));
            if (s->task[r] != NULL)
                OK(ompd_rel_task_handle(s->task[r]));
        }
        OK(ompd_rel_address_space_handle(s->aspace));
        *s = (struct session){0};
    }
    if (host.live != (int64_t)call_kept)
        call_violation(CALL_COUNT, "memory was not given back");
}

const struct session *session_of(const struct mem *mem)
{
    for (unsigned i = 0; i < IMAGES_MAX; i++)
        if (sessions[i].mem == mem)
            return &sessions[i];
    abort();
}

uint64_t session_native(const struct mem *mem, unsigned i, bool lwp)
{
    const struct session *s = session_of(mem);
    return lwp ? s->tid[i % (unsigned)s->threads] : s->pthread[i % (unsigned)s->threads];
}

ompd_scope_t session_scope(unsigned icv)
{
    return icv < ICVS_MAX && scopes[icv] != 0 ? scopes[icv] : ompd_scope_task;
}

/** Fills the registers from the image's session, which is made when there is none. */
static void begin(struct calls *calls, struct mem *mem, struct session *s)
{
    if (s->mem == NULL)
        open_session(s, mem);
    live_between = host.live - (int64_t)kept_blocks() - (int64_t)call_kept;
    *calls = (struct calls){.mem = mem, .aspace = {s->aspace, NULL}};
    memcpy(calls->thread, s->thread, sizeof s->thread);
    memcpy(calls->parallel, s->parallel, sizeof s->parallel);
    memcpy(calls->task, s->task, sizeof s->task);
}

void session_begin(struct calls *calls, unsigned image, uint8_t how)
{
    /* Another version is rare: everything must be made anew for it. */
    static const ompd_word_t versions[32] = {[1] = 202111, [2] = 202011, [3] = 201811};
    const ompd_word_t version = versions[how % 32] != 0 ? versions[how % 32] : 202411;
    image %= mem_file_count;
    host_clear_failures();
    if (version != version_now) {
        close_sessions();
        if (version_now != 0) {
            OK(ompd_finalize());
            call_kept = 0;
        }
        initialize(version);
    }
    struct mem *mem = mem_get(image);
    if (mem->place_count == 0)
        places_find(mem);
    begin(calls, mem, &sessions[image]);
}

void call_must(ompd_rc_t rc, unsigned function)
{
    if (rc != ompd_rc_ok)
        call_violation(function, "a handle of the library's own cannot be released");
}

void call_put_thread(struct calls *c, unsigned i, ompd_thread_handle_t *handle)
{
    if (c->thread[i] != session_of(c->mem)->thread[i] && c->thread[i] != NULL)
        call_must(ompd_rel_thread_handle(c->thread[i]), CALL_ompd_rel_thread_handle);
    c->thread[i] = handle;
}
void call_put_parallel(struct calls *c, unsigned i, ompd_parallel_handle_t *handle)
{
    if (c->parallel[i] != session_of(c->mem)->parallel[i] && c->parallel[i] != NULL)
        call_must(ompd_rel_parallel_handle(c->parallel[i]), CALL_ompd_rel_parallel_handle);
    c->parallel[i] = handle;
}
void call_put_task(struct calls *c, unsigned i, ompd_task_handle_t *handle)
{
    if (c->task[i] != session_of(c->mem)->task[i] && c->task[i] != NULL)
        call_must(ompd_rel_task_handle(c->task[i]), CALL_ompd_rel_task_handle);
    c->task[i] = handle;
}

/** Releases all registers but aspace[0], and closes its bracket. */
static void calls_clear(struct calls *c)
{
    call_must(ompdx_trace(0), CALL_ompdx_trace);
    for (unsigned i = 0; i < REGISTERS; i++) {
        call_put_thread(c, i, session_of(c->mem)->thread[i]);
        call_put_parallel(c, i, session_of(c->mem)->parallel[i]);
        call_put_task(c, i, session_of(c->mem)->task[i]);
    }
    if (c->bracket[0])
        call_must(ompdx_stop_end(c->aspace[0]), CALL_ompdx_stop_end);
    if (c->aspace[1] != NULL)
        call_must(ompd_rel_address_space_handle(c->aspace[1]), CALL_ompd_rel_address_space_handle);
    c->aspace[1] = NULL;
    c->bracket[0] = c->bracket[1] = false;
}

ompd_rc_t session_restart(struct calls *calls)
{
    struct session *s = &sessions[session_of(calls->mem) - sessions];
    struct mem *mem = calls->mem;
    host_clear_failures();
    calls_clear(calls);
    close_sessions();
    const ompd_rc_t rc = ompd_finalize();
    expect(rc, "ompd_finalize");
    call_kept = 0;
    if (host.live != 0)
        call_violation(CALL_ompd_finalize, "layouts were not given back");
    if (ompd_finalize() == ompd_rc_ok)
        call_violation(CALL_ompd_finalize, "finalised twice");
    initialize(version_now);
    if (mem_is_damaged(mem)) {
        call_damaged[CALL_ompd_initialize][ompd_rc_ok] = 1;
        call_damaged[CALL_ompd_finalize][ompd_rc_ok] = 1;
    }
    mem_heal(mem);
    begin(calls, mem, s);
    return rc;
}

void session_end(struct calls *calls)
{
    const struct session *s = session_of(calls->mem);
    ompd_word_t state = -1;
    ompd_thread_handle_t *thread;
    host_clear_failures();
    calls_clear(calls);
    mem_heal(calls->mem);
    if (host.live - (int64_t)kept_blocks() != live_between + (int64_t)call_kept)
        call_violation(CALL_COUNT, "memory was not given back");
    /* What a handle has learnt of a damaged process is not of this one. */
    OK(ompdx_stop_begin(s->aspace));
    OK(ompdx_stop_end(s->aspace));
    OK(ompd_get_thread_handle(s->aspace, OMPD_THREAD_ID_PTHREAD, s->mem->pointer, &s->pthread[0], &thread));
    OK(ompd_get_state(thread, &state, NULL));
    OK(ompd_rel_thread_handle(thread));
    if (state != s->state)
        call_violation(CALL_ompd_get_state, "does not answer as before the damage");
}
