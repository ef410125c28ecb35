/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two members that divide their time among three lines, a barrier and a mutex, and count it themselves: the
 * nanoseconds of each place, by CLOCK_MONOTONIC, in a file that others map. Each place is one line, which the
 * comment behind it names for the test.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LINE_A, LINE_B, LINE_C, BARRIER, MUTEX, PLACES };

/* What a thread has spent at places that it has left, and where it is since when. */
struct spent {
    volatile uint64_t total[PLACES], since, place;
};

int omp_get_thread_num(void);

static struct spent *members;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile double sum[2][64];

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void enter(int place)
{
    struct spent *own = &members[omp_get_thread_num()];
    uint64_t time = now();

    if (own->since)
        own->total[own->place] += time - own->since;
    own->place = (uint64_t)place;
    own->since = time;
}

#define MS 1000000
/* Reckons until TIME is over; the clock is asked once a millisecond or so. */
#define RECKON(time)                                  \
    for (uint64_t end = now() + (time); now() < end;) \
        for (int i = 0; i < 300000; i++)              \
    sum[me][0] += i

int main(int argc, char **argv)
{
    int file = argc > 1 ? open(argv[1], O_RDWR) : -1;

    members = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (members == MAP_FAILED)
        return 1;
#pragma omp parallel num_threads(2)
    for (int me = omp_get_thread_num();;) {
        if (me == 0) {
            enter(LINE_A);
            RECKON(200 * MS); /* LINE_A */
        } else {
            enter(LINE_B);
            RECKON(100 * MS); /* LINE_B */
            pthread_mutex_lock(&gate);
        }
        enter(BARRIER);
#pragma omp barrier /* BARRIER */
        if (me == 0) {
            enter(MUTEX);
            pthread_mutex_lock(&gate); /* MUTEX */
        } else {
            enter(LINE_C);
            RECKON(150 * MS); /* LINE_C */
        }
        pthread_mutex_unlock(&gate);
    }
}
