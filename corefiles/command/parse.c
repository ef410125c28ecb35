/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line. Options may stand before and after the subcommand, with one dash or two, as in GDB's
 * `ompd threads -json`. The program that `run` starts ends the options.
 */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guess.h"

enum { MAX_OPTIONS = 64, LONG_BASE = 1000 /* above any letter */ };

/* What is checked after all words have been read. */
struct parser {
    struct cmd_args *args;
    uint64_t seen; /* bit of enum cmd_option_id */
    bool help, version, json;
};

static int wrong_value(const struct cmd_option *o, const char *value)
{
    char list[256] = "";

    for (const char *const *w = o->words; w && *w; w++) {
        size_t n = strlen(list);

        snprintf(list + n, sizeof(list) - n, "%s%s", w == o->words ? "" : ", ", *w);
    }
    if (o->words)
        cmd_say("--%s cannot be \"%s\"; it is one of: %s.", o->name, value, list);
    else if (o->kind == CMD_SIZE)
        cmd_say("--%s needs a size from 16M on, such as 512M or 4G, and \"%s\" is none.", o->name, value);
    else
        cmd_say("--%s needs a %s, and \"%s\" is none.", o->name,
                o->kind == CMD_PID    ? "process id"
                : o->id == CMD_O_RANK ? "number from 0 on"
                                      : "positive number",
                value);
    return CMD_USAGE;
}

/* The positive number that TEXT is, or 0. */
static double number(const char *text)
{
    char *end;
    double value;

    errno = 0;
    value = strtod(text, &end);
    return end == text || *end || errno || !isfinite(value) || value <= 0 || value > 1e9 ? 0 : value;
}

static int64_t integer(const char *text, int64_t most)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    return end == text || *end || errno || value <= 0 || value > most ? 0 : value;
}

/* The number that TEXT is, from 0 on, or -1. */
static int64_t whole(const char *text, int64_t most)
{
    return *text && text[strspn(text, "0")] == '\0' ? 0 : integer(text, most) > 0 ? integer(text, most) : -1;
}

static int word_index(const struct cmd_option *o, const char *value)
{
    for (int i = 0; o->words[i]; i++)
        if (!strcmp(o->words[i], value))
            return i;
    return -1;
}

static int add_directory(struct cmd_args *args, const char *dir)
{
    char *joined = args->debug_dirs ? cf_format("%s:%s", args->debug_dirs, dir) : strdup(dir);

    if (!joined) {
        cmd_say("Out of memory.");
        return CMD_NOTHING;
    }
    free(args->debug_dirs);
    args->debug_dirs = joined;
    return CMD_ALL;
}

/* The same of `ompd job` and `ompd node`. */
static const char **text_of_job(struct cmd_args *args, int id)
{
    switch (id) {
    case CMD_O_JOB:
        return &args->job;
    case CMD_O_SLURM:
        return &args->slurm;
    case CMD_O_HOSTS:
        return &args->hosts;
    case CMD_O_ENGINE:
        return &args->engine;
    case CMD_O_ENGINES:
        return &args->engines;
    case CMD_O_LAUNCH:
        return &args->launch;
    case CMD_O_AGENT:
        return &args->agent;
    default:
        return NULL;
    }
}

/* Where the value of an option is kept as it stands; NULL: not an option of that kind. */
static const char **text_of(struct cmd_args *args, int id)
{
    switch (id) {
    case CMD_O_CORE:
        return &args->core;
    case CMD_O_SNAPSHOT:
        return &args->snapshot;
    case CMD_O_CORES:
        return &args->cores;
    case CMD_O_EXECUTABLE:
        return &args->executable;
    case CMD_O_SYSROOT:
        return &args->sysroot;
    case CMD_O_OUTPUT:
        return &args->output;
    case CMD_O_STATE:
        return &args->state;
    case CMD_O_SCOPE:
        return &args->scope;
    case CMD_O_LIBRARY:
        return &args->library;
    case CMD_O_TRACE:
        return &args->trace;
    case CMD_O_LAYOUT:
        return &args->layout;
    case CMD_O_DEBUG:
        return &args->debug;
    case CMD_O_NAME:
        return &args->name;
    case CMD_O_MADE_FROM:
        return &args->from;
    default:
        return text_of_job(args, id);
    }
}

