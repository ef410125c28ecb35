/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A debugger of 2016: written to the early draft's names, and to no others. It stops a process, or opens a
 * core, and prints all that the draft can ask, as JSON. Usage: draft_debugger PID|CORE [LIBRARY]
 *
 * Built twice: linked with the library, and (with OMPD_DRAFT_LOADED) loading it, as debuggers do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draft_process.h"
#include "ompd-draft.h"

struct _ompd_address_space_context_s {
    struct process process;
};

/* One for each native thread, at the same place as its os_thread. */
struct _ompd_thread_context_s {
    ompd_address_space_context_t *address_space;
    const struct os_thread *thread;
};

static ompd_address_space_context_t target;
static ompd_thread_context_t thread_contexts[PROCESS_THREADS_MAX];
static long blocks; /* allocated and not freed */

/* The callbacks. */

static ompd_rc_t allocate(ompd_size_t bytes, void **ptr)
{
    void *block = malloc(bytes);
    if (block == NULL)
        return ompd_rc_nomem;
    blocks++;
    *ptr = block;
    return ompd_rc_ok;
}

static ompd_rc_t deallocate(void *ptr)
{
    blocks -= ptr != NULL;
    free(ptr);
    return ompd_rc_ok;
}

static ompd_rc_t print(const char *string)
{
    fputs(string, stderr);
    return ompd_rc_ok;
}

static ompd_rc_t type_sizes(ompd_address_space_context_t *context, ompd_target_type_sizes_t *sizes)
{
    if (context != &target)
        return ompd_rc_bad_input;
    sizes->sizeof_char = sizeof(char);
    sizes->sizeof_short = sizeof(short);
    sizes->sizeof_int = sizeof(int);
    sizes->sizeof_long = sizeof(long);
    sizes->sizeof_long_long = sizeof(long long);
    sizes->sizeof_pointer = sizeof(void *);
    return ompd_rc_ok;
}

static ompd_rc_t symbol_address(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                                const char *name, ompd_address_t *address)
{
    ompd_taddr_t found;
    if (thread != NULL)
        return ompd_rc_unsupported; /* no thread-local variables here */
    if (process_symbol(&context->process, name, &found) != 0)
        return ompd_rc_error;
    address->segment = OMPD_SEGMENT_UNSPECIFIED;
    address->address = found;
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_tword_t nbytes, void *buffer)
{
    (void)thread;
    if (address->segment != OMPD_SEGMENT_UNSPECIFIED || nbytes < 0)
        return ompd_rc_bad_input;
    if (process_read(&context->process, address->address, buffer, (size_t)nbytes) != 0)
        return ompd_rc_target_read_error;
    return ompd_rc_ok;
}

static ompd_rc_t write_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                              const ompd_address_t *address, ompd_tword_t nbytes, const void *buffer)
{
    (void)context;
    (void)thread;
    (void)address;
    (void)nbytes;
    (void)buffer;
    return ompd_rc_target_write_error; /* it only looks */
}

static ompd_rc_t same_order(ompd_address_space_context_t *context, const void *input, int unit_size,
                            int count, void *output)
{
    (void)context;
    memmove(output, input, (size_t)unit_size * (size_t)count);
    return ompd_rc_ok;
}

static ompd_rc_t thread_context(ompd_address_space_context_t *context, ompd_osthread_kind_t kind,
                                ompd_size_t sizeof_osthread, const void *osthread,
                                ompd_thread_context_t **thread)
{
    if (kind == ompd_osthread_winthread || sizeof_osthread > sizeof(uint64_t))
        return ompd_rc_unsupported;
    for (int i = 0; i < context->process.thread_count; i++) {
        const struct os_thread *candidate = &context->process.threads[i];
        const uint64_t id = kind == ompd_osthread_pthread ? candidate->pthread : (uint64_t)candidate->lwp;
        if (memcmp(&id, osthread, sizeof_osthread) == 0) {
            thread_contexts[i].address_space = context;
            thread_contexts[i].thread = candidate;
            *thread = &thread_contexts[i];
            return ompd_rc_ok;
        }
    }
    return ompd_rc_unavailable;
}

static ompd_rc_t address_space_of(ompd_thread_context_t *thread, ompd_address_space_context_t **context)
{
    *context = thread->address_space;
    return ompd_rc_ok;
}

