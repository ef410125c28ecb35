/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenBLAS of pthreads has worked once, and its workers wait for more; four threads wait for each other in a
 * ring, each on a condition of its own; a team waits for its first thread, which joins them. Words: "worker
 * TID", "stage TID".
 */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STAGES = 4, N = 256, WORKERS = 3 };

extern void openblas_set_num_threads(int count);
extern void cblas_dgemm(int order, int left, int right, int m, int n, int k, double alpha, const double *a,
                        int lda, const double *b, int ldb, double beta, double *c, int ldc);

static pthread_mutex_t mutex[STAGES];
static pthread_cond_t filled[STAGES];
static int full[STAGES];

static void *stage(void *arg)
{
    const long i = (long)arg;

    pthread_mutex_lock(&mutex[i]);
    printf("stage %ld\n", syscall(SYS_gettid));
    while (!full[i])
        pthread_cond_wait(&filled[i], &mutex[i]);
    pthread_mutex_unlock(&mutex[i]);
    pthread_mutex_lock(&mutex[(i + 1) % STAGES]);
    full[(i + 1) % STAGES] = 1;
    pthread_cond_signal(&filled[(i + 1) % STAGES]);
    pthread_mutex_unlock(&mutex[(i + 1) % STAGES]);
    return NULL;
}

static void multiply(void)
{
    double *a = calloc(3 * N * N, sizeof *a);

    openblas_set_num_threads(WORKERS + 1);
    cblas_dgemm(101, 111, 111, N, N, N, 1, a, N, a + N * N, N, 0, a + 2 * N * N, N);
    free(a);
}

/* All threads but the first are OpenBLAS's so far. */
static void list_workers(void)
{
    DIR *tasks = opendir("/proc/self/task");

    for (struct dirent *task; (task = readdir(tasks)) != NULL;)
        if (atoi(task->d_name) > 0 && atoi(task->d_name) != getpid())
            printf("worker %s\n", task->d_name);
    closedir(tasks);
}

int main(void)
{
    pthread_t thread[STAGES];

    setvbuf(stdout, NULL, _IOLBF, 0);
    multiply();
    list_workers();
    for (long i = 0; i < STAGES; i++) {
        pthread_mutex_init(&mutex[i], NULL);
        pthread_cond_init(&filled[i], NULL);
        pthread_create(&thread[i], NULL, stage, (void *)i);
    }
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        for (int i = 0; i < STAGES; i++)
            pthread_join(thread[i], NULL);
    return 0;
}