static int take_value(struct cmd_args *args, const struct cmd_option *o, const char *value)
{
    int index = o->kind == CMD_WORDS ? word_index(o, value) : 0;
    const char **text = text_of(args, o->id);
    bool good = index >= 0;

    switch (o->id) {
    case CMD_O_PID:
        good = (args->pid = integer(value, INT32_MAX)) > 0;
        break;
    case CMD_O_DEBUG_DIR:
        return add_directory(args, value);
    case CMD_O_WATCH:
        good = (args->watch = number(value)) > 0;
        break;
    case CMD_O_SAMPLES:
        good = (args->samples = (int)integer(value, 1000)) > 1;
        break;
    case CMD_O_EVERY:
        good = (args->every = number(value)) >= 0.01;
        break;
    case CMD_O_COUNT:
        good = (args->count = (int)integer(value, INT32_MAX)) > 0;
        break;
    case CMD_O_FOR:
        good = (args->for_ = number(value)) > 0;
        break;
    case CMD_O_RATE:
        good = (args->rate = number(value)) > 0 && args->rate <= 1000;
        break;
    case CMD_O_FORMAT:
        args->format = (enum cmd_format)(good ? index : 0);
        break;
    case CMD_O_COLOR:
        args->color = (enum cmd_when)(good ? index : 0);
        break;
    case CMD_O_FRAMES:
        args->frames = index == 1;
        break;
    case CMD_O_RANK:
        good = (args->rank = whole(value, INT32_MAX)) >= 0;
        args->rank_given = good;
        break;
    case CMD_O_ELEMENTS:
        good = (args->elements = (int)integer(value, 200)) > 0;
        break;
    case CMD_O_TEAM:
        good = (args->team = (uint64_t)integer(value, INT32_MAX)) > 0;
        break;
    case CMD_O_ZOOM:
        args->zoom = index + 1;
        break;
    case CMD_O_PARALLEL:
        good = (args->parallel = (int)integer(value, 64)) > 0;
        break;
    case CMD_O_RUNTIME:
        args->own_runtime = index == 1;
        break;
    case CMD_O_TIMEOUT:
        good = (args->timeout = number(value)) > 0;
        break;
    case CMD_O_MEMORY:
        good = (args->memory_limit = cmd_size(value)) > 0;
        break;
    case CMD_O_CPU:
        good = (args->cpu_limit = (uint32_t)integer(value, 1000000)) > 0;
        break;
    default:
        if (text)
            *text = value;
    }
    return good ? CMD_ALL : wrong_value(o, value);
}

static void take_flag(struct parser *p, const struct cmd_option *o)
{
    switch (o->id) {
    case CMD_O_NO_STOP:
        p->args->no_stop = true;
        break;
    case CMD_O_JSON:
        p->json = true;
        break;
    case CMD_O_ALL:
        p->args->all = true;
        break;
    case CMD_O_ADDRESSES:
        p->args->addresses = true;
        break;
    case CMD_O_LOCALS:
        p->args->locals = true;
        break;
    case CMD_O_STATS:
        p->args->stats = true;
        break;
    case CMD_O_CHECK:
        p->args->check = true;
        break;
    case CMD_O_PER_THREAD:
        p->args->per_thread = true;
        break;
    case CMD_O_FRAMED:
        p->args->framed = true;
        break;
    case CMD_O_TREE:
        p->args->tree = true;
        break;
    case CMD_O_DIFF:
        p->args->diff = true;
        break;
    case CMD_O_STABLE:
        p->args->stable = true;
        break;
    case CMD_O_YES:
        p->args->yes = true;
        break;
    case CMD_O_FORCE:
        p->args->force = true;
        break;
    case CMD_O_QUIET:
        p->args->quiet = true;
        break;
    case CMD_O_VERBOSE:
        p->args->verbose = true;
        break;
    case CMD_O_HELP:
        p->help = true;
        break;
    default:
        p->version = true;
    }
}

