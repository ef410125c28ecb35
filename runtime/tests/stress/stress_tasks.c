/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Explicit tasks: trees with all clauses, taskgroups, taskloops, reductions, events, private data of all
 * sizes.
 *
 * clang splits an untied task at the scheduling points that it sees and loses local variables on the way (all
 * its versions do). So the body of an untied task here is one call.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

#include "stress.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wsign-compare" /* of what it makes itself of a taskloop */
#endif

/* ---- trees --------------------------------------------------------------------------------------------- */

/** A tree that follows from numbers alone; each node becomes a task. */
struct tree {
    uint64_t salt;
    int most;   /**< children of a node, at most */
    int *nodes; /**< tasks that have run */
};
#define MOST_CHILDREN 5

static int children(const struct tree *tree, uint64_t node, int levels)
{
    return levels == 0 ? 0 : (int)(stress_mix(tree->salt, node) % (uint64_t)(tree->most + 1));
}

static uint64_t child(uint64_t node, int i)
{
    return node * 11 + (uint64_t)i + 1;
}

static int tree_size(const struct tree *tree, uint64_t node, int levels)
{
    int size = 1, kids = children(tree, node, levels);
    for (int i = 0; i < kids; i++)
        size += tree_size(tree, child(node, i), levels - 1);
    return size;
}

static void grow(const struct tree *tree, uint64_t node, int levels, int *counted);

/**
 * The children as tasks with various clauses; *counted of each is sums[i], which must last until they end.
 */
static void grow_children(const struct tree *tree, uint64_t node, int levels, int kids, int *sums)
{
    for (int i = 0; i < kids; i++) {
        uint64_t next = child(node, i);
        int below = levels - 1, *sum = sums != NULL ? &sums[i] : NULL;
        switch (stress_mix(tree->salt + 2, next) % 9) {
        case 0:
#pragma omp task if (kids < 0)
            grow(tree, next, below, sum);
            break;
        case 1:
#pragma omp task final(kids > 0)
        {
            CHECK(omp_in_final());
            grow(tree, next, below, sum);
        } break;
        case 2:
#pragma omp task priority(kids)
            grow(tree, next, below, sum);
            break;
        case 3:
#pragma omp task untied
            grow(tree, next, below, sum);
            break;
        case 4:
#pragma omp task untied if (kids < 0)
            grow(tree, next, below, sum);
            break;
        case 5:
#pragma omp task mergeable
            grow(tree, next, below, sum);
            break;
        default:
#pragma omp task
            grow(tree, next, below, sum);
        }
    }
}

/**
 * *counted becomes the size of the subtree, or -1 when nobody waits in it, so that it may not be complete.
 */
static void grow(const struct tree *tree, uint64_t node, int levels, int *counted)
{
    int kids = children(tree, node, levels), sums[MOST_CHILDREN] = {0}, sum = 1, known = 1;
    uint64_t choice = stress_mix(tree->salt + 1, node);
    struct run mine = {.state = choice};
    ADD(*tree->nodes, 1);
    disturb(&mine);
    switch (choice >> 8 & 3) {
    case 0:
        grow_children(tree, node, levels, kids, NULL);
        known = kids == 0;
        break;
    case 1:
#pragma omp taskgroup
        grow_children(tree, node, levels, kids, sums);
        break;
    default:
        grow_children(tree, node, levels, kids, sums);
        if (choice >> 16 & 1) {
#pragma omp taskyield
        }
#pragma omp taskwait
        break;
    }
    for (int i = 0; known && i < kids; i++) {
        int size = LOAD(sums[i]);
        CHECK(size != 0);
        if (size == -1)
            known = 0;
        else
            CHECK_EQ(size, tree_size(tree, child(node, i), levels - 1));
        sum += size;
    }
    if (counted != NULL)
        STORE(*counted, known ? sum : -1);
}

static void trees(struct run *r)
{
    int n = team_size(r), creators = 1 + pick(r, n), levels = 1 + pick(r, 6), nodes = 0,
        roots = 1 + pick(r, 4);
    struct tree tree = {.salt = r->state, .most = 2 + pick(r, MOST_CHILDREN - 1), .nodes = &nodes};
    int wanted = 0;
    for (int i = 0; i < creators * roots; i++)
        wanted += tree_size(&tree, (uint64_t)i, levels);
    if (wanted > 3000)
        return;
#pragma omp parallel num_threads(n)
    {
        int me = omp_get_thread_num();
        for (int i = 0; me < creators && i < roots; i++) {
            uint64_t node = (uint64_t)(me * roots + i);
#pragma omp task shared(tree)
            grow(&tree, node, levels, NULL);
        }
    }
    CHECK_EQ(nodes, wanted);
}

