/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of options.
 */
#include "parser.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int64_t parse_integer(const char *text, int64_t most)
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
    return *text && text[strspn(text, "0")] == '\0' ? 0
           : parse_integer(text, most) > 0          ? parse_integer(text, most)
                                                    : -1;
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

int parse_value(struct cmd_args *args, const struct cmd_option *o, const char *value)
{
    int index = o->kind == CMD_WORDS ? word_index(o, value) : 0;
    const char **text = text_of(args, o->id);
    bool good = index >= 0;

    switch (o->id) {
    case CMD_O_PID:
        good = (args->pid = parse_integer(value, INT32_MAX)) > 0;
        break;
    case CMD_O_DEBUG_DIR:
        return add_directory(args, value);
    case CMD_O_WATCH:
        good = (args->watch = number(value)) > 0;
        break;
    case CMD_O_SAMPLES:
        good = (args->samples = (int)parse_integer(value, 1000)) > 1;
        break;
    case CMD_O_EVERY:
        good = (args->every = number(value)) >= 0.01;
        break;
    case CMD_O_COUNT:
        good = (args->count = (int)parse_integer(value, INT32_MAX)) > 0;
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
        good = (args->elements = (int)parse_integer(value, 200)) > 0;
        break;
    case CMD_O_TEAM:
        good = (args->team = (uint64_t)parse_integer(value, INT32_MAX)) > 0;
        break;
    case CMD_O_ZOOM:
        args->zoom = index + 1;
        break;
    case CMD_O_PARALLEL:
        good = (args->parallel = (int)parse_integer(value, 64)) > 0;
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
        good = (args->cpu_limit = (uint32_t)parse_integer(value, 1000000)) > 0;
        break;
    default:
        if (text)
            *text = value;
    }
    return good ? CMD_ALL : wrong_value(o, value);
}
