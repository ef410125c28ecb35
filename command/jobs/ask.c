/* SPDX-License-Identifier: Apache-2.0 */
#include "ask.h"

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/children.h"
#include "framed_lines.h"
#include "merge.h"

/** COMMAND_SECONDS: for what only tells of the nodes. READ_SECONDS: to read what has come, behind the end
 *  of the time. AGAIN: launches that are made anew without the nodes that were lost. */
enum { COMMAND_SECONDS = 30, READ_SECONDS = 5, AGAIN = 5, PARALLEL = 32 };
/** The part of the time that the nodes have for their ranks; the rest is for the way. */
#define NODES_PART 0.75

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- commands that tell something -------------------------------------------------------------------- */

static int become(char **words)
{
    execvp(words[0], words);
    fprintf(stderr, "%s cannot be started: %s.\n", words[0], strerror(errno));
    return errno == ENOENT ? CMD_NOT_FOUND : CMD_NOT_EXECUTABLE;
}

struct told {
    char **words;
    char *text, *error;
};

static int tell(void *arg, size_t index)
{
    (void)index;
    return become(((struct told *)arg)->words);
}

static void told(void *arg, size_t index, const struct child *child)
{
    struct told *t = arg;
    char *line = child_last_line(&child->err);

    (void)index;
    if (child->end == CHILD_ENDED && WIFEXITED(child->status) && !WEXITSTATUS(child->status))
        t->text = strdup(child->out.text ? child->out.text : "");
    else if (child->end == CHILD_TIME_OVER)
        t->error = cf_format("%s has not answered within %d seconds.", t->words[0], COMMAND_SECONDS);
    else
        t->error =
            cf_format("%s could not tell of the nodes%s%s", t->words[0], line ? ": " : ".", line ? line : "");
    free(line);
}

char *ask_command(const struct ask *ask, const char *command, const struct nodeset *nodes, char **error)
{
    char *names = nodes ? nodeset_join(nodes) : NULL;
    const struct engine_values values = {.job = ask->job, .nodes = names, .count = nodes ? nodes->count : 0};
    struct told t = {.words = engine_words(command, &values, error)};
    const struct children children = {
        .count = 1, .parallel = 1, .seconds = COMMAND_SECONDS, .work = tell, .ended = told, .arg = &t};

    if (t.words)
        children_run(&children);
    free(names);
    engine_words_free(t.words);
    if (t.error)
        *error = t.error;
    return t.text;
}

/* ---- one launch, or one for each node ------------------------------------------------------------------ */

struct stream {
    size_t out, err; /**< as far as lines were taken */
};

/** What came damaged from nobody knows which node. */
struct damage {
    char *host, *why; /**< `host` is what the answer says, NULL nothing */
};

struct launches {
    const struct ask *ask;
    struct nodes *nodes;
    struct jobs *jobs;
    struct nodeset open; /**< who is asked */
    char **agent;
    char ***words;          /**< of each launch */
    struct stream *streams; /**< of each launch */
    size_t count;
    regex_t lost;
    bool has_lost;
    char *why; /**< what the last launch said that failed; NULL nothing */
    struct damage *damage;
    size_t damaged;
    bool failed;  /**< the launch, or not all of an answer has come */
    bool oom;     /**< not all that has come could be kept in mind */
    bool again;   /**< those whose answers were cut off have been asked once more */
    double until; /**< when all that has come has to be read */
};

/* One node, or several as Slurm names them. */
static void lose(struct launches *l, const char *line, size_t length)
{
    char text[512], names[256];
    struct nodeset set = {0};
    regmatch_t found[2];

    snprintf(text, sizeof(text), "%.*s", (int)length, line);
    if (!l->has_lost || regexec(&l->lost, text, 2, found, 0) || found[1].rm_so < 0)
        return;
    snprintf(names, sizeof(names), "%.*s", (int)(found[1].rm_eo - found[1].rm_so), text + found[1].rm_so);
    for (size_t i = 0; nodeset_add(&set, names) && i < set.count; i++)
        nodes_lose(l->nodes, set.name[i], text);
    nodeset_free(&set);
}

static void take_message(struct launches *l, const char *line, size_t length)
{
    lose(l, line, length);
    nodes_take_message(l->nodes, line, length);
}

static void take_answer(struct launches *l, const char *line, size_t length)
{
    l->oom |= !nodes_take_answer(l->nodes, line, length);
}

