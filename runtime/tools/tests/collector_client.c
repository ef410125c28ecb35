/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A client of the collector API for tests (collector_client.h), and the program that runs one case.
 */
#define _GNU_SOURCE
#include "collector_client.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local volatile int asking;

void failed(const char *file, int line, const char *what, long long is)
{
    fprintf(stderr, "%s:%d: %s: %lld\n", file, line, what, is);
    _Exit(1);
}

/* ---- no memory is asked for while a request is handled -------------------- */

extern void *__libc_malloc(size_t size);
static volatile int mallocs_while_asking;

void *malloc(size_t size)
{
    mallocs_while_asking += asking;
    return __libc_malloc(size);
}

/* ---- requests -------------------- */

static int (*api)(void *);

static void find(void)
{
    api = (int (*)(void *))dlsym(RTLD_DEFAULT, OMP_COLLECTOR_API);
    CHECK(api != NULL);
}

enum { GUARD = 32, HEADER = 16, PRESET = -7 };

struct answer ask_sized(int request, const void *input, int size, int sz)
{
    /* int: aligned to 4, as entries are. */
    static _Thread_local int space[(GUARD + HEADER + 8192 + 4 + GUARD) / 4];
    char *bytes = (char *)space, *entry = bytes + GUARD;
    struct answer answer;
    int room = sz >= HEADER && sz <= HEADER + 8192 ? sz - HEADER : 0;
    int all = GUARD + HEADER + room + 4 + GUARD, head[4] = {sz, request, PRESET, PRESET}, now[4];
    memset(bytes, 0xab, (size_t)all);
    memcpy(entry, head, sizeof head);
    memcpy(entry + HEADER, input, (size_t)size);
    memset(entry + HEADER + room, 0, 4);
    asking = 1;
    answer.ret = api(entry);
    asking = 0;
    memcpy(now, entry, sizeof now);
    CHECK(now[0] == sz && now[1] == request);
    answer.ec = now[2];
    answer.rsz = now[3];
    memset(answer.mem, 0xab, sizeof answer.mem);
    memcpy(answer.mem, entry + HEADER, (size_t)(room < 64 ? room : 64));
    for (int i = 0; i < GUARD; i++)
        CHECK((unsigned char)bytes[i] == 0xab && (unsigned char)bytes[all - 1 - i] == 0xab);
    for (int i = 0; i < 4; i++)
        CHECK(entry[HEADER + room + i] == 0);
    CHECK_EQUAL(mallocs_while_asking, 0);
    return answer;
}

struct answer ask(int request, const void *input, int size, int room)
{
    return ask_sized(request, input, size, HEADER + room);
}

struct answer ask_register(int event, OMP_COLLECTORAPI_CALLBACK callback)
{
    char packed[12];
    memcpy(packed, &event, 4);
    memcpy(packed + 4, &callback, 8);
    return ask(OMP_REQ_REGISTER, packed, 12, 12);
}

struct answer ask_unregister(int event)
{
    return ask(OMP_REQ_UNREGISTER, &event, 4, 4);
}

void expect(struct answer answer, int ec, int rsz)
{
    CHECK_EQUAL(answer.ret, 0);
    CHECK_EQUAL(answer.ec, ec);
    CHECK_EQUAL(answer.rsz, rsz);
}

void must(int request)
{
    expect(ask(request, "", 0, 0), OMP_ERRCODE_OK, 0);
}

uint64_t word_at(const struct answer *answer, int offset)
{
    uint64_t word;
    memcpy(&word, answer->mem + offset, sizeof word);
    return word;
}

int state_of(const struct answer *answer)
{
    int state;
    memcpy(&state, answer->mem, sizeof state);
    return state;
}

static uint64_t region(int request)
{
    struct answer answer = ask(request, "", 0, 8);
    CHECK_EQUAL(answer.ec, OMP_ERRCODE_OK);
    CHECK_EQUAL(answer.rsz, 8);
    return word_at(&answer, 0);
}

uint64_t current_region(void)
{
    return region(OMP_REQ_CURRENT_PRID);
}

uint64_t parent_region(void)
{
    return region(OMP_REQ_PARENT_PRID);
}

/* ---- probes -------------------- */

static struct probe probed;
static sem_t probe_done;

static void on_probe(int number)
{
    int before = errno;
    (void)number;
    probed.full = ask(OMP_REQ_STATE, "", 0, 12);
    probed.small = ask(OMP_REQ_STATE, "", 0, 4);
    probed.none = ask(OMP_REQ_STATE, "", 0, 0);
    probed.region = ask(OMP_REQ_CURRENT_PRID, "", 0, 8);
    sem_post(&probe_done);
    errno = before;
}

void probes_start(void)
{
    struct sigaction action = {.sa_handler = on_probe, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&probe_done, 0, 0);
}

struct probe probe_thread(uint64_t thread)
{
    CHECK_EQUAL(pthread_kill((pthread_t)thread, SIGUSR1), 0);
    while (sem_wait(&probe_done) != 0)
        CHECK(errno == EINTR);
    return probed;
}

struct probe probe_until(uint64_t thread, int state)
{
    struct probe probe;
    do {
        probe = probe_thread(thread);
        sched_yield();
    } while (state_of(&probe.full) != state);
    return probe;
}

/* ---- the program -------------------- */

static const struct one_case *const all[] = {request_cases, thread_cases, region_cases, list_cases};

int main(int argc, char **argv)
{
    find();
    for (int i = 0; i < 4; i++)
        for (const struct one_case *c = all[i]; c->name != NULL; c++)
            if (argc < 2)
                puts(c->name);
            else if (strcmp(argv[1], c->name) == 0) {
                c->run();
                return 0;
            }
    return argc < 2 ? 0 : 2;
}