static const char *next_sub(unsigned index)
{
    return cmd_subs[index].name;
}

static const char *next_option(unsigned index)
{
    return cmd_options[index].name;
}

static int wrong_option(const char *given)
{
    const char *word = given + strspn(given, "-");
    char name[64];
    const char *near;

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
    near = cmd_suggest(name, next_option);
    if (near)
        cmd_say("There is no option %s. Did you mean --%s?", given, near);
    else
        cmd_say("There is no option %s, or it means more than one. `ompd help` lists them.", given);
    return CMD_USAGE;
}

static int wrong_sub(const char *given)
{
    const char *near = cmd_suggest(given, next_sub);

    if (!access(given, F_OK))
        cmd_say("%s is no core file, no snapshot and no program.", given);
    else if (strchr(given, '/'))
        cmd_say("%s: %s.", given, strerror(errno));
    else if (near)
        cmd_say("There is no subcommand \"%s\". Did you mean \"%s\"?", given, near);
    else
        cmd_say("There is no subcommand \"%s\". `ompd help` lists them.", given);
    return CMD_USAGE;
}

/* `ompd 4242`, `ompd core`, `ompd ./app -c core`. True: WORD says what to look at. */
static bool take_source(struct parser *p, const char *word, int *rc)
{
    static const int options[] = {
        [GUESS_PID] = CMD_O_PID,
        [GUESS_CORE] = CMD_O_CORE,
        [GUESS_PROGRAM] = CMD_O_EXECUTABLE,
        [GUESS_SNAPSHOT] = CMD_O_SNAPSHOT,
    };
    const int id = options[guess_source(word)];
    const struct cmd_option *o = cmd_options;

    if (!id)
        return false;
    while (o->id != id)
        o++;
    if (p->seen >> id & 1) {
        cmd_say("\"%s\" is a second --%s, and only one can be looked at.", word, o->name);
        *rc = CMD_USAGE;
        return true;
    }
    p->seen |= UINT64_C(1) << id;
    *rc = take_value(p->args, o, word);
    return true;
}

static int add_file(struct cmd_args *args, char *word)
{
    char **grown = realloc(args->files, ((size_t)args->file_count + 2) * sizeof(*grown));

    if (!grown)
        return cmd_out_of_memory();
    args->files = grown;
    grown[args->file_count++] = word;
    grown[args->file_count] = NULL;
    return CMD_ALL;
}

/*
 * A word without a dash: the subcommand, what to look at, or the subcommand's argument. *last: the rest
 * belongs to the program of `run`.
 */
static int take_word(struct parser *p, char **word, bool *last)
{
    struct cmd_args *args = p->args;
    int rc = CMD_ALL;

    if (!args->sub && (args->sub = cmd_sub_named(*word)))
        return CMD_ALL;
    /* A variable may have a file's name. */
    if (args->sub && args->sub->bit == CMD_PRINT && !args->argument && !strchr("0123456789/", **word)) {
        args->argument = *word;
        return CMD_ALL;
    }
    if ((!args->sub || args->sub->bit & CMD_READING) && take_source(p, *word, &rc))
        return rc;
    if (!args->sub)
        return wrong_sub(*word);
    if (args->sub->bit == CMD_RUN) {
        args->program = word;
        *last = true;
        return CMD_ALL;
    }
    if (args->sub->bit == CMD_MERGE)
        return add_file(args, *word);
    if (args->sub->bit == CMD_NODE && integer(*word, INT32_MAX) > 0)
        return add_file(args, *word);
    if (args->sub->bit == CMD_NODE) {
        cmd_say("`ompd node` looks at processes, and \"%s\" is no process id.", *word);
        return CMD_USAGE;
    }
    if (args->sub->argument && !args->argument) {
        args->argument = *word;
        return CMD_ALL;
    }
    cmd_say("`ompd %s` does not take \"%s\".", args->sub->name, *word);
    return CMD_USAGE;
}

