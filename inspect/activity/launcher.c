/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/launcher.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum fact { RANK, SIZE, JOB, STEP, STEPS_RANK, STEPS_SIZE, NAME_SPACE };

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
_Static_assert((int)VARIABLES <= (int)LAUNCHER_VARIABLES, "each has its place");

const char *launcher_name(int index)
{
    return index < VARIABLES ? variables[index].name : NULL;
}

void launcher_take(struct launcher *l, const char *text)
{
    for (int i = 0; i < VARIABLES; i++) {
        size_t n = strlen(variables[i].name);

        if (!strncmp(text, variables[i].name, n) && text[n] == '=' && strlen(text + n + 1) < LAUNCHER_VALUE)
            strcpy(l->value[i], text + n + 1);
    }
}

static const char *first(const struct launcher *l, enum fact fact)
{
    for (int i = 0; i < VARIABLES; i++)
        if (variables[i].fact == fact && *l->value[i])
            return l->value[i];
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

void launcher_tell(const struct launcher *l, struct launcher_told *ret)
{
    /* Slurm numbers steps from 0; those above are its own, such as the batch script. */
    const bool step = number(first(l, STEP)) >= 0;

    ret->rank = number(first(l, RANK));
    if (ret->rank < 0 && step)
        ret->rank = number(first(l, STEPS_RANK));
    ret->size = number(first(l, SIZE));
    if (ret->size < 0 && step)
        ret->size = number(first(l, STEPS_SIZE));
    if (ret->rank < 0 || (ret->size >= 0 && ret->rank >= ret->size))
        ret->size = -1;
    ret->job = first(l, JOB);
    ret->step = step ? first(l, STEP) : NULL;
    ret->name_space = first(l, NAME_SPACE);
}
