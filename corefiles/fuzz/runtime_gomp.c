/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that looks like libgomp to corefiles/layout, as small as can be: the fuzzer damages it. Nobody calls
 * its functions.
 */
struct gomp_team_state {
    void *team;
    void *work_share;
    unsigned team_id, level, active_level;
};

struct gomp_task_icv {
    unsigned long nthreads_var;
    int run_sched_var;
};

struct gomp_task {
    struct gomp_task *parent;
    struct gomp_task_icv icv;
    unsigned in_tied_task : 1;
    _Bool final_task;
};

struct gomp_thread {
    void (*fn)(void *data);
    void *data;
    struct gomp_team_state ts;
    struct gomp_task *task;
    int release;
};

typedef struct {
    int lock, count;
    void *owner;
} omp_nest_lock_t;

__thread struct gomp_thread gomp_tls_data __attribute__((tls_model("initial-exec"), visibility("hidden")));
static int default_lock;
static struct gomp_task_icv gomp_global_icv;
omp_nest_lock_t nest_lock;
const char display[] = "_OPENMP = '201511'";

static int wait_for(int *word, long value)
{
    long result;

    while (*(volatile int *)word == value)
        __builtin_ia32_pause();
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(202), "D"(word), "S"(128), "d"(value)
                     : "rcx", "r11", "memory");
    return (int)result;
}

unsigned omp_get_thread_num(void)
{
    return gomp_tls_data.ts.team_id;
}

int omp_get_level(void)
{
    return (int)gomp_tls_data.ts.level;
}

int omp_in_final(void)
{
    return gomp_tls_data.task && gomp_tls_data.task->final_task;
}

int omp_get_max_threads(void)
{
    struct gomp_task_icv *icv = gomp_tls_data.task ? &gomp_tls_data.task->icv : &gomp_global_icv;

    return (int)icv->nthreads_var;
}

void GOMP_critical_start(void)
{
    wait_for(&default_lock, 1);
}

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads)
{
    gomp_tls_data.fn = fn;
    fn(data);
    wait_for(&gomp_tls_data.release, (int)threads);
}
