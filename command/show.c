/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a snapshot to what the user sees, and to the exit status.
 */
#include "cmd.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "corefiles/numbers.h"

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value;
}

/* An order of the user's first, then https://no-color.org and https://bixense.com/clicolors. */
static bool colour(const struct cmd_args *args)
{
    const char *force = getenv("CLICOLOR_FORCE"), *mild = getenv("CLICOLOR"), *terminal = getenv("TERM");

    if (args->color != CMD_AUTO)
        return args->color == CMD_ALWAYS;
    if (is_set("NO_COLOR"))
        return false;
    if (force && *force && strcmp(force, "0"))
        return true;
    if (mild && !strcmp(mild, "0"))
        return false;
    return !args->output && isatty(STDOUT_FILENO) && (!terminal || strcmp(terminal, "dumb"));
}

static int width(const struct cmd_args *args)
{
    const char *columns = getenv("COLUMNS");
    uint64_t asked;
    struct winsize size;

    if (args->output)
        return 0;
    if (columns && cf_next_number(&columns, 10, &asked) && asked > 0 && asked <= INT_MAX)
        return (int)asked;
    return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

void cmd_render_options(const struct cmd_args *args, struct insp_render_options *ret)
{
    static const int formats[] = {[CMD_TEXT] = INSP_TEXT, [CMD_JSON] = INSP_JSON, [CMD_DOT] = INSP_DOT,
                                  [CMD_SVG] = INSP_DOT,   [CMD_HTML] = INSP_HTML, [CMD_FOLDED] = INSP_FOLDED};

    *ret = (struct insp_render_options){
        .size = sizeof(*ret),
        .view = args->sub->view,
        .format = formats[args->format],
        .width = width(args),
        .colour = colour(args),
        .stats = args->stats,
        .addresses = args->addresses,
        .filter = args->state ? args->state : args->argument,
        .scope = args->scope,
        .expand = args->all,
        .frames = args->frames,
        .verbose = args->verbose,
        .locals = args->locals,
    };
}

/* The picture of VIEW's graph; NULL having said why. */
static char *picture(const insp_snapshot *snapshot, struct insp_render_options options, int view)
{
    char *error = NULL, *dot, *svg = NULL;

    options.view = view;
    options.format = INSP_DOT;
    dot = insp_render(snapshot, &options, &error);
    if (dot)
        svg = insp_svg(dot, &error);
    insp_string_free(dot);
    if (!svg)
        cmd_say("There is no picture: %s", error ? error : "out of memory");
    insp_string_free(error);
    return svg;
}

static char *page(const insp_snapshot *snapshot, struct insp_render_options options, char **error)
{
    char *tree = picture(snapshot, options, INSP_VIEW_TASKS);
    char *waits = tree ? picture(snapshot, options, INSP_VIEW_WAITS) : NULL;
    char *text;

    options.svg_tree = tree;
    options.svg_waits = waits;
    text = insp_render(snapshot, &options, error);
    insp_string_free(tree);
    insp_string_free(waits);
    return text;
}

int cmd_status(const struct cmd_args *args, const insp_snapshot *snapshot)
{
    enum insp_verdict_kind kind = insp_verdict(snapshot, NULL);
    int shown = insp_shown(snapshot);

    /* Without an OpenMP runtime there is no region: of these views nothing is shown then. */
    if ((args->sub->view == INSP_VIEW_PARALLEL || args->sub->view == INSP_VIEW_TASKS ||
         args->sub->view == INSP_VIEW_LOOPS) &&
        !insp_ids(snapshot, 'r', NULL, 0))
        shown = CMD_NOTHING;
    if (shown == CMD_PARTLY && args->format >= CMD_DOT && args->format != CMD_HTML && !args->quiet)
        cmd_say("Not all could be found out; `ompd report` says what and why.");
    return args->check && (kind == INSP_STUCK || kind == INSP_DEADLOCK) ? CMD_DEADLOCK : shown;
}

char *cmd_render(const struct cmd_args *args, const insp_snapshot *snapshot)
{
    struct insp_render_options options;
    char *text, *error = NULL;

    cmd_render_options(args, &options);
    if (args->format == CMD_SVG)
        text = picture(snapshot, options, options.view);
    else if (args->format == CMD_HTML)
        text = page(snapshot, options, &error);
    else
        text = insp_render(snapshot, &options, &error);
    if (!text && (error || args->format != CMD_SVG))
        cmd_failed(error);
    insp_string_free(error);
    return text;
}

int cmd_show(const struct cmd_args *args, const insp_snapshot *snapshot)
{
    char *text = cmd_render(args, snapshot);
    int rc = text ? cmd_write(args, text) : CMD_NOTHING;

    insp_string_free(text);
    return rc ? rc : cmd_status(args, snapshot);
}

int cmd_record(const struct cmd_args *args)
{
    insp_snapshot *snapshot;
    char *text, *error = NULL;
    int rc = cmd_check_output(args);

    if (!rc)
        rc = cmd_take(args, args->sub->want, &snapshot);
    if (rc)
        return rc;
    if (args->rank_given)
        insp_set_rank(snapshot, args->rank);
    text = insp_record(snapshot, &error);
    if (!text)
        cmd_failed(error);
    insp_string_free(error);
    rc = text ? cmd_write_process(args, snapshot, text) : CMD_NOTHING;
    insp_string_free(text);
    if (!rc)
        rc = cmd_status(args, snapshot);
    insp_free(snapshot);
    return rc;
}