/* ---- other scenarios as tasks -------------------------------------------------------------------------- */

static void in_tasks(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 8), done = 0;
#pragma omp parallel num_threads(n)
    {
#pragma omp single nowait
        for (int i = 0; i < count; i++) {
            struct run inside = branch(r, i, n);
            inside.top = 0;
#pragma omp task firstprivate(inside) shared(done)
            {
                run_some(&inside, 1);
                ADD(done, 1);
            }
        }
    }
    CHECK_EQ(done, count);
}

/* ---- private data -------------------------------------------------------------------------------------- */

static long sum_of(const long *data, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += data[i];
    return sum;
}

/**
 * Copies of 8 to 40000 bytes in the tasks. In a struct: clang takes an array for 16-aligned in a task, which
 * it is not (with any runtime).
 */
#define COPIES(size)                                                                    \
    struct copy_##size {                                                                \
        long data[size];                                                                \
    };                                                                                  \
    static void copies_##size(struct run *r, int n, int count)                          \
    {                                                                                   \
        int done = 0;                                                                   \
        PRAGMA(omp parallel num_threads(n))                                             \
        PRAGMA(omp single)                                                              \
        for (int i = 0; i < count; i++) {                                               \
            struct copy_##size all;                                                     \
            char name[13];                                                              \
            struct run mine = branch(r, i, 1);                                          \
            for (int k = 0; k < (size); k++)                                            \
                all.data[k] = (long)i * k;                                              \
            memset(name, 'a' + i % 26, sizeof name);                                    \
            PRAGMA(omp task firstprivate(all, name, mine) shared(done))                 \
            {                                                                           \
                disturb(&mine);                                                         \
                CHECK_EQ(sum_of(all.data, (size)), (long)i *((size) * ((size)-1) / 2)); \
                CHECK(name[0] == 'a' + i % 26 && name[12] == name[0]);                  \
                memset(&all, 0, sizeof all);                                            \
                ADD(done, 1);                                                           \
            }                                                                           \
            memset(&all, 1, sizeof all);                                                \
        }                                                                               \
        CHECK_EQ(done, count);                                                          \
    }
COPIES(1)
COPIES(17)
COPIES(90)
COPIES(400)
COPIES(5000)

static void copies(struct run *r)
{
    static void (*const sizes[])(struct run *, int, int) = {copies_1, copies_17, copies_90, copies_400,
                                                            copies_5000};
    int n = team_size(r), count = 1 + pick(r, 40);
    sizes[pick(r, 5)](r, n, count);
}

/* ---- taskloop ------------------------------------------------------------------------------------------ */

static void taskloops(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 8);
    for (int round = 0; round < count; round++) {
        int trip = pick(r, 200), grain = 1 + pick(r, 30), kind = pick(r, 6), last = -1;
        int *hits = take((size_t)trip + 1, sizeof *hits);
        long sum = 0;
        uint64_t state = r->state;
#define BODY                                                         \
    {                                                                \
        struct run mine = {.state = stress_mix(state, (uint64_t)i)}; \
        disturb(&mine);                                              \
        ADD(hits[i], 1);                                             \
    }
#pragma omp parallel num_threads(n)
#pragma omp single
        {
            switch (kind) {
            case 0:
#pragma omp taskloop grainsize(grain) lastprivate(last)
                for (int i = 0; i < trip; i++) {
                    BODY last = i;
                }
                break;
            case 1:
#pragma omp taskloop num_tasks(grain)
                for (int i = trip - 1; i >= 0; i--)
                    BODY break;
            case 2:
#pragma omp taskgroup
#pragma omp taskloop nogroup
                for (unsigned long long i = 0; i < (unsigned long long)trip; i++)
                    BODY break;
            case 3:
#pragma omp taskloop reduction(+ : sum) untied priority(grain)
                for (int i = 0; i < trip; i++) {
                    BODY sum += i;
                }
                CHECK_EQ(sum, (long)trip * (trip - 1) / 2);
                break;
            case 4:
#pragma omp taskloop if (grain > 15) final(grain > 20)
                for (long i = 0; i < trip; i++)
                    BODY break;
            default:
#pragma omp taskloop collapse(2) num_tasks(grain)
                for (int k = 0; k < trip / 10; k++)
                    for (int j = 0; j < 10; j++) {
                        int i = 10 * k + j;
                        BODY
                    }
                trip -= trip % 10;
            }
            for (int i = 0; i < trip; i++)
                CHECK_EQ(LOAD(hits[i]), 1);
            if (kind == 0 && trip > 0)
                CHECK_EQ(last, trip - 1);
        }
        CHECK_ONCE(hits, trip);
        free(hits);
    }