static const ompd_callbacks_t callbacks = {
    .d_alloc_memory = allocate,
    .d_free_memory = deallocate,
    .print_string = print,
    .t_sizeof_prim_type = type_sizes,
    .t_symbol_addr_lookup = symbol_address,
    .t_read_memory = read_memory,
    .t_write_memory = write_memory,
    .target_to_host = same_order,
    .host_to_target = same_order,
    .get_thread_context_for_osthread = thread_context,
    .get_address_space_context_for_thread = address_space_of,
};

/* What it prints. Any code that was not expected ends it. */

static __attribute__((noreturn)) void fail(const char *what, ompd_rc_t rc)
{
    fprintf(stderr, "draft_debugger: %s: code %d\n", what, (int)rc);
    exit(4);
}

#define MUST(call)                \
    do {                          \
        ompd_rc_t must_ = (call); \
        if (must_ != ompd_rc_ok)  \
            fail(#call, must_);   \
    } while (0)
#define MUST_BE(condition) MUST((condition) ? ompd_rc_ok : ompd_rc_error)

static const char *state_name(ompd_state_t state)
{
    switch (state) {
    case ompd_state_work_serial:
        return "work_serial";
    case ompd_state_work_parallel:
        return "work_parallel";
    case ompd_state_work_reduction:
        return "work_reduction";
    case ompd_state_idle:
        return "idle";
    case ompd_state_overhead:
        return "overhead";
    case ompd_state_wait_barrier:
        return "wait_barrier";
    case ompd_state_wait_barrier_implicit:
        return "wait_barrier_implicit";
    case ompd_state_wait_barrier_explicit:
        return "wait_barrier_explicit";
    case ompd_state_wait_taskwait:
        return "wait_taskwait";
    case ompd_state_wait_taskgroup:
        return "wait_taskgroup";
    case ompd_state_wait_mutex:
        return "wait_mutex";
    case ompd_state_wait_lock:
        return "wait_lock";
    case ompd_state_wait_critical:
        return "wait_critical";
    case ompd_state_wait_atomic:
        return "wait_atomic";
    case ompd_state_wait_ordered:
        return "wait_ordered";
    default:
        return "undefined";
    }
}

static void print_word(const char *name, ompd_rc_t rc, ompd_tword_t word)
{
    if (rc != ompd_rc_ok)
        fail(name, rc);
    printf(",\"%s\":%lld", name, (long long)word);
}

static void print_id(const char *name, ompd_rc_t rc, char *id)
{
    if (rc != ompd_rc_ok)
        fail(name, rc);
    printf(",\"%s\":\"%s\"", name, id);
    MUST(deallocate(id));
}

#define PRINT_WORD(name, routine, handle)        \
    do {                                         \
        ompd_tword_t word_ = -77;                \
        ompd_rc_t rc_ = routine(handle, &word_); \
        print_word(name, rc_, word_);            \
    } while (0)
#define PRINT_ID(name, routine, handle)        \
    do {                                       \
        char *id_ = NULL;                      \
        ompd_rc_t rc_ = routine(handle, &id_); \
        print_id(name, rc_, id_);              \
    } while (0)

static int lwp_of(ompd_thread_handle_t *thread)
{
    int lwp;
    MUST(ompd_get_osthread(thread, ompd_osthread_lwp, sizeof lwp, &lwp));
    return lwp;
}

/* A task, and through its generating tasks all that are further out. */
static void print_task(ompd_task_handle_t *task)
{
    ompd_address_t function = {0}, leave = {0}, enter = {0};
    ompd_sched_t kind;
    ompd_tword_t modifier;
    ompd_proc_bind_t bind;
    ompd_task_handle_t *outer;
    ompd_parallel_handle_t *region = NULL;
    ompd_rc_t rc = ompd_get_task_function(task, &function);

    printf("{\"function\":%llu", rc == ompd_rc_ok ? (unsigned long long)function.address : 0);
    PRINT_ID("id", ompd_get_task_handle_string_id, task);
    PRINT_WORD("level", ompd_get_level, task);
    PRINT_WORD("active_level", ompd_get_active_level, task);
    PRINT_WORD("in_parallel", ompd_in_parallel, task);
    PRINT_WORD("in_final", ompd_in_final, task);
    PRINT_WORD("implicit", ompd_is_implicit, task);
    PRINT_WORD("max_threads", ompd_get_max_threads, task);
    PRINT_WORD("dynamic", ompd_get_dynamic, task);
    PRINT_WORD("nested", ompd_get_nested, task);
    MUST(ompd_get_schedule(task, &kind, &modifier));
    MUST(ompd_get_proc_bind(task, &bind));
    printf(",\"schedule\":[%d,%lld],\"bind\":%d", (int)kind, (long long)modifier, (int)bind);
    MUST(ompd_get_task_parallel_handle(task, &region));
    PRINT_ID("region", ompd_get_parallel_handle_string_id, region);
    MUST(ompd_release_parallel_handle(region));
    rc = ompd_get_task_frame(task, &leave, &enter);
    if (rc == ompd_rc_ok)
        printf(",\"frames\":[%llu,%llu]", (unsigned long long)leave.address,
               (unsigned long long)enter.address);

    printf(",\"generator\":");
    rc = ompd_get_generating_ancestor_task_region(task, &outer);
    if (rc == ompd_rc_ok) {
        print_task(outer);
        MUST(ompd_release_task_handle(outer));
    } else if (rc == ompd_rc_unavailable) {
        printf("null");
    } else {
        fail("generating task", rc);
    }
    printf("}");
}

/* A region: its threads and implicit tasks, and the regions around it. */
static void print_region(ompd_parallel_handle_t *region)
{
    ompd_thread_handle_t **threads = NULL, *master;
    ompd_task_handle_t **tasks = NULL;
    ompd_parallel_handle_t *outer;
    ompd_address_t function;
    int count, only_count, order;
    ompd_rc_t rc = ompd_get_parallel_function(region, &function);

    printf("{\"function\":%llu", rc == ompd_rc_ok ? (unsigned long long)function.address : 0);
    PRINT_ID("id", ompd_get_parallel_handle_string_id, region);
    PRINT_WORD("size", ompd_get_num_threads, region);
    MUST(ompd_get_thread_in_parallel(region, NULL, &only_count));
    MUST(ompd_get_thread_in_parallel(region, &threads, &count));
    MUST_BE(count == only_count);
    printf(",\"lwps\":[");
    for (int i = 0; i < count; i++)
        printf("%s%d", i == 0 ? "" : ",", lwp_of(threads[i]));
    MUST(ompd_get_master_thread_in_parallel(region, &master));
    MUST(ompd_thread_handle_compare(master, threads[0], &order));
    MUST_BE(order == 0);
    MUST(ompd_release_thread_handle(master));
    for (int i = 0; i < count; i++)
        MUST(ompd_release_thread_handle(threads[i]));
    MUST(deallocate(threads));

    MUST(ompd_get_implicit_task_in_parallel(region, &tasks, &count));
    printf("],\"implicit\":[");
    for (int i = 0; i < count; i++) {
        char *id;
        MUST(ompd_get_task_handle_string_id(tasks[i], &id));
        printf("%s\"%s\"", i == 0 ? "" : ",", id);
        MUST(deallocate(id));
        MUST(ompd_release_task_handle(tasks[i]));
    }
    MUST(deallocate(tasks));

    printf("],\"outer\":");
    rc = ompd_get_enclosing_parallel_handle(region, &outer);
    if (rc == ompd_rc_ok) {
        print_region(outer);
        MUST(ompd_parallel_handle_compare(region, outer, &order));
        MUST_BE(order != 0);
        MUST(ompd_release_parallel_handle(outer));
    } else if (rc == ompd_rc_unavailable) {
        printf("null");
    } else {
        fail("enclosing region", rc);
    }
    printf("}");
}

static void print_thread(ompd_thread_handle_t *thread)
{
    ompd_state_t state;
    ompd_wait_id_t wait;
    uint64_t pthread;
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;

    MUST(ompd_get_state(thread, &state, &wait));
    MUST(ompd_get_osthread(thread, ompd_osthread_pthread, sizeof pthread, &pthread));
    printf("{\"lwp\":%d,\"pthread\":%llu,\"state\":\"%s\",\"wait_id\":%llu", lwp_of(thread),
           (unsigned long long)pthread, state_name(state), (unsigned long long)wait);
    PRINT_ID("id", ompd_get_thread_handle_string_id, thread);
    ompd_rc_t rc = ompd_get_top_parallel_region(thread, &region);
    if (rc == ompd_rc_ok) {
        PRINT_WORD("thread_num", ompd_get_thread_num, thread);
        PRINT_WORD("max_active_levels", ompd_get_max_active_levels, thread);
        printf(",\"region\":");
        print_region(region);
        MUST(ompd_release_parallel_handle(region));
        MUST(ompd_get_top_task_region(thread, &task));
        printf(",\"task\":");
        print_task(task);
        MUST(ompd_release_task_handle(task));
    } else if (rc != ompd_rc_unavailable) {
        fail("top parallel region", rc);
    }
    printf("}");
}

/* All threads in two ways: the list, and each native thread. */
static void print_threads(ompd_address_space_handle_t *process)
{
    ompd_thread_handle_t **threads = NULL;
    int count, only_count, also = 0;

    MUST(ompd_get_threads(process, NULL, &only_count));
    MUST(ompd_get_threads(process, &threads, &count));
    MUST_BE(count == only_count);
    printf("\"threads\":[");
    for (int i = 0; i < count; i++) {
        printf(i == 0 ? "" : ",\n");
        print_thread(threads[i]);
    }
    printf("],\n\"native\":{");
    for (int i = 0; i < target.process.thread_count; i++) {
        const struct os_thread *os = &target.process.threads[i];
        ompd_thread_handle_t *by_lwp = threads[0], *by_pthread;
        int order;
        ompd_rc_t rc = ompd_get_thread_handle(process, ompd_osthread_lwp, sizeof os->lwp, &os->lwp, &by_lwp);
        if (rc == ompd_rc_bad_input && by_lwp == NULL) {
            printf("%s\"%d\":false", i == 0 ? "" : ",", os->lwp);
            continue;
        }
        if (rc != ompd_rc_ok)
            fail("thread handle", rc);
        MUST(ompd_get_thread_handle(process, ompd_osthread_pthread, sizeof os->pthread, &os->pthread,
                                    &by_pthread));
        MUST(ompd_thread_handle_compare(by_lwp, by_pthread, &order));
        MUST_BE(order == 0);
        for (int k = 0; k < count; k++) {
            MUST(ompd_thread_handle_compare(by_lwp, threads[k], &order));
            also += order == 0;
        }
        printf("%s\"%d\":true", i == 0 ? "" : ",", os->lwp);
        MUST(ompd_release_thread_handle(by_lwp));
        MUST(ompd_release_thread_handle(by_pthread));
    }
    printf("},\n\"in_both\":%d", also);
    for (int i = 0; i < count; i++)
        MUST(ompd_release_thread_handle(threads[i]));
    MUST(deallocate(threads));
}

static void print_control_vars(ompd_address_space_handle_t *process)
{
    const char *const *vars;
    MUST(ompd_get_display_control_vars(process, &vars));
    printf(",\n\"control_vars\":[");
    for (int i = 0; vars[i] != NULL; i++) {
        printf(i == 0 ? "\"" : ",\"");
        for (const char *c = vars[i]; *c != 0; c++)
            printf(*c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        printf("\"");
    }
    printf("]");
    MUST(ompd_release_display_control_vars(vars));
}

int main(int argc, char **argv)
{
    ompd_address_space_handle_t *process;
    int version;
    const char *text;
    if (argc < 2) {
        fprintf(stderr, "usage: draft_debugger PID|CORE [LIBRARY]\n");
        return 64;
    }
#ifdef OMPD_DRAFT_LOADED
    void *library = argc > 2 ? dlopen(argv[2], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "draft_debugger: %s\n", argc > 2 ? dlerror() : "no library named");
        return 3;
    }
    MUST(ompd_draft_bind(dlsym, library));
#endif
    char *rest;
    const long pid = strtol(argv[1], &rest, 10);
    if (pid > 0 && *rest == 0)
        process_attach(&target.process, (int)pid);
    else
        process_open_core(&target.process, argv[1]);

    MUST(ompd_get_version(&version));
    MUST(ompd_get_version_string(&text));
    MUST_BE(text[0] != 0);
    MUST_BE(ompd_initialize(NULL) == ompd_rc_bad_input);
    MUST(ompd_initialize(&callbacks));
    MUST_BE(ompd_initialize(&callbacks) == ompd_rc_error);
    MUST(ompd_process_initialize(&target, &process));

    printf("{\"version\":%d,\n", version);
    print_threads(process);
    PRINT_WORD("num_procs", ompd_get_num_procs, process);
    PRINT_WORD("thread_limit", ompd_get_thread_limit, process);
    print_control_vars(process);
    printf("}\n");

    MUST(ompd_release_address_space_handle(process));
    MUST(ompd_finalize());
    MUST_BE(blocks == 0);
    return 0;
}
