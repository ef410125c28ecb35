/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd node`: the ranks of one node, merged. docs/jobs.md.
 */
#include "command/cmd.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "corefiles/numbers.h"

#include "command/children.h"
#include "merge.h"
#include "command/processes.h"
#include "ranks.h"

struct node {
    const struct cmd_args *args;
    struct jobs *jobs;
    struct rank *ranks;
    size_t count, done;
};

/* In a child: what `ompd record` writes of one rank. */
static int look(void *arg, size_t index)
{
    const struct node *n = arg;
    struct cmd_args args = *n->args;
    insp_snapshot *snapshot;
    char *text, *error = NULL;
    int rc;

    args.pid = n->ranks[index].pid;
    args.shared = children_files();
    rc = cmd_take(&args, args.sub->want, &snapshot);
    if (rc)
        return rc;
    text = insp_record(snapshot, &error);
    if (!text)
        return cmd_failed(error);
    return fwrite(text, 1, strlen(text), stdout) == strlen(text) && !fflush(stdout) ? CMD_ALL : CMD_NOTHING;
}

/* Why there is nothing of a process, malloc'ed. */
static char *reason(const struct node *n, const struct rank *r, const struct child *child)
{
    struct process_stat now;

    if (!process_stat(r->pid, &now) || now.start != r->start || now.state == 'Z')
        return cf_format("it has ended meanwhile");
    if (child->end == CHILD_TIME_OVER)
        return cf_format("it could not be looked at within the %g seconds of --timeout", n->args->timeout);
    return child_why(child);
}

static void fail(struct node *n, const struct rank *r, const char *why)
{
    char *text = r->rank < 0 ? cf_format("process %d: %s", (int)r->pid, why ? why : "out of memory")
                             : cf_format("rank %lld, process %d: %s", (long long)r->rank, (int)r->pid,
                                         why ? why : "out of memory");

    jobs_failed(n->jobs, ranks_node(), text ? text : "out of memory");
    free(text);
}

static void ended(void *arg, size_t index, const struct child *child)
{
    struct node *n = arg;
    const struct rank *r = &n->ranks[index];
    char *error = NULL, *why = NULL;
    bool good = child->end == CHILD_ENDED && WIFEXITED(child->status) &&
                WEXITSTATUS(child->status) < CMD_NOTHING && child->out.size && !child->too_long;

    if (!good) {
        why = reason(n, r, child);
        fail(n, r, why);
    } else if (!jobs_add(n->jobs, child->out.text, child->out.size, &error)) {
        fail(n, r, error);
    }
    insp_string_free(error);
    free(why);
    n->done++;
    if (!n->args->quiet && isatty(STDERR_FILENO))
        cmd_progress_line("%zu of %zu processes", n->done, n->count);
}

/* Those that the user names. */
static void take_named(struct node *n)
{
    n->ranks = calloc((size_t)n->args->file_count, sizeof(*n->ranks));
    for (int i = 0; n->ranks && i < n->args->file_count; i++) {
        pid_t pid = cf_proc_id(n->args->files[i]);

        if (ranks_of(pid, &n->ranks[n->count]))
            n->count++;
        else
            fail(n, &(const struct rank){.pid = pid, .rank = -1}, "there is none");
    }
}

static int run(struct node *n)
{
    const struct children children = {
        .count = n->count,
        .parallel = children_parallel(n->args->parallel),
        .seconds = n->args->timeout,
        .work = look,
        .ended = ended,
        .arg = n,
        .shared_room = cmd_room_of_one(n->args),
    };
    char *library = NULL;
    void *loaded;
    int rc = cmd_find_library(n->args, &library);

    if (rc)
        return rc;
    /* Once for all: the children have it when they are made. */
    loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    cmd_let_work_end(children_kill);
    children_run(&children);
    cmd_progress_end();
    if (loaded)
        dlclose(loaded);
    free(library);
    return CMD_ALL;
}

static void say_nobody(const struct cmd_args *args)
{
    if (args->job)
        cmd_say("There is no rank of job %s on %s that could be looked at.", args->job, ranks_node());
    else
        cmd_say("No process of yours on %s has a rank in MPI. Processes can be named: ompd node PID...",
                ranks_node());
}

static int show(const struct node *n)
{
    const bool nobody = !jobs_count(n->jobs) && !jobs_failures(n->jobs);
    int rc = CMD_ALL;

    if (nobody && !n->args->quiet)
        say_nobody(n->args);
    /* A node without ranks is an answer for who asks many. */
    if (!nobody || n->args->framed || n->args->format == CMD_JSON)
        rc = merge_show(n->args, n->jobs);
    if (!rc && !jobs_count(n->jobs))
        return CMD_NOTHING;
    if (!rc && n->args->check && jobs_deadlock(n->jobs))
        return CMD_DEADLOCK;
    /* Ranks of other nodes are not missing here. */
    return !rc && jobs_failures(n->jobs) ? CMD_PARTLY : rc;
}

int cmd_node(const struct cmd_args *args)
{
    struct node n = {.args = args, .jobs = jobs_new()};
    int rc;

    if (!n.jobs)
        return cmd_out_of_memory();
    if (args->files)
        take_named(&n);
    else
        n.count = ranks_here(args->job, &n.ranks);
    rc = n.ranks ? run(&n) : cmd_out_of_memory();
    if (!rc)
        rc = show(&n);
    cmd_heeded();
    free(n.ranks);
    jobs_free(n.jobs);
    return rc;
}
