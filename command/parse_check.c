/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do the options of a command line fit the subcommand, and each other?
 */
#include "parser.h"

#include <stdio.h>
#include <string.h>

static bool seen(const struct parser *p, int id)
{
    return p->seen >> id & 1;
}

int parse_usage(const char *sentence)
{
    cmd_say("%s", sentence);
    return CMD_USAGE;
}

static int check_source(const struct parser *p)
{
    const struct cmd_args *a = p->args;
    int sources = seen(p, CMD_O_PID) + seen(p, CMD_O_CORE) + seen(p, CMD_O_SNAPSHOT);

    if (!(a->sub->bit & CMD_READING))
        return CMD_ALL;
    if (!sources && a->executable) {
        cmd_say(
            "%s is a program: `ompd run -- %s` starts it. Name a process of it with --pid PID, or its core "
            "with --core FILE.",
            a->executable, a->executable);
        return CMD_USAGE;
    }
    if (a->sub->bit & CMD_SAMPLING && !a->pid) {
        cmd_say("`ompd %s` looks at a living process: it needs --pid PID.", a->sub->name);
        return CMD_USAGE;
    }
    if (!sources)
        return parse_usage(a->sub->bit & (CMD_SHOWN | CMD_BUGREPORT)
                               ? "Say what to look at: --pid PID, --core FILE or --snapshot FILE."
                               : "Say what to look at: --pid PID or --core FILE.");
    if (sources > 1)
        return parse_usage("Only one of --pid, --core and --snapshot can be looked at.");
    if (!a->pid && (a->no_stop || a->watch > 0))
        return parse_usage(a->no_stop ? "--no-stop is for living processes: it needs --pid."
                                      : "--watch is for living processes: it needs --pid.");
    if (a->no_stop && a->sub->bit == CMD_STACKS)
        return parse_usage("A running thread has no stack to show: `ompd stacks` cannot do with --no-stop.");
    if (a->elements && !a->locals && a->sub->bit != CMD_PRINT)
        return parse_usage("--elements needs --locals.");
    if (a->locals && (a->snapshot || a->watch > 0))
        return parse_usage(a->snapshot
                               ? "A snapshot has no values of variables: --locals needs --pid or --core."
                               : "--locals and --watch cannot be used together.");
    if (a->samples && a->watch <= 0)
        return parse_usage("--samples needs --watch SECONDS.");
    if (a->snapshot && (a->executable || a->sysroot || a->debug_dirs || a->library || a->trace || a->layout))
        return parse_usage(
            "A snapshot needs nothing else: no --executable, --sysroot, --debug-dir, --ompd-library, "
            "--layout or --trace.");
    return CMD_ALL;
}

static int check_format(const struct parser *p)
{
    struct cmd_args *a = p->args;
    char list[64] = "";

    if (p->json && seen(p, CMD_O_FORMAT) && a->format != CMD_JSON)
        return parse_usage("--json and another --format contradict each other.");
    if (p->json)
        a->format = CMD_JSON;
    if (a->stable && a->format != CMD_TEXT && a->format != CMD_FOLDED)
        return parse_usage("--stable is for text only.");
    if (a->stable && a->locals)
        return parse_usage("--stable and --locals contradict each other: values are addresses, too.");
    if (a->stable && (a->addresses || a->watch > 0))
        return parse_usage(a->addresses ? "--stable and --addresses contradict each other."
                                        : "--stable and --watch contradict each other.");
    if (a->watch > 0 && a->format > CMD_JSON)
        return parse_usage("--watch is answered as text or JSON only.");
    if (!a->sub->formats || a->sub->formats >> a->format & 1)
        return CMD_ALL;
    for (int i = 0; i < CMD_FORMATS; i++) {
        size_t n = strlen(list);

        if (a->sub->formats >> i & 1)
            snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "", cmd_format_names[i]);
    }
    cmd_say("`ompd %s` has no format %s, only: %s.%s", a->sub->name, cmd_format_names[a->format], list,
            a->format == CMD_HTML     ? " `ompd report --format=html` is one page with everything."
            : a->format == CMD_FOLDED ? " `ompd stacks --format=folded` writes stacks for flame graphs."
                                      : "");
    return CMD_USAGE;
}

