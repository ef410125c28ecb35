/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd merge`: the reports of many processes as one. docs/jobs.md.
 */
#include "cmd.h"

#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "inspect/jobs/jobs.h"

/** What comes of framed lines, and where they are from. */
struct receiver {
    struct jobs *jobs;
    bool good;
};

static void receive(void *arg, const char *host, const char *text, size_t size)
{
    struct receiver *r = arg;
    char *error = NULL;

    if (!jobs_add(r->jobs, text, size, &error)) {
        jobs_failed(r->jobs, host, error ? error : "out of memory");
        r->good = false;
    }
    insp_string_free(error);
}

static void receive_failure(void *arg, const char *host, const char *why)
{
    struct receiver *r = arg;

    jobs_failed(r->jobs, host, why);
}

/* One file after the other, so that only one is in memory. False: not all of it could be used. */
static bool add_file(struct jobs *jobs, const char *path)
{
    struct receiver receiver = {jobs, true};
    const struct frames_sink sink = {receive, receive_failure, &receiver};
    char *error = NULL, *text;
    size_t size;
    bool good;

    text = cmd_read_file(path, &size);
    if (!text)
        return false;
    good = frames_read(text, size, &sink) ? receiver.good : jobs_add(jobs, text, size, &error);
    free(text);
    if (!good && (error || receiver.good))
        cmd_say("%s: %s", path, error ? error : "Out of memory.");
    insp_string_free(error);
    return good;
}

static char *framed(struct jobs *jobs)
{
    char host[256] = "", *text = jobs_json(jobs), *lines = NULL;

    (void)gethostname(host, sizeof(host) - 1);
    if (text)
        lines = frames_write(text, host);
    insp_string_free(text);
    return lines;
}

static int show(const struct cmd_args *args, struct jobs *jobs)
{
    struct insp_render_options render;
    struct jobs_options options = {.zoom = args->zoom, .rank = args->rank_given ? args->rank : -1};
    char *text;
    int rc;

    cmd_render_options(args, &render);
    options.width = render.width;
    options.colour = render.colour;
    if (args->rank_given && !jobs_has_rank(jobs, args->rank)) {
        cmd_say("Nothing was given of rank %lld.", (long long)args->rank);
        return CMD_NOTHING;
    }
    text = args->framed               ? framed(jobs)
           : args->format == CMD_JSON ? jobs_json(jobs)
                                      : jobs_text(jobs, &options);
    if (!text)
        return cmd_out_of_memory();
    rc = cmd_write(args, text);
    insp_string_free(text);
    return rc;
}

int cmd_merge(const struct cmd_args *args)
{
    struct jobs *jobs = jobs_new();
    bool all = true;
    int rc;

    if (!jobs)
        return cmd_out_of_memory();
    for (char **file = args->files; *file && !cmd_cancelled(); file++)
        all &= add_file(jobs, *file);
    if (jobs_count(jobs) || jobs_failures(jobs)) {
        rc = show(args, jobs);
        if (!rc && !jobs_count(jobs))
            rc = CMD_NOTHING;
    } else {
        cmd_say("There is no process in what was given.");
        rc = CMD_NOTHING;
    }
    if (!rc && args->check && jobs_deadlock(jobs))
        rc = CMD_DEADLOCK;
    else if (!rc && (!all || !jobs_complete(jobs)))
        rc = CMD_PARTLY;
    jobs_free(jobs);
    return rc;
}