/* The lines of TEXT from *AT on that are complete. */
static void take_lines(struct launches *l, const struct child_text *text, size_t *at,
                       void (*take)(struct launches *, const char *, size_t))
{
    const char *end;

    while (*at < text->size && (end = memchr(text->text + *at, '\n', text->size - *at))) {
        take(l, text->text + *at, (size_t)(end - text->text) - *at);
        *at = (size_t)(end - text->text) + 1;
    }
}

static void show_progress(const struct launches *l)
{
    if (l->ask->args->quiet || !isatty(STDERR_FILENO))
        return;
    if (l->nodes->set.count)
        cmd_progress_line("%zu of %zu nodes have answered", nodes_answered(l->nodes), l->nodes->set.count);
    else
        cmd_progress_line("%zu nodes have answered", nodes_answered(l->nodes));
}

static bool written(void *arg, size_t index, const struct child *child)
{
    struct launches *l = arg;

    take_lines(l, &child->out, &l->streams[index].out, take_answer);
    /* What a launch says that we have ended is about its end. */
    if (child->end == CHILD_ENDED)
        take_lines(l, &child->err, &l->streams[index].err, take_message);
    show_progress(l);
    /* With a node that is lost the engine may wait for long, and then end all the others. */
    return nodes_lost(l->nodes) && nodes_answered(l->nodes) + nodes_lost(l->nodes) >= l->nodes->set.count;
}

static void take_document(void *arg, const char *host, const char *text, size_t size)
{
    merge_document(((struct launches *)arg)->jobs, host, text, size);
}

static void take_damage(void *arg, const char *host, const char *why)
{
    struct launches *l = arg;
    struct damage *grown;

    l->failed = true;
    if (host && nodes_cut(l->nodes, host, why))
        return;
    grown = realloc(l->damage, (l->damaged + 1) * sizeof(*grown));
    l->oom |= !grown;
    if (!grown)
        return;
    l->damage = grown;
    grown[l->damaged++] = (struct damage){host ? strdup(host) : NULL, strdup(why)};
}

/* Those of which it may be are asked again, or JOBS has the row. */
static void drop_damage(struct launches *l, struct jobs *jobs)
{
    for (size_t i = 0; i < l->damaged; i++) {
        if (jobs)
            jobs_failed(jobs, l->damage[i].host, l->damage[i].why ? l->damage[i].why : "out of memory");
        free(l->damage[i].host);
        free(l->damage[i].why);
    }
    free(l->damage);
    l->damage = NULL;
    l->damaged = 0;
}

static bool is_late(void *arg)
{
    return now() > ((const struct launches *)arg)->until;
}

static void ended(void *arg, size_t index, const struct child *child)
{
    struct launches *l = arg;
    const struct frames_sink sink = {take_document, take_damage, l, is_late};
    char *line = child_last_line(&child->err);

    l->failed |= child->end == CHILD_ENDED && child->status;
    if (child->out.text)
        (void)frames_read(child->out.text, child->out.size, &sink);
    free(l->why);
    l->why = NULL;
    if (child->end == CHILD_TIME_OVER)
        l->why = cf_format("no answer within the %g seconds of --timeout", l->ask->args->timeout);
    else if (child->end == CHILD_STOPPED)
        l->why = cf_format("it had not answered yet: interrupted");
    else if (child->end == CHILD_NOT_STARTED)
        l->why = cf_format("no process can be started that would ask it");
    else if (child->too_long)
        l->why = cf_format("the answers are too long");
    else if (child->status && line)
        l->why = strdup(line);
    /* A launch for one node speaks of that node. */
    if (l->why && l->count > 1)
        nodes_lose(l->nodes, l->open.name[index], l->why);
    free(line);
}

static int launch(void *arg, size_t index)
{
    const struct launches *l = arg;

    return become(l->words[index]);
}

static bool make_words(struct launches *l, size_t index, const struct nodeset *nodes, char **error)
{
    char *names = nodes->count ? nodeset_join(nodes) : NULL;
    const struct engine_values values = {
        .job = l->ask->job, .nodes = names, .count = nodes->count, .agent = l->agent};

    l->words[index] = engine_words(l->ask->engine->launch, &values, error);
    free(names);
    return l->words[index] != NULL;
}

/* The commands for the nodes that are open. */
static bool make_launches(struct launches *l, char **error)
{
    const bool each = l->ask->engine->each && l->open.count;
    bool good;

    l->count = each ? l->open.count : 1;
    l->words = calloc(l->count, sizeof(*l->words));
    l->streams = calloc(l->count, sizeof(*l->streams));
    good = l->words && l->streams;
    for (size_t i = 0; good && i < l->count; i++)
        good = make_words(l, i, each ? &(const struct nodeset){&l->open.name[i], 1} : &l->open, error);
    return good;
}