#undef BODY
}

/* ---- task reductions ----------------------------------------------------------------------------------- */

/** What the iterations low .. high - 1 add. */
static long values(int low, int high, uint64_t salt)
{
    long sum = 0;
    for (int i = low; i < high; i++)
        sum += (long)(stress_mix(salt, (uint64_t)i) % 1000);
    return sum;
}

static void task_reductions(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 6);
    for (int round = 0; round < rounds; round++) {
        int count = pick(r, 60), kind = pick(r, 4);
        long sum = 0, array[40] = {0}, inner = 0;
        int most = -1;
        uint64_t salt = r->state;
        struct run base = branch(r, round, n);
        if (kind == 0) {
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, array) task_reduction(max : most)
            for (int i = 0; i < count; i++) {
                struct run mine = branch(&base, i, 1);
#pragma omp task in_reduction(+ : sum, array) in_reduction(max : most) firstprivate(mine)
                {
                    disturb(&mine);
                    sum += values(i, i + 1, salt);
                    array[i % 40] += i;
                    most = i > most ? i : most;
                    if (i % 3 == 0) {
#pragma omp task in_reduction(+ : sum) firstprivate(mine)
                        sum += 1000000;
#pragma omp taskwait
                    }
                }
            }
        } else if (kind == 1) {
#pragma omp parallel num_threads(n) reduction(task, + : sum, array) reduction(task, max : most)
            {
                sum += 0;
#pragma omp for schedule(dynamic)
                for (int i = 0; i < count; i++) {
                    struct run mine = branch(&base, i, 1);
#pragma omp task in_reduction(+ : sum, array) in_reduction(max : most) firstprivate(mine)
                    {
                        disturb(&mine);
                        sum += values(i, i + 1, salt) + (i % 3 == 0 ? 1000000 : 0);
                        array[i % 40] += i;
                        most = i > most ? i : most;
                    }
                }
            }
        } else if (kind == 2) {
#pragma omp parallel num_threads(n)
            {
#pragma omp for reduction(task, + : sum, array) reduction(task, max : most)
                for (int i = 0; i < count; i++) {
                    struct run mine = branch(&base, i, 1);
#pragma omp task in_reduction(+ : sum, array) in_reduction(max : most) firstprivate(mine)
                    {
                        disturb(&mine);
                        sum += values(i, i + 1, salt) + (i % 3 == 0 ? 1000000 : 0);
                        array[i % 40] += i;
                        most = i > most ? i : most;
                    }
                }
            }
        } else {
#pragma omp parallel num_threads(n)
#pragma omp single
            {
#pragma omp taskloop reduction(+ : sum, array) reduction(max : most) grainsize(4)
                for (int i = 0; i < count; i++) {
                    struct run mine = branch(&base, i, 1);
                    disturb(&mine);
                    sum += values(i, i + 1, salt) + (i % 3 == 0 ? 1000000 : 0);
                    array[i % 40] += i;
                    most = i > most ? i : most;
                }
#pragma omp taskgroup task_reduction(+ : inner)
                {
#pragma omp taskloop in_reduction(+ : inner) nogroup
                    for (int i = 0; i < count; i++)
                        inner += i;
                }
                CHECK_EQ(inner, (long)count * (count - 1) / 2);
            }
        }
        CHECK_EQ(sum, values(0, count, salt) + 1000000L * ((count + 2) / 3));
        CHECK_EQ(most, count - 1);
        for (int i = 0; i < 40; i++)
            CHECK_EQ(array[i], (i < count ? i : 0) + (i + 40 < count ? i + 40 : 0));
    }
}

/* ---- events -------------------------------------------------------------------------------------------- */

/** Events on their way to whoever fulfils them. */
struct post {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    omp_event_handle_t events[64];
    int *flags[64];
    int put, taken, total;
    uint64_t state;
};

static void post_event(struct post *post, omp_event_handle_t event, int *flag)
{
    pthread_mutex_lock(&post->lock);
    post->flags[post->put] = flag;
    post->events[post->put++] = event;
    pthread_cond_broadcast(&post->arrived);
    pthread_mutex_unlock(&post->lock);
}

/** Fulfils events until all have been, waiting for each: no task may do that. */
static void fulfil(struct post *post, struct run *mine)
{
    for (;;) {
        pthread_mutex_lock(&post->lock);
        if (post->taken == post->total) {
            pthread_mutex_unlock(&post->lock);
            return;
        }
        int at = post->taken++;
        while (at >= post->put)
            pthread_cond_wait(&post->arrived, &post->lock);
        omp_event_handle_t event = post->events[at];
        int *flag = post->flags[at];
        pthread_mutex_unlock(&post->lock);
        disturb(mine);
        STORE(*flag, 1);
        omp_fulfill_event(event);
    }
}