static int take_option(struct parser *p, int code, const char *given)
{
    const struct cmd_option *o = cmd_options;

    while (o->name && code != o->letter && code != LONG_BASE + o->id)
        o++;
    if (!o->name)
        return wrong_option(given);
    p->seen |= UINT64_C(1) << o->id;
    if (o->kind != CMD_FLAG)
        return take_value(p->args, o, optarg);
    take_flag(p, o);
    return CMD_ALL;
}

static bool seen(const struct parser *p, int id)
{
    return p->seen >> id & 1;
}

static int usage(const char *sentence)
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
        return usage(a->sub->bit & (CMD_SHOWN | CMD_BUGREPORT)
                         ? "Say what to look at: --pid PID, --core FILE or --snapshot FILE."
                         : "Say what to look at: --pid PID or --core FILE.");
    if (sources > 1)
        return usage("Only one of --pid, --core and --snapshot can be looked at.");
    if (!a->pid && (a->no_stop || a->watch > 0))
        return usage(a->no_stop ? "--no-stop is for living processes: it needs --pid."
                                : "--watch is for living processes: it needs --pid.");
    if (a->no_stop && a->sub->bit == CMD_STACKS)
        return usage("A running thread has no stack to show: `ompd stacks` cannot do with --no-stop.");
    if (a->elements && !a->locals && a->sub->bit != CMD_PRINT)
        return usage("--elements needs --locals.");
    if (a->locals && (a->snapshot || a->watch > 0))
        return usage(a->snapshot ? "A snapshot has no values of variables: --locals needs --pid or --core."
                                 : "--locals and --watch cannot be used together.");
    if (a->samples && a->watch <= 0)
        return usage("--samples needs --watch SECONDS.");
    if (a->snapshot && (a->executable || a->sysroot || a->debug_dirs || a->library || a->trace || a->layout))
        return usage(
            "A snapshot needs nothing else: no --executable, --sysroot, --debug-dir, --ompd-library, "
            "--layout or --trace.");
    return CMD_ALL;
}

static int check_format(const struct parser *p)
{
    struct cmd_args *a = p->args;
    char list[64] = "";

    if (p->json && seen(p, CMD_O_FORMAT) && a->format != CMD_JSON)
        return usage("--json and another --format contradict each other.");
    if (p->json)
        a->format = CMD_JSON;
    if (a->stable && a->format != CMD_TEXT && a->format != CMD_FOLDED)
        return usage("--stable is for text only.");
    if (a->stable && a->locals)
        return usage("--stable and --locals contradict each other: values are addresses, too.");
    if (a->stable && (a->addresses || a->watch > 0))
        return usage(a->addresses ? "--stable and --addresses contradict each other."
                                  : "--stable and --watch contradict each other.");
    if (a->watch > 0 && a->format > CMD_JSON)
        return usage("--watch is answered as text or JSON only.");
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
        return usage("`ompd merge` needs the files to put together: ompd merge state-*.json.");
    if (!a->cores && (a->executable || a->sysroot || a->debug_dirs || a->library || a->layout || a->parallel))
        return usage("--executable, --sysroot, --debug-dir, --ompd-library, --layout and --parallel are for "
                     "--cores DIR.");
    if (a->cores && a->diff)
        return usage("--diff compares two files, no cores.");
    if (a->diff && a->file_count != 2)
        return usage("--diff compares two files: ompd merge --diff before.json after.json.");
    if (a->diff + a->tree + a->framed + a->rank_given > 1)
        return usage("Only one of --diff, --tree, --framed and --rank can be shown.");
    if ((a->tree || a->rank_given) && a->format != CMD_TEXT)
        return usage("--tree and --rank are answered as text; --format=dot is the picture of --tree.");
    if (a->diff && a->format > CMD_JSON)
        return usage("--diff is answered as text or JSON.");
    return CMD_ALL;
}

