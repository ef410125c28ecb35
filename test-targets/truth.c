/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part that all targets share. Calls no omp_* routine: the executable of
 * the dlopen target has no OpenMP in it.
 */
#define _GNU_SOURCE
#define TRUTH_WITHOUT_OPENMP
#include "truth.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_RECORDS = 4096,
    MAX_EDGES = 32,
    POLL_MS = 20,
    POLLS_ASLEEP = 4, /* looks at a sleeping thread that must all be alike */
    POLLS_RELAXED = 25
};

struct record {
    int tid;
    unsigned long pthread;
    struct truth_place place;
    int root;
    int spoke;         /* 0: has only met */
    const char *state; /* NULL in a thread that spoke: no OMPT state is meant for what it does */
    int in_task;
    int at_barrier; /* stays when a task is executed inside the barrier */
    const char *kind, *name, *function;
    const volatile void *id;
    int owner_tid, owner_ended, line;
    unsigned long long asleep_mark; /* the observer's: switches and time at the last look */
    unsigned long long spun_from;   /* processor time when it was first seen awake, plus 1; 0 never */
};

static struct record records[MAX_RECORDS];
static int record_count;             /* slots taken */
static int active_count, idle_count; /* threads that spoke, threads that only met */
static int event_count;
static __thread struct record *self;
static __thread int self_root;

static const char *target_name, *crash_signal;
static int crash_tid;
static int expect_threads, expect_idle, expect_events;
static int task_numbers[6] = {0, 0, 0, 0, 0, 0};
static int edges[MAX_EDGES][2], edge_count;
static int others[64], other_count;
static int printed, alone;

static void nap(int ms)
{
    struct timespec t = {ms / 1000, (ms % 1000) * 1000000L};
    nanosleep(&t, NULL);
}

static int env_int(const char *name, int otherwise)
{
    const char *s = getenv(name);
    return s && *s ? atoi(s) : otherwise;
}