static int check_merge(const struct parser *p)
{
    const struct cmd_args *a = p->args;

    if (a->sub->bit != CMD_MERGE)
        return CMD_ALL;
    if (!a->files && !a->cores)
        return parse_usage("`ompd merge` needs the files to put together: ompd merge state-*.json.");
    if (!a->cores && (a->executable || a->sysroot || a->debug_dirs || a->library || a->layout || a->parallel))
        return parse_usage(
            "--executable, --sysroot, --debug-dir, --ompd-library, --layout and --parallel are for "
            "--cores DIR.");
    if (a->cores && a->diff)
        return parse_usage("--diff compares two files, no cores.");
    if (a->diff && a->file_count != 2)
        return parse_usage("--diff compares two files: ompd merge --diff before.json after.json.");
    if (a->diff + a->tree + a->framed + a->rank_given > 1)
        return parse_usage("Only one of --diff, --tree, --framed and --rank can be shown.");
    if ((a->tree || a->rank_given) && a->format != CMD_TEXT)
        return parse_usage("--tree and --rank are answered as text; --format=dot is the picture of --tree.");
    if (a->diff && a->format > CMD_JSON)
        return parse_usage("--diff is answered as text or JSON.");
    return CMD_ALL;
}

static int check_job(const struct cmd_args *a)
{
    const char *job = a->slurm ? a->slurm : a->job;

    if (a->slurm && (a->job || a->hosts || a->engine || a->launch))
        return parse_usage(
            "--slurm names job, nodes and engine: no --job, --hosts, --engine or --launch beside it.");
    if (a->launch && a->engine)
        return parse_usage("--launch and --engine contradict each other.");
    if (!a->slurm && !a->hosts && !a->engine && !a->launch)
        return parse_usage(
            "Say which nodes to ask: --slurm JOB, --hosts NODES, --engine NAME or --launch COMMAND.");
    if (a->watch > 0 && (a->tree || a->rank_given || a->format > CMD_JSON))
        return parse_usage("--watch is answered as text or JSON, and without --tree or --rank.");
    if (job && (!*job || *job == '-'))
        return parse_usage("The job needs a name or number, such as 4711 or 4711.0.");
    return CMD_ALL;
}

static void say_no_option(const struct cmd_sub *sub, const struct cmd_option *o)
{
    if (o->id == CMD_O_CORE && sub->bit & (CMD_TOP | CMD_PROFILE))
        cmd_say("`ompd %s` looks at a living process: in a core no time goes by. `ompd report --core CORE` "
                "shows it.",
                sub->name);
    else
        cmd_say("`ompd %s` has no option --%s. `ompd help %s` lists its options.", sub->name, o->name,
                sub->name);
}

int parse_check(const struct parser *p)
{
    struct cmd_args *a = p->args;
    int rc;

    for (const struct cmd_option *o = cmd_options; o->name; o++)
        if (seen(p, o->id) && !(o->of & a->sub->bit)) {
            say_no_option(a->sub, o);
            return CMD_USAGE;
        }
    rc = check_source(p);
    if (!rc)
        rc = check_format(p);
    if (!rc)
        rc = check_merge(p);
    if (rc)
        return rc;
    if (a->sub->bit == CMD_RECORD && !a->output)
        return parse_usage("`ompd record` needs -o FILE, the file to write.");
    if (a->sub->bit == CMD_RUN && !a->program)
        return parse_usage("`ompd run` needs the program to start: ompd run -- ./app.");
    if (a->sub->bit == CMD_COMPLETION && !a->argument)
        return parse_usage("`ompd completion` needs a shell: bash, zsh or fish.");
    if (a->sub->bit == CMD_JOB && check_job(a))
        return CMD_USAGE;
    if (a->sub->bit == CMD_PRINT && !a->argument)
        return parse_usage("`ompd print` needs an expression: ompd print -p PID n.");
    if (a->sub->bit == CMD_LAYOUT && !a->argument)
        return parse_usage("`ompd layout` needs the file of an OpenMP runtime: ompd layout libgomp.so.1.");
    if (a->quiet && a->verbose)
        return parse_usage("--quiet and --verbose contradict each other.");
    return CMD_ALL;
}
