/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/environment.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/session/hostcall.h"

/* Bounds on what is read: an environment of 128 KiB in 4096 strings is a large one. */
enum { POINTERS = 4096, POINTERS_AT_ONCE = 64, PAGE = 4096, PAGES_MAX = 64, VALUE = 64 };

enum fact { RANK, SIZE, JOB, STEP, STEPS_RANK, STEPS_SIZE, NAME_SPACE, FACTS };

/* In the order of trust: what MPI itself sets, then the launchers. */
static const struct {
    const char *name;
    enum fact fact;
} variables[] = {
    {"OMPI_COMM_WORLD_RANK", RANK},
    {"PMIX_RANK", RANK},
    {"PMI_RANK", RANK},
    {"MV2_COMM_WORLD_RANK", RANK},
    {"PALS_RANKID", RANK},
    {"FLUX_TASK_RANK", RANK},
    {"OMPI_COMM_WORLD_SIZE", SIZE},
    {"PMI_SIZE", SIZE},
    {"MV2_COMM_WORLD_SIZE", SIZE},
    {"FLUX_JOB_SIZE", SIZE},
    /* A batch script has them as well: they count in a step only. */
    {"SLURM_PROCID", STEPS_RANK},
    {"SLURM_STEP_NUM_TASKS", STEPS_SIZE},
    {"SLURM_NTASKS", STEPS_SIZE},
    {"SLURM_JOB_ID", JOB},
    {"SLURM_JOBID", JOB},
    {"PBS_JOBID", JOB},
    {"LSB_JOBID", JOB},
    {"FLUX_JOB_ID", JOB},
    {"SLURM_STEP_ID", STEP},
    {"SLURM_STEPID", STEP},
    /* Of one start of mpirun or the like, of which a job may have several. */
    {"PMIX_NAMESPACE", NAME_SPACE},
    {"OMPI_MCA_ess_base_jobid", NAME_SPACE},
    {"PALS_APID", NAME_SPACE},
};
enum { VARIABLES = sizeof(variables) / sizeof(*variables) };

struct environment {
    insp_session *session;
    uint64_t page; /* address of `bytes`; 0 none */
    int pages;     /* that were read */
    uint8_t bytes[PAGE];
    char value[VARIABLES][VALUE]; /* "" none */
};

/* One byte; the strings lie behind one another, so a few pages have all of them. */
static bool byte_at(struct environment *e, uint64_t addr, char *ret)
{
    const uint64_t page = addr & ~(uint64_t)(PAGE - 1);

    if (!e->page || e->page != page) {
        e->page = 0;
        if (!page || e->pages >= PAGES_MAX)
            return false;
        e->pages++;
        if (host_read(e->session, page, e->bytes, PAGE))
            return false;
        e->page = page;
    }
    *ret = (char)e->bytes[addr - page];
    return true;
}

/* Does the string at ADDR begin so? Then the address behind it. */
static uint64_t after(struct environment *e, uint64_t addr, const char *start)
{
    char c;

    for (; *start; start++, addr++)
        if (!addr || !byte_at(e, addr, &c) || c != *start)
            return 0;
    return addr;
}

static void take_value(struct environment *e, uint64_t addr, char ret[VALUE])
{
    for (int i = 0; i < VALUE; i++)
        if (!byte_at(e, addr + (uint64_t)i, &ret[i]) || i == VALUE - 1) {
            *ret = '\0'; /* a part of it would be another value */
            return;
        } else if (!ret[i]) {
            return;
        }
}

static void take_string(struct environment *e, uint64_t addr)
{
    for (int i = 0; i < VARIABLES; i++) {
        uint64_t at = after(e, addr, variables[i].name);

        at = at ? after(e, at, "=") : 0;
        if (at)
            take_value(e, at, e->value[i]);
    }
}

/* As the host knows it. False: it does not. */
static bool take_told(struct environment *e)
{
    const char *text;
    int rc = host_environment(e->session, 0, &text);

    for (uint32_t at = 0; !rc && at < POINTERS; rc = host_environment(e->session, ++at, &text))
        for (int i = 0; text && i < VARIABLES; i++) {
            size_t n = strlen(variables[i].name);

            if (!strncmp(text, variables[i].name, n) && text[n] == '=' && strlen(text + n + 1) < VALUE)
                strcpy(e->value[i], text + n + 1);
        }
    return rc >= 0;
}

/* From the process' own memory. */
static void take_strings(struct environment *e)
{
    uint64_t list, strings[POINTERS_AT_ONCE];

    if (host_lookup(e->session, "environ", NULL, &list) || host_read(e->session, list, &list, sizeof(list)))
        return;
    for (int i = 0; list && list % 8 == 0 && i < POINTERS; i += POINTERS_AT_ONCE) {
        /* Up to a boundary, so that a page behind the list need not be there. */
        size_t count = POINTERS_AT_ONCE - (size_t)(list / 8 % POINTERS_AT_ONCE);

        if (host_read(e->session, list, strings, count * 8))
            return;
        for (size_t k = 0; k < count; k++) {
            if (!strings[k])
                return;
            take_string(e, strings[k]);
        }
        list += count * 8;
    }
}

static const char *first(const struct environment *e, enum fact fact)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].fact == fact && *e->value[i])
            return e->value[i];
    return NULL;
}

/* A number of processes; -1: it is none. */
static int64_t number(const char *text)
{
    char *end;
    long long value;

    if (!text || *text < '0' || *text > '9')
        return -1;
    value = strtoll(text, &end, 10);
    return *end || value > INT32_MAX ? -1 : value;
}

void environment_find(insp_session *s, insp_snapshot *snap)
{
    struct environment *e = calloc(1, sizeof(*e));
    struct mdl_process *p = &snap->process;
    bool step;

    if (!e) {
        snap->arena.oom = true;
        return;
    }
    e->session = s;
    if (!take_told(e))
        take_strings(e);
    /* Slurm numbers steps from 0; those above are its own, such as the batch script. */
    step = number(first(e, STEP)) >= 0;
    p->rank = number(first(e, RANK));
    if (p->rank < 0 && step)
        p->rank = number(first(e, STEPS_RANK));
    p->size = number(first(e, SIZE));
    if (p->size < 0 && step)
        p->size = number(first(e, STEPS_SIZE));
    if (p->rank < 0 || (p->size >= 0 && p->rank >= p->size))
        p->size = -1;
    if (first(e, JOB))
        p->job = arena_str(&snap->arena, first(e, JOB));
    if (step)
        p->step = arena_str(&snap->arena, first(e, STEP));
    if (first(e, NAME_SPACE))
        p->name_space = arena_str(&snap->arena, first(e, NAME_SPACE));
    free(e);
}