static void *foreign(void *argument)
{
    struct post *post = argument;
    struct run mine = {.state = post->state};
    fulfil(post, &mine);
    return NULL;
}

enum fulfiller { PTHREAD, MEMBERS, CHILD_TASK, ITSELF };

/** The code of a detachable task. */
static void detached(struct post *post, enum fulfiller who, omp_event_handle_t event, int *flag)
{
    switch (who) {
    case PTHREAD:
    case MEMBERS:
        post_event(post, event, flag);
        break;
    case CHILD_TASK:
#pragma omp task firstprivate(flag, event)
    {
        STORE(*flag, 1);
        omp_fulfill_event(event);
    } break;
    default:
        STORE(*flag, 1);
        omp_fulfill_event(event);
    }
}

/**
 * Tasks that end when a pthread, another member or a task says so; others depend on them, groups wait for
 * them.
 */
static void events(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 60), wait = pick(r, 3), after = 0, flags[64] = {0};
    enum fulfiller who = (enum fulfiller)(n > 1 || chance(r, 50) ? pick(r, 4) : ITSELF);
    struct post post = {.total = count, .state = r->state};
    pthread_t thread;
    if (who == MEMBERS && n == 1)
        who = PTHREAD;
    pthread_mutex_init(&post.lock, NULL);
    pthread_cond_init(&post.arrived, NULL);
    if (who == PTHREAD)
        CHECK_EQ(pthread_create(&thread, NULL, foreign, &post), 0);
#pragma omp parallel num_threads(n)
    {
        struct run mine = branch(r, omp_get_thread_num(), 1);
        if (omp_get_thread_num() == 0) {
            int *flag = flags;
            if (wait == 0) {
#pragma omp taskgroup
                for (int i = 0; i < count; i++) {
                    omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(flag, i) if (i % 3)
                    detached(&post, who, event, &flag[i]);
                }
                for (int i = 0; i < count; i++)
                    CHECK_EQ(LOAD(flags[i]), 1);
            } else {
                for (int i = 0; i < count; i++) {
                    omp_event_handle_t event;
                    /* The successor must not run before the event, however early this task's code ends. */
#pragma omp task detach(event) firstprivate(flag, i) depend(out : flag[i]) if (i % 3)
                    detached(&post, who, event, &flag[i]);
#pragma omp task firstprivate(flag, i) depend(in : flag[i]) shared(after)
                    {
                        CHECK_EQ(LOAD(flag[i]), 1);
                        ADD(after, 1);
                    }
                }
                if (wait == 1) {
#pragma omp taskwait
                    CHECK_EQ(LOAD(after), count);
                }
            }
        } else if (who == MEMBERS) {
            fulfil(&post, &mine);
        }
    }
    CHECK_ONCE(flags, count);
    CHECK_EQ(after, wait == 0 ? 0 : count);
    if (who == PTHREAD)
        pthread_join(thread, NULL);
    pthread_cond_destroy(&post.arrived);
    pthread_mutex_destroy(&post.lock);
}

/* ---- all at once --------------------------------------------------------------------------------------- */

/**
 * As many tasks as the team has threads, each of which goes on until all have begun: each thread must take
 * one. Threads that spin for ever on too few processors look for tasks so rarely that this would take too
 * long.
 */
static void gather(struct run *r)
{
    const char *policy = getenv("OMP_WAIT_POLICY");
    int n = team_size(r), rounds = 1 + pick(r, 8);
    if (policy != NULL && strcmp(policy, "active") == 0)
        return;
#pragma omp parallel num_threads(n)
#pragma omp single
    for (int round = 0; round < rounds; round++) {
        int begun = 0;
        struct run base = branch(r, round, n);
#pragma omp taskgroup
        for (int i = 0; i < n; i++) {
            struct run mine = branch(&base, i, 1);
            disturb(&mine);
#pragma omp task shared(begun) firstprivate(mine) untied
            {
                ADD(begun, 1);
                while (LOAD(begun) < n)
                    disturb(&mine);
            }
        }
        CHECK_EQ(begun, n);
    }
}

const struct scenario scenarios_tasks[] = {
    {"trees", trees, 0, 8},
    {"in_tasks", in_tasks, RUN_OUTER, 4},
    {"copies", copies, 0, 3},
    {"taskloops", taskloops, 0, 4},
    {"task_reductions", task_reductions, 0, 4},
    {"events", events, 0, 5},
    {"gather", gather, 0, 4},
    {NULL, NULL, 0, 0},
};
