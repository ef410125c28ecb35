/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line. Options may stand before and after the subcommand, with one dash or two, as in GDB's
 * `ompd threads -json`. The program that `run` starts ends the options.
 */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guess.h"
#include "parser.h"

enum { MAX_OPTIONS = 64, LONG_BASE = 1000 /* above any letter */ };

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
    *rc = parse_value(p->args, o, word);
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
    if (args->sub->bit == CMD_NODE && parse_integer(*word, INT32_MAX) > 0)
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
        return parse_value(p->args, o, optarg);
    take_flag(p, o);
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
        return parse_usage(
            "Say what to look at: --pid PID, --core FILE or --snapshot FILE. `ompd help` tells more.");
    if (!ret->sub)
        ret->sub = cmd_sub_named("report");
    if (ret->sub->bit & (CMD_NODE | CMD_JOB) && ret->timeout <= 0)
        ret->timeout = 60;
    return parse_check(&p);
}
