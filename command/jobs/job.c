/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd job`: starts `ompd node` on the nodes of a job, by a program that can do that (an engine), and merges
 * the answers. docs/jobs.md.
 */
#include "command/cmd.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ask.h"
#include "engines.h"
#include "merge.h"
#include "nodes.h"
#include "command/run/program.h"

static int say_error(char *error)
{
    cmd_say("%s", error ? error : "Out of memory.");
    free(error);
    return CMD_NOTHING;
}

/* The engine for --hosts: the first whose program is here. */
static const char *engine_for_hosts(void)
{
    static const char *const ways[][2] = {{"clush", "clustershell"}, {"pdsh", "pdsh"}, {"ssh", "ssh"}};

    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        char *file = program_find(ways[i][0]);

        if (file) {
            free(file);
            return ways[i][1];
        }
    }
    return "ssh";
}

static int choose_engine(const struct cmd_args *args, struct engine *ret)
{
    const char *name = args->engine ? args->engine : args->slurm ? "slurm" : engine_for_hosts();
    char *error = NULL;

    if (args->launch) {
        *ret = (struct engine){.name = strdup("--launch"), .launch = strdup(args->launch), .tried = true};
        if (!engine_uses(args->launch, 'A') && !engine_uses(args->launch, 'C')) {
            cmd_say("--launch needs %%A or %%C in its command: what is to be started on the nodes.");
            return CMD_USAGE;
        }
        return CMD_ALL;
    }
    if (!engine_find(name, args->engines, ret, &error))
        return say_error(error);
    if (!ret->tried && !args->quiet)
        cmd_say("The row of engine \"%s\" has not been tried on such a system.", name);
    return CMD_ALL;
}

/* The nodes that the user names or the engine tells; none where that is not known before they answer. */
static int find_nodes(const struct cmd_args *args, const struct ask *ask, struct nodeset *ret)
{
    char *text = NULL, *error = NULL;
    bool good = true;

    if (args->hosts)
        good = nodeset_add(ret, args->hosts);
    else if (ask->engine->nodes) {
        text = ask_command(ask, ask->engine->nodes, NULL, &error);
        good = text && nodeset_add(ret, text);
        if (text && good && !ret->count)
            error = cf_format("Job %s has no nodes now.", ask->job ? ask->job : "");
    }
    free(text);
    if (error)
        return say_error(error);
    if (!good) {
        cmd_say("%s is no list of nodes such as n[1-4,7],login.",
                args->hosts ? args->hosts : "What was told");
        return args->hosts ? CMD_USAGE : CMD_NOTHING;
    }
    return CMD_ALL;
}

static int status(const struct cmd_args *args, struct jobs *jobs)
{
    if (!jobs_count(jobs))
        return CMD_NOTHING;
    if (args->check && jobs_deadlock(jobs))
        return CMD_DEADLOCK;
    return jobs_complete(jobs) ? CMD_ALL : CMD_PARTLY;
}

static int show(const struct cmd_args *args, const struct ask *ask, struct jobs *jobs)
{
    int rc = CMD_ALL;

    if (jobs_count(jobs) || jobs_failures(jobs))
        rc = merge_show(args, jobs);
    if (!jobs_count(jobs))
        cmd_say("No rank%s%s was found on the nodes.", ask->job ? " of job " : "", ask->job ? ask->job : "");
    return rc ? rc : status(args, jobs);
}

/* One sample of all nodes. CMD_ALL: there is something in JOBS, or nothing was found. */
static int sample(const struct cmd_args *args, const struct ask *ask, struct jobs *jobs)
{
    struct nodes nodes = {0};
    struct nodeset set = {0};
    char *error = NULL;
    int rc = find_nodes(args, ask, &set);

    if (!rc && !nodes_make(&set, &nodes))
        rc = cmd_out_of_memory();
    if (!rc && !ask_nodes(ask, &nodes, jobs, &error))
        rc = say_error(error);
    nodeset_free(&set);
    nodes_free(&nodes);
    return rc;
}

/* Until the time of the second sample, or the user asks for the end. */
static void pause_for(double seconds)
{
    const struct timespec a_moment = {.tv_nsec = 50 * 1000 * 1000};

    for (int i = 0; i < seconds * 20 && !cmd_cancelled(); i++)
        (void)nanosleep(&a_moment, NULL);
}

/* --watch: BEFORE and another sample. Interrupted: what has come. */
static int watch(const struct cmd_args *args, const struct ask *ask, struct jobs *before)
{
    struct jobs *after = jobs_new();
    int rc;

    if (!after)
        return cmd_out_of_memory();
    pause_for(args->watch);
    rc = cmd_cancelled() ? CMD_NOTHING : sample(args, ask, after);
    if (!rc && jobs_count(before) && jobs_count(after)) {
        rc = merge_compare(args, before, after);
    } else {
        cmd_say("There are not two samples to compare: the first is shown.");
        rc = show(args, ask, before);
        rc = rc ? rc : CMD_PARTLY;
    }
    jobs_free(after);
    return rc;
}

static int ask_and_show(const struct cmd_args *args, const struct ask *ask)
{
    struct jobs *jobs = jobs_new();
    int rc = jobs ? sample(args, ask, jobs) : cmd_out_of_memory();

    if (!rc)
        rc = args->watch > 0 && !cmd_cancelled() ? watch(args, ask, jobs) : show(args, ask, jobs);
    cmd_heeded();
    jobs_free(jobs);
    return rc;
}

int cmd_job(const struct cmd_args *args)
{
    struct engine engine = {0};
    struct ask ask = {.args = args, .engine = &engine, .job = args->slurm ? args->slurm : args->job};
    int rc = choose_engine(args, &engine);

    if (!rc)
        rc = ask_and_show(args, &ask);
    engine_free(&engine);
    return rc;
}
