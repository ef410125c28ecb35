/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd merge`: the reports of many processes as one. docs/jobs.md.
 */
#include "command/cmd.h"

#include <stdlib.h>

#include "framed_lines.h"
#include "merge.h"
#include "merge_cores.h"
#include "ranks.h"

void merge_document(void *arg, const char *host, const char *text, size_t size)
{
    char *error = NULL;

    if (!jobs_add(arg, text, size, &error))
        jobs_failed(arg, host, error ? error : "out of memory");
    insp_string_free(error);
}

static void receive_failure(void *arg, const char *host, const char *why)
{
    jobs_failed(arg, host, why);
}

/* False: TEXT has no framed line. */
static bool add_frames(struct jobs *jobs, const char *text, size_t size)
{
    const struct frames_sink sink = {merge_document, receive_failure, jobs, NULL};

    return frames_read(text, size, &sink);
}

/* One file after the other, so that only one is in memory. False: not all of it could be used. */
static bool add_file(struct jobs *jobs, const char *path)
{
    char *error = NULL, *text;
    size_t size;
    bool good;

    text = cmd_read_file(path, &size);
    if (!text)
        return false;
    good = add_frames(jobs, text, size) || jobs_add(jobs, text, size, &error);
    free(text);
    if (!good)
        cmd_say("%s: %s", path, error ? error : "Out of memory.");
    insp_string_free(error);
    return good;
}

static char *framed(struct jobs *jobs)
{
    char *text = jobs_json(jobs), *lines = NULL;

    if (text)
        lines = frames_write(text, ranks_node());
    insp_string_free(text);
    return lines;
}

/* The picture; NULL having said why. */
static char *picture(struct jobs *jobs, const struct jobs_options *options)
{
    char *error = NULL, *dot = jobs_dot(jobs, options), *svg = dot ? insp_svg(dot, &error) : NULL;

    if (!svg)
        cmd_say("There is no picture: %s", error ? error : "out of memory");
    insp_string_free(error);
    insp_string_free(dot);
    return svg;
}

static char *render(const struct cmd_args *args, struct jobs *jobs, struct jobs_options *options)
{
    char *svg, *text;

    if (args->framed)
        return framed(jobs);
    switch (args->format) {
    case CMD_JSON:
        return jobs_json(jobs);
    case CMD_DOT:
        return jobs_dot(jobs, options);
    case CMD_SVG:
        return picture(jobs, options);
    case CMD_HTML:
        svg = picture(jobs, options);
        options->svg = svg;
        text = jobs_html(jobs, options);
        insp_string_free(svg);
        return text;
    default:
        return args->tree ? jobs_tree(jobs, options) : jobs_text(jobs, options);
    }
}

static void text_options(const struct cmd_args *args, struct jobs_options *ret)
{
    struct insp_render_options render;

    cmd_render_options(args, &render);
    *ret = (struct jobs_options){.zoom = args->zoom,
                                 .width = render.width,
                                 .colour = render.colour,
                                 .rank = args->rank_given ? args->rank : -1};
}

int merge_show(const struct cmd_args *args, struct jobs *jobs)
{
    struct jobs_options options;
    char *text;
    int rc;

    text_options(args, &options);
    if (args->rank_given && !jobs_has_rank(jobs, args->rank)) {
        cmd_say("Nothing was given of rank %lld.", (long long)args->rank);
        return CMD_NOTHING;
    }
    text = render(args, jobs, &options);
    if (!text)
        return args->format == CMD_SVG ? CMD_NOTHING : cmd_out_of_memory();
    rc = cmd_write(args, text);
    insp_string_free(text);
    return rc;
}

int merge_compare(const struct cmd_args *args, struct jobs *before, struct jobs *after)
{
    struct jobs_options options;
    bool same = false;
    char *text;
    int rc;

    text_options(args, &options);
    text = args->format == CMD_JSON ? jobs_diff_json(before, after, &same)
                                    : jobs_diff(before, after, &options, &same);
    rc = text ? cmd_write(args, text) : cmd_out_of_memory();
    insp_string_free(text);
    if (!rc && args->check && jobs_deadlock(after))
        return CMD_DEADLOCK;
    return !rc && (!same || jobs_failures(before) || jobs_failures(after)) ? CMD_PARTLY : rc;
}

/* `ompd merge --diff A B`. */
static int compare(const struct cmd_args *args)
{
    struct jobs *both[2] = {jobs_new(), jobs_new()};
    bool all = true;
    int rc = CMD_NOTHING;

    for (int i = 0; both[0] && both[1] && i < 2; i++)
        all &= add_file(both[i], args->files[i]);
    if (!both[0] || !both[1]) {
        rc = cmd_out_of_memory();
    } else if (!jobs_count(both[0]) || !jobs_count(both[1])) {
        cmd_say("There is no process in %s.", args->files[jobs_count(both[0]) ? 1 : 0]);
    } else {
        rc = merge_compare(args, both[0], both[1]);
        rc = !rc && !all ? CMD_PARTLY : rc;
    }
    jobs_free(both[0]);
    jobs_free(both[1]);
    return rc;
}

int cmd_merge(const struct cmd_args *args)
{
    struct jobs *jobs = args->diff ? NULL : jobs_new();
    bool all = true;
    int rc;

    if (args->diff)
        return compare(args);
    if (!jobs)
        return cmd_out_of_memory();
    for (char **file = args->files; file && *file && !cmd_cancelled(); file++)
        all &= add_file(jobs, *file);
    if (args->cores)
        all &= merge_cores(args, jobs) == CMD_ALL;
    if (jobs_count(jobs) || jobs_failures(jobs)) {
        rc = merge_show(args, jobs);
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