static int check_job(const struct cmd_args *a)
{
    const char *job = a->slurm ? a->slurm : a->job;

    if (a->slurm && (a->job || a->hosts || a->engine || a->launch))
        return usage(
            "--slurm names job, nodes and engine: no --job, --hosts, --engine or --launch beside it.");
    if (a->launch && a->engine)
        return usage("--launch and --engine contradict each other.");
    if (!a->slurm && !a->hosts && !a->engine && !a->launch)
        return usage(
            "Say which nodes to ask: --slurm JOB, --hosts NODES, --engine NAME or --launch COMMAND.");
    if (a->watch > 0 && (a->tree || a->rank_given || a->format > CMD_JSON))
        return usage("--watch is answered as text or JSON, and without --tree or --rank.");
    if (job && (!*job || *job == '-'))
        return usage("The job needs a name or number, such as 4711 or 4711.0.");
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

static int check(const struct parser *p)
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
        return usage("`ompd record` needs -o FILE, the file to write.");
    if (a->sub->bit == CMD_RUN && !a->program)
        return usage("`ompd run` needs the program to start: ompd run -- ./app.");
    if (a->sub->bit == CMD_COMPLETION && !a->argument)
        return usage("`ompd completion` needs a shell: bash, zsh or fish.");
    if (a->sub->bit == CMD_JOB && check_job(a))
        return CMD_USAGE;
    if (a->sub->bit == CMD_PRINT && !a->argument)
        return usage("`ompd print` needs an expression: ompd print -p PID n.");
    if (a->sub->bit == CMD_LAYOUT && !a->argument)
        return usage("`ompd layout` needs the file of an OpenMP runtime: ompd layout libgomp.so.1.");
    if (a->quiet && a->verbose)
        return usage("--quiet and --verbose contradict each other.");
    return CMD_ALL;
}

/* The table in the form that getopt needs. */
static void tables(struct option *longs, char *letters)
{
    int n = 0;

    *letters++ = '-'; /* getopt returns words too, in their order: getopt(3) */
    *letters++ = ':';
    for (const struct cmd_option *o = cmd_options; o->name; o++) {
        int takes = o->kind == CMD_FLAG ? no_argument : required_argument;

        if (o->letter) {
            *letters++ = o->letter;
            if (takes)
                *letters++ = ':';
        }
        if (n < MAX_OPTIONS - 1)
            longs[n++] = (struct option){o->name, takes, NULL, LONG_BASE + o->id};
    }
    *letters = '\0';
    longs[n] = (struct option){0};
}

int cmd_parse(int argc, char **argv, struct cmd_args *ret)
{
    struct option longs[MAX_OPTIONS];
    char letters[2 * MAX_OPTIONS + 3];
    struct parser p = {.args = ret};
    bool last = false;
    int code, rc = CMD_ALL, at = 1;

    *ret = (struct cmd_args){.every = 1, .for_ = 10, .rate = 10};
    tables(longs, letters);
    opterr = 0;
    while (!rc && !last && (code = getopt_long_only(argc, argv, letters, longs, NULL)) != -1) {
        const char *given = argv[at < argc ? at : argc - 1];

        if (code == 1) {
            rc = take_word(&p, &argv[optind - 1], &last);
        } else if (code == ':') {
            cmd_say("%s needs a value.", given);
            rc = CMD_USAGE;
        } else {
            rc = take_option(&p, code, given);
        }
        at = optind;
    }
    /* After "--" there are only words. */
    while (!rc && !last && optind < argc)
        rc = take_word(&p, &argv[optind++], &last);
    if (rc)
        return rc;
    if (p.version)
        ret->sub = cmd_sub_named("version");
    else if (p.help && ret->sub)
        ret->argument = ret->sub->name;
    if (p.help && !p.version)
        ret->sub = cmd_sub_named("help");
    if (p.version || p.help)
        return CMD_ALL;
    if (!ret->sub && !p.seen)
        return usage(
            "Say what to look at: --pid PID, --core FILE or --snapshot FILE. `ompd help` tells more.");
    if (!ret->sub)
        ret->sub = cmd_sub_named("report");
    if (ret->sub->bit & (CMD_NODE | CMD_JOB) && ret->timeout <= 0)
        ret->timeout = 60;
    return check(&p);
}