int truth_tid(void)
{
    return (int)syscall(SYS_gettid);
}
void truth_set(int *word, int value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
int truth_get(const int *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

void truth_await(const int *word, int value)
{
    while (truth_get(word) < value)
        nap(1);
}

void truth_printed(void)
{
    crash_tid = truth_tid();
    truth_await(&printed, 1);
}

void truth_root(int root)
{
    self_root = root;
}
void truth_will_crash(const char *signal_name)
{
    crash_signal = signal_name;
}

void truth_tasks(int total, int running, int ready, int blocked, int suspended, int completing)
{
    const int numbers[6] = {total, running, ready, blocked, suspended, completing};
    memcpy(task_numbers, numbers, sizeof numbers);
}

void truth_task_edge(int line, int on_line)
{
    if (edge_count < MAX_EDGES) {
        edges[edge_count][0] = line;
        edges[edge_count++][1] = on_line;
    }
}

void truth_not_openmp(void)
{
    int i = __atomic_fetch_add(&other_count, 1, __ATOMIC_ACQ_REL);
    if (i < (int)(sizeof others / sizeof *others))
        others[i] = truth_tid();
}

/* This thread's slot; the first call takes one. */
static struct record *my_record(void)
{
    if (!self) {
        int i = __atomic_fetch_add(&record_count, 1, __ATOMIC_ACQ_REL);
        if (i >= MAX_RECORDS) {
            fprintf(stderr, "TRUTH-FAILED more than %d threads\n", MAX_RECORDS);
            _exit(3);
        }
        self = &records[i];
        self->tid = truth_tid();
        self->pthread = (unsigned long)pthread_self();
    }
    return self;
}

void truth_meet(void)
{
    if (!self) {
        my_record()->state = "idle";
        __atomic_fetch_add(&idle_count, 1, __ATOMIC_ACQ_REL);
    }
}

void truth_put_wait(const struct truth_place *place, const char *state, int in_task, const char *kind,
                    const volatile void *id, int owner_tid, int owner_ended, const char *name,
                    const char *function, int line)
{
    struct record *r = my_record();
    int was_idle = r->state && !r->spoke;
    int changed = r->spoke;
    r->spoke = 1;
    r->place = *place;
    r->root = self_root;
    r->state = state;
    r->in_task = in_task;
    r->kind = kind;
    r->id = id;
    r->owner_tid = owner_tid;
    r->owner_ended = owner_ended;
    r->name = name;
    r->function = function;
    r->line = line;
    if (kind && strcmp(kind, "barrier") == 0)
        r->at_barrier = 1;
    else if (!in_task)
        r->at_barrier = 0;
    /* Last: the observer prints only once all these counts are complete. */
    if (was_idle)
        __atomic_fetch_sub(&idle_count, 1, __ATOMIC_ACQ_REL);
    if (!changed)
        __atomic_fetch_add(&active_count, 1, __ATOMIC_ACQ_REL);
    if (in_task || changed)
        __atomic_fetch_add(&event_count, 1, __ATOMIC_ACQ_REL);
}

void truth_put(const struct truth_place *place, const char *state, int in_task, const char *function,
               int line)
{
    truth_put_wait(place, state, in_task, NULL, NULL, 0, 0, NULL, function, line);
}

__attribute__((noinline)) void busy_here(void)
{
    for (;;)
        pause();
}

void truth_alone(void)
{
    alone = 1;
}

__attribute__((noinline)) void held(void)
{
    if (env_int("TRUTH_CORE", 0))
        abort();
    struct timespec span = {env_int("TRUTH_HOLD_SECONDS", 600), 0}, left;
    while (nanosleep(&span, &left) != 0)
        span = left;
    _exit(0);
}

/* ---- the observer -------------------------------------------------------- */

/*
 * A number that stays the same exactly while the thread sleeps (stat of proc(5): state, user time); 0: awake.
 */
static unsigned long long asleep_mark(int tid)
{
    char path[64], text[4096];
    unsigned long long utime = 0, switches = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    const char *after_name = strrchr(text, ')');
    char state = 0;
    if (!after_name ||
        sscanf(after_name + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu", &state, &utime) != 2)
        return 0;
    if (state != 'S')
        return 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    f = fopen(path, "re");
    if (!f)
        return 0;
    while (fgets(text, sizeof text, f)) {
        unsigned long long v;
        if (sscanf(text, "voluntary_ctxt_switches: %llu", &v) == 1 ||
            sscanf(text, "nonvoluntary_ctxt_switches: %llu", &v) == 1)
            switches += v;
    }
    fclose(f);
    return 1 + utime + (switches << 20);
}

/*
 * With OMP_WAIT_POLICY=active who waits spins. It has come to its wait when it has used so much more
 * processor time than what lies between its last word and the wait could take. *from is where that
 * began, 0 at the first call.
 */
int truth_spins(int tid, unsigned long long *from)
{
    enum { TICKS = 5 };
    const char *policy = getenv("OMP_WAIT_POLICY");
    char path[64], text[1024];
    unsigned long long user, system;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    FILE *f = policy && !strcmp(policy, "active") ? fopen(path, "re") : NULL;
    if (!f)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    const char *end = strrchr(text, ')');
    const char *format = " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu";
    if (!end || sscanf(end + 1, format, &user, &system) != 2)
        return 0;
    if (!*from)
        *from = user + system + 1;
    return user + system >= *from + TICKS;
}

static int is_active(const struct record *r)
{
    return r->spoke;
}

static int all_spoke(void)
{
    return __atomic_load_n(&event_count, __ATOMIC_ACQUIRE) == expect_events &&
           __atomic_load_n(&active_count, __ATOMIC_ACQUIRE) == expect_threads &&
           __atomic_load_n(&idle_count, __ATOMIC_ACQUIRE) == expect_idle;
}

/* A crashing thread and a working one sleep in user code, so they count like the rest. */
static int all_asleep_as_before(int relax)
{
    int same = 1;
    for (int i = 0; i < record_count; i++) {
        struct record *r = &records[i];
        if (relax && (r->kind || !r->spoke))
            continue;
        unsigned long long mark = asleep_mark(r->tid);
        if (!mark && all_spoke())
            mark = truth_spins(r->tid, &r->spun_from) ? ~0ULL : 0;
        /* The thread that will crash polls; it never leaves truth_printed(). */
        if (crash_signal && r->tid == crash_tid)
            continue;
        if (!mark || mark != r->asleep_mark)
            same = 0;
        r->asleep_mark = mark;
    }
    return same;
}

static int same_region(const struct record *a, const struct record *b, int level)
{
    if (a->root != b->root || a->place.level < level || b->place.level < level)
        return 0;
    for (int i = 0; i < level; i++)
        if (a->place.ancestor[i][0] != b->place.ancestor[i][0])
            return 0;
    return 1;
}

/* The first record of the region that encloses `r` at `level`: the region's name for us. */
static int region_first(const struct record *r, int level)
{
    for (int i = 0; i < record_count; i++)
        if (is_active(&records[i]) && same_region(&records[i], r, level))
            return i;
    return -1;
}

static int member_tid(const struct record *in, int level, int num)
{
    for (int i = 0; i < record_count; i++) {
        const struct record *r = &records[i];
        if (!is_active(r) || !same_region(r, in, level) || r->place.ancestor[level][0] != num)
            continue;
        int primary = 1; /* in nested regions the member goes on as number 0 */
        for (int l = level + 1; l <= r->place.level; l++)
            primary &= r->place.ancestor[l][0] == 0;
        if (primary)
            return r->tid;
    }
    return 0;
}

static struct region {
    int first, level;
} regions[MAX_RECORDS];
static int region_count;

static int region_index(const struct record *r, int level)
{
    int first = region_first(r, level);
    for (int i = 0; i < region_count; i++)
        if (regions[i].first == first && regions[i].level == level)
            return i;
    if (region_count == MAX_RECORDS)
        return -1;
    regions[region_count].first = first;
    regions[region_count].level = level;
    return region_count++;
}

static void put_string(FILE *o, const char *s)
{
    if (!s) {
        fputs("null", o);
        return;
    }
    fputc('"', o);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', o);
        fputc(*s, o);
    }
    fputc('"', o);
}

static void put_number(FILE *o, int n, int none)
{
    if (n == none)
        fputs("null", o);
    else
        fprintf(o, "%d", n);
}

static void put_arrivals(FILE *o, const struct record *r, int arrived)
{
    const char *sep = "";
    int level = r->place.level;
    fprintf(o, ",\"%s\":[", arrived ? "arrived" : "missing");
    for (int num = 0; num < r->place.team_size; num++) {
        int there = 0;
        for (int i = 0; i < record_count && !there; i++) {
            const struct record *m = &records[i];
            there = is_active(m) && m->at_barrier && m->place.level == level && m->place.thread_num == num &&
                    same_region(m, r, level);
        }
        if (there == arrived) {
            fprintf(o, "%s%d", sep, num);
            sep = ",";
        }
    }
    fputc(']', o);
}

static void put_wait(FILE *o, const struct record *r)
{
    if (!r->kind) {
        fputs("null", o);
        return;
    }
    fprintf(o, "{\"kind\":\"%s\",\"id\":", r->kind);
    if (r->id)
        fprintf(o, "\"0x%lx\"", (unsigned long)r->id);
    else
        fputs("null", o);
    fputs(",\"owner_tid\":", o);
    put_number(o, r->owner_tid, 0);
    fprintf(o, ",\"owner_ended\":%s,\"name\":", r->owner_ended ? "true" : "false");
    put_string(o, r->name);
    if (strcmp(r->kind, "barrier") == 0) {
        put_arrivals(o, r, 1);
        put_arrivals(o, r, 0);
    } else {
        fputs(",\"arrived\":null,\"missing\":null", o);
    }
    fputc('}', o);
}

static void put_icvs(FILE *o, const struct truth_place *p)
{
#define NAME(name, value) name,
    static const char *const names[] = {TRUTH_ICVS(NAME)};
#undef NAME
    const char *sep = "";
    fputs(",\"icvs\":{", o);
    for (int i = 0; i < TRUTH_ICV_COUNT; i++) {
        if (p->icv[i] < 0)
            continue;
        fprintf(o, "%s\"%s\":%d", sep, names[i], p->icv[i]);
        sep = ",";
    }
    fputc('}', o);
}

static void put_thread(FILE *o, const struct record *r)
{
    const struct truth_place *p = &r->place;
    fprintf(o, "{\"tid\":%d,\"pthread\":\"0x%lx\",\"openmp\":true,\"state\":", r->tid, r->pthread);
    put_string(o, r->state);
    if (!is_active(r)) {
        fputs(",\"thread_num\":null,\"team_size\":null,\"level\":null,\"active_level\":null,"
              "\"ancestors\":null,\"in_parallel\":null,\"in_final\":null,\"region\":null,"
              "\"wait\":null,\"at\":null,\"task_explicit\":false}",
              o);
        return;
    }
    fprintf(o, ",\"thread_num\":%d,\"team_size\":%d,\"level\":%d,\"active_level\":%d,\"ancestors\":[",
            p->thread_num, p->team_size, p->level, p->active_level);
    for (int l = 0; l <= p->level; l++)
        fprintf(o, "%s[%d,%d]", l ? "," : "", p->ancestor[l][0], p->ancestor[l][1]);
    fprintf(o, "],\"in_parallel\":%s,\"in_final\":%s,\"region\":", p->in_parallel ? "true" : "false",
            p->in_final ? "true" : "false");
    put_number(o, p->level ? region_index(r, p->level) : -1, -1);
    fputs(",\"wait\":", o);
    put_wait(o, r);
    fputs(",\"at\":", o);
    if (r->line)
        fprintf(o, "{\"function\":\"%s\",\"line\":%d}", r->function, r->line);
    else
        fputs("null", o);
    put_icvs(o, p);
    fprintf(o, ",\"task_explicit\":%s}", r->in_task ? "true" : "false");
}

static void put_regions(FILE *o)
{
    for (int i = 0; i < region_count; i++) {
        const struct record *r = &records[regions[i].first];
        int level = regions[i].level;
        fprintf(o, "%s{\"level\":%d,\"team_size\":%d,\"parent_level\":%d,\"members\":[", i ? "," : "", level,
                r->place.ancestor[level][1], level - 1);
        for (int num = 0; num < r->place.ancestor[level][1]; num++) {
            fputs(num ? "," : "", o);
            put_number(o, member_tid(r, level, num), 0);
        }
        fputs("]}", o);
    }
}

static char *truth_text(void)
{
    static const char *const names[] = {"explicit_total", "running",   "ready",
                                        "blocked",        "suspended", "completing"};
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);
    if (!o)
        _exit(3);
    for (int i = 0; i < record_count; i++) /* numbers the regions, outermost first */
        for (int l = 1; is_active(&records[i]) && l <= records[i].place.level; l++)
            region_index(&records[i], l);
    fprintf(o, "{\"target\":\"%s\",\"pid\":%d,\"signal\":", target_name, (int)getpid());
    put_string(o, crash_signal);
    fputs(",\"crashed_tid\":", o);
    put_number(o, crash_signal ? crash_tid : 0, 0);
    fputs(",\"threads\":[", o);
    for (int i = 0; i < record_count; i++) {
        fputs(i ? "," : "", o);
        put_thread(o, &records[i]);
    }
    fputs("],\"not_openmp\":[", o);
    for (int i = 0; i < other_count; i++)
        fprintf(o, "%s%d", i ? "," : "", others[i]);
    fputs("],\"regions\":[", o);
    put_regions(o);
    fputs("],\"tasks\":{", o);
    for (int i = 0; i < 6; i++) {
        fprintf(o, "%s\"%s\":", i ? "," : "", names[i]);
        put_number(o, task_numbers[i], -1);
    }
    fputs("},\"task_edges\":[", o);
    for (int i = 0; i < edge_count; i++)
        fprintf(o, "%s{\"line\":%d,\"on_line\":%d}", i ? "," : "", edges[i][0], edges[i][1]);
    fputs("]}", o);
    fclose(o);
    return text;
}

static void print_truth(void)
{
    char *text = truth_text();

    printf("TRUTH %s\n", text);
    fflush(stdout);
    free(text);
}

/*
 * Ends the calling thread; a child process prints the truth once the kernel no longer lists the thread.
 */
static void *print_when_alone(void)
{
    char *text = truth_text(), task[64];

    snprintf(task, sizeof(task), "/proc/%d/task/%ld", (int)getpid(), syscall(SYS_gettid));
    if (syscall(SYS_fork) == 0) { /* without the runtime's handlers: this is one thread of a team's process */
        while (!access(task, F_OK))
            nap(1);
        dprintf(STDOUT_FILENO, "TRUTH %s\n", text);
        _exit(0);
    }
    free(text);
    return NULL;
}

static void *observe(void *unused)
{
    (void)unused;
    truth_not_openmp();
    int relax = env_int("TRUTH_RELAX", 0);
    int enough = relax ? POLLS_RELAXED : POLLS_ASLEEP;
    int left = env_int("TRUTH_TIMEOUT", 120) * (1000 / POLL_MS);
    for (int alike = 0; alike < enough; left--) {
        if (left <= 0) {
            fprintf(stderr, "TRUTH-FAILED %s: %d of %d threads spoke, %d of %d idle, %d of %d tasks",
                    target_name, active_count, expect_threads, idle_count, expect_idle, event_count,
                    expect_events);
            for (int i = 0; i < record_count; i++)
                if (!asleep_mark(records[i].tid))
                    fprintf(stderr, "; thread %d (%s) does not sleep", records[i].tid,
                            records[i].state ? records[i].state : "no state");
            fputc('\n', stderr);
            _exit(3);
        }
        nap(POLL_MS);
        alike = all_spoke() && all_asleep_as_before(relax) ? alike + 1 : 0;
    }
    if (alone) {
        alarm((unsigned)env_int("TRUTH_HOLD_SECONDS", 600));
        return print_when_alone();
    }
    print_truth();
    if (crash_signal) {
        truth_set(&printed, 1);
        for (;;) /* the task's signal ends the process */
            pause();
    }
    held();
    return NULL;
}

void truth_start(const char *target, int threads, int idle, int events)
{
    /* A core must hold everything, whatever shell started us. */
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) == 0 && (env_int("TRUTH_CORE", 0) || crash_signal)) {
        core.rlim_cur = core.rlim_max;
        (void)setrlimit(RLIMIT_CORE, &core);
    }
    target_name = target;
    expect_threads = threads;
    expect_idle = idle;
    expect_events = events;

    pthread_t observer;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 * 1024);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&observer, &attr, observe, NULL) != 0) {
        fputs("TRUTH-FAILED no observer thread\n", stderr);
        _exit(3);
    }
    pthread_attr_destroy(&attr);
    /* Before any OpenMP: the observer is listed as no OpenMP thread from the start. */
    while (!__atomic_load_n(&other_count, __ATOMIC_ACQUIRE))
        nap(1);
}