static void free_launches(struct launches *l)
{
    for (size_t i = 0; l->words && i < l->count; i++)
        engine_words_free(l->words[i]);
    free(l->words);
    free(l->streams);
    nodeset_free(&l->open);
    l->words = NULL;
    l->streams = NULL;
}

/* What is started on a node, malloc'ed. */
static char **agent_words(const struct ask *ask, char path[PATH_MAX])
{
    const struct cmd_args *args = ask->args;
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    char *error = NULL, *text, **words;
    const struct engine_values values = {.job = ask->job, .nodes = args->agent ? args->agent : path};

    path[n > 0 ? n : 0] = '\0';
    text = cf_format("%%N node --framed --quiet --timeout %g%s", NODES_PART * args->timeout,
                     ask->job && !ask->engine->label ? " --job %J" : "");
    words = text ? engine_words(text, &values, &error) : NULL;
    free(error);
    free(text);
    return words;
}

/* Nodes that cannot be reached are lost before anybody waits for them. */
static void leave_out(const struct ask *ask, struct nodes *nodes)
{
    struct nodeset up = {0};
    char *error = NULL, *text, *why;

    if (!ask->engine->up || !nodes->set.count)
        return;
    text = ask_command(ask, ask->engine->up, &nodes->set, &error);
    why = cf_format("it is down, as %.*s tells", (int)strcspn(ask->engine->up, " "), ask->engine->up);
    if (!text || !nodeset_add(&up, text)) {
        cmd_say("Which nodes are down is not known: %s", error ? error : "the list cannot be understood.");
    } else {
        for (size_t i = 0; i < nodes->set.count; i++)
            if (!nodeset_has(&up, nodes->set.name[i]))
                nodes_lose(nodes, nodes->set.name[i], why ? why : "it is down");
    }
    free(why);
    free(error);
    free(text);
    nodeset_free(&up);
}

/* With a node that fails, a launch for all of them may cut off the answers of others. */
static bool others_were_cut(struct launches *l)
{
    const bool cut = l->failed && !l->again && nodes_cut_off(l->nodes);

    l->again |= cut;
    return cut;
}

/* True when there is somebody who may still be asked. */
static bool ask_once(struct launches *l, double until, char **error)
{
    const size_t lost = nodes_lost(l->nodes);
    struct children children = {.seconds = until - now(),
                                .parallel =
                                    l->ask->args->parallel ? (size_t)l->ask->args->parallel : PARALLEL,
                                .work = launch,
                                .written = written,
                                .ended = ended,
                                .arg = l};
    bool again = false;

    drop_damage(l, NULL);
    l->failed = false;
    if (nodes_open(l->nodes, &l->open) && (l->open.count || !l->nodes->set.count) &&
        make_launches(l, error)) {
        children.count = l->count;
        children_run(&children);
        /* Of one launch for all nodes the others are asked again. */
        again = !l->ask->engine->each && (nodes_lost(l->nodes) > lost || others_were_cut(l));
    }
    free_launches(l);
    return again && !cmd_cancelled() && now() < until && nodes_answered(l->nodes) < l->nodes->set.count;
}

bool ask_nodes(const struct ask *ask, struct nodes *nodes, struct jobs *jobs, char **error)
{
    const double until = now() + ask->args->timeout;
    char path[PATH_MAX];
    struct launches l = {.ask = ask,
                         .nodes = nodes,
                         .jobs = jobs,
                         .agent = agent_words(ask, path),
                         .until = until + READ_SECONDS};

    *error = NULL;
    if (ask->engine->lost) {
        l.has_lost = !regcomp(&l.lost, ask->engine->lost, REG_EXTENDED);
        if (!l.has_lost)
            *error = cf_format("Engine %s: its `lost` is no regular expression.", ask->engine->name);
    }
    cmd_let_work_end(children_kill);
    if (!*error)
        leave_out(ask, nodes);
    for (int i = 0; !*error && i < AGAIN && ask_once(&l, until, error); i++)
        ;
    cmd_progress_end();
    drop_damage(&l, *error ? NULL : jobs);
    if (!*error) {
        nodes_tell(nodes, jobs, l.why ? l.why : "nothing has come from it");
        if (!nodes->set.count && l.why)
            jobs_failed(jobs, NULL, l.why);
        if (l.oom)
            jobs_failed(jobs, NULL, "there was not enough memory to remember all who have answered");
    }
    if (l.has_lost)
        regfree(&l.lost);
    engine_words_free(l.agent);
    free(l.why);
    return !*error;
}
