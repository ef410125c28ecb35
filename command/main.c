/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ompd: what the OpenMP of a process or a core was doing, without a debugger. docs/man/ompd.1.
 */
#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>

static int view(const struct cmd_args *args)
{
    const unsigned placement = args->verbose && args->sub->bit == CMD_THREADS ? INSP_PLACEMENT : 0;
    const unsigned locals = args->locals ? INSP_LOCALS : 0;
    insp_snapshot *snapshot;
    int rc = cmd_take(args, args->sub->want | locals | placement, &snapshot);

    if (rc)
        return rc;
    rc = cmd_show(args, snapshot);
    insp_free(snapshot);
    return rc;
}

static int act(struct cmd_args *args)
{
    cmd_catch_faults();
    if (args->sub->bit != CMD_RUN) /* which limits its reports, and not the program */
        cmd_limit(args);
    switch (args->sub->bit) {
    case CMD_RUN:
        return cmd_run(args);
    case CMD_COMPLETION:
        return cmd_completion(args->argument);
    case CMD_HELP:
        return cmd_help(args->argument);
    case CMD_VERSION_OF:
        puts("ompd " CMD_VERSION);
        return CMD_ALL;
    default:
        break;
    }
    cmd_catch_signals();
    if (args->sub->bit == CMD_LAYOUT)
        return cmd_layout(args);
    if (args->sub->bit == CMD_RECORD)
        return cmd_record(args);
    if (args->sub->bit == CMD_BUGREPORT)
        return cmd_bugreport(args);
    if (args->sub->bit == CMD_MERGE)
        return cmd_merge(args);
    if (args->sub->bit == CMD_NODE)
        return cmd_node(args);
    if (args->sub->bit == CMD_JOB)
        return cmd_job(args);
    if (args->sub->bit == CMD_TOP)
        return cmd_top(args);
    if (args->sub->bit == CMD_PROFILE)
        return cmd_profile(args);
    if (args->sub->bit == CMD_PRINT)
        return cmd_print(args);
    return args->watch > 0 ? cmd_watch(args) : view(args);
}

int main(int argc, char **argv)
{
    struct cmd_args args;
    int rc = cmd_parse(argc, argv, &args);

    if (!rc)
        rc = act(&args);
    free(args.debug_dirs);
    free(args.files);
    cmd_end_by_signal();
    if (fflush(stdout) && rc < CMD_USAGE) {
        cmd_say("Standard output cannot be written.");
        rc = CMD_NOTHING;
    }
    return rc;
}
