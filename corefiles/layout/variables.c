/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/variables.h"

#include "corefiles/layout/relocations.h"

/* ---- libgomp ------------------------------------------------------------------------------------------- */

/* A lock: what is changed in one step. */
static uint64_t find_lock(const struct ly_trace *trace)
{
    const struct ly_access *first = ly_first(trace, LY_FILE, 4, LY_ATOMIC);

    return first ? (uint64_t)first->offset : 0;
}

/* The control variables of a thread that has no task: what is read of the file first when that is known. */
static uint64_t find_global_icv(const struct ly_trace *trace)
{
    const struct ly_access *record = ly_first(trace, LY_RECORD, 8, LY_READS), *first = NULL;

    for (size_t i = 0; record && i < trace->count; i++) {
        const struct ly_access *access = &trace->list[i];
        if (access->pointer == LY_FILE && access->how == LY_READS && access->steps > record->steps &&
            (!first || access->steps < first->steps))
            first = access;
    }
    return first ? (uint64_t)first->offset : 0;
}

/* ---- libomp -------------------------------------------------------------------------------------------- */

/* The list of threads: its elements are pointers, by the first of which something is read. */
static uint64_t find_threads(const struct ly_trace *trace)
{
    const struct ly_pointer *pointers = trace->pointers.list;
    const uint16_t thread = ly_first_element(trace);

    return thread ? (uint64_t)pointers[pointers[thread].parent].offset : 0;
}

/* Before libomp 14 there was one list of locks, no table of such; it is asked for before the thread is. */
static uint64_t find_lock_list(const struct ly_trace *trace)
{
    const struct ly_pointer *pointers = trace->pointers.list;
    const struct ly_access *first = NULL;
    uint16_t element;

    for (size_t i = 0; i < trace->count; i++)
        if (trace->list[i].pointer >= LY_ROOTS && pointers[trace->list[i].pointer].parent == LY_FILE &&
            trace->list[i].size == 8 && !trace->list[i].offset &&
            (!first || trace->list[i].steps < first->steps))
            first = &trace->list[i];
    if (!first)
        return 0;
    element = ly_find_loaded(&trace->pointers, first->pointer, 0);
    for (size_t i = 0; i < trace->count; i++)
        if (element && trace->list[i].pointer == element)
            return 0; /* the list of threads: one's record is used */
    return (uint64_t)pointers[first->pointer].offset;
}

/* The table of locks: a structure of the file of which the last member points to another such. */
uint64_t ly_lock_table(const struct ly_trace *trace, bool *is_linked)
{
    enum { ROWS = 8, NEXT_TABLE = 16 };

    for (size_t i = 0; i < trace->count; i++) {
        const struct ly_access *access = &trace->list[i];
        const struct ly_pointer *from = &trace->pointers.list[access->pointer];
        const int32_t table = from->offset - NEXT_TABLE;
        if (access->pointer >= LY_ROOTS && from->parent == LY_FILE && access->offset == NEXT_TABLE &&
            access->size == 8 && access->how == LY_READS && table > 0 && ly_reads(trace, LY_FILE, table, 8) &&
            (ly_reads(trace, LY_FILE, table + ROWS, 4) ||
             ly_reads(trace, LY_FILE, table + ROWS, 0))) { /* of a vector: with what is beside it */
            *is_linked = true;
            return (uint64_t)table;
        }
    }
    *is_linked = false;
    return find_lock_list(trace);
}

static uint64_t find_lock_table(const struct ly_trace *trace)
{
    bool is_linked;

    return ly_lock_table(trace, &is_linked);
}

/* Whether regions may be cancelled: what is read behind the flag that the library has begun. */
static uint64_t find_cancellation(const struct ly_trace *trace)
{
    const struct ly_access *first = ly_first(trace, LY_FILE, 4, LY_READS), *next = NULL;

    for (size_t i = 0; first && i < trace->count; i++) {
        const struct ly_access *access = &trace->list[i];
        if (access->pointer == LY_FILE && access->how == LY_READS && access->size == 4 &&
            access->offset != first->offset && (!next || access->steps < next->steps))
            next = access;
    }
    return next ? (uint64_t)next->offset : 0;
}

/* ---- both ---------------------------------------------------------------------------------------------- */

/* The words whose address FUNCTION takes to find a thread-local variable. */
static uint64_t tls_words(const struct ly_image *image, const struct ly_code *code,
                          const struct ly_function *function, bool is_descriptor)
{
    for (size_t i = function ? ly_at(code, function->start) : code->count;
         i < code->count && code->list[i].pc < function->end; i++) {
        const struct x86_instruction *x86 = &code->list[i].x86;
        const struct ly_tls *tls =
            x86->kind == X86_LEA && x86->memory.base == X86_RIP ? ly_tls(image, x86->address) : NULL;
        if (tls)
            return tls->is_descriptor == is_descriptor ? tls->at : 0;
    }
    return 0;
}

const struct ly_variable ly_variables[] = {
    {false, "gomp_tls_data", 8, "omp_get_thread_num", NULL, 0, NULL, LY_NO_TLS},
    {.name = "gomp_tls_index", .size = 16, .function = "omp_get_thread_num", .tls = LY_TLS_INDEX},
    {.name = "gomp_tls_descriptor", .size = 16, .function = "omp_get_thread_num", .tls = LY_TLS_DESCRIPTOR},
    {false, "gomp_global_icv", 40, "omp_get_max_threads", find_global_icv, 0, NULL, LY_NO_TLS},
    {false, "default_lock", 4, "GOMP_critical_start", find_lock, 0, NULL, LY_NO_TLS},
    {false, "atomic_lock", 4, "GOMP_atomic_start", find_lock, 0, NULL, LY_NO_TLS},
    {false, "gomp_cancel_var", 1, "omp_get_cancellation", NULL, 0, NULL, LY_NO_TLS},
    {false, "gomp_max_task_priority_var", 4, "omp_get_max_task_priority", NULL, 0, NULL, LY_NO_TLS},
    {false, "gomp_places_list_len", 8, "omp_get_num_places", NULL, 0, NULL, LY_NO_TLS},
    {false, "gomp_places_list", 8, "omp_get_place_num_procs", NULL, 0, "omp_get_num_places", LY_NO_TLS},
    {false, "gomp_cpuset_size", 8, "omp_get_place_num_procs", NULL, 1, "omp_get_num_places", LY_NO_TLS},
    {true, "kmp_threads", 8, "omp_get_thread_num", find_threads, 0, NULL, LY_NO_TLS},
    {true, "kmp_i_lock_table", 8, "__kmpc_destroy_lock", find_lock_table, 0, NULL, LY_NO_TLS},
    {true, "kmp_cancellation", 4, "omp_get_cancellation", find_cancellation, 0, NULL, LY_NO_TLS},
};
const size_t ly_variable_count = sizeof ly_variables / sizeof ly_variables[0];

uint64_t ly_variable(const struct ly_image *image, const struct ly_code *code,
                     const struct ly_variable *variable)
{
    const struct ly_function *function = ly_function(image, variable->function);
    struct ly_trace trace;
    uint64_t address;

    if (variable->tls)
        return tls_words(image, code, function, variable->tls == LY_TLS_DESCRIPTOR);
    if (!variable->find) {
        const struct ly_function *but = variable->but ? ly_function(image, variable->but) : NULL;
        const uint64_t other = ly_address(code, but, 0, 0);
        return ly_address(code, function, variable->nth, other);
    }
    if (!function || ly_trace(image, code, function, &trace))
        return 0;
    address = variable->find(&trace);
    ly_trace_free(&trace);
    return address;
}
