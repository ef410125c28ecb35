/* SPDX-License-Identifier: Apache-2.0 */
#include "merge_cores.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/children.h"
#include "corefiles/strings.h"
#include "command/guess.h"

struct cores {
    const struct cmd_args *args;
    struct jobs *jobs;
    char **paths;
    size_t count, done;
};

/* In a child: what `ompd record` writes of one core. */
static int look(void *arg, size_t index)
{
    const struct cores *c = arg;
    struct cmd_args args = *c->args;
    char *text, *error = NULL;
    insp_snapshot *snapshot;
    int rc;

    args.core = c->paths[index];
    args.shared = children_files();
    rc = cmd_take(&args, cmd_sub_named("record")->want, &snapshot);
    if (rc)
        return rc;
    text = insp_record(snapshot, &error);
    if (!text)
        return cmd_failed(error);
    return fwrite(text, 1, strlen(text), stdout) == strlen(text) && !fflush(stdout) ? CMD_ALL : CMD_NOTHING;
}

static void ended(void *arg, size_t index, const struct child *child)
{
    struct cores *c = arg;
    const char *name = strrchr(c->paths[index], '/') + 1;
    char *error = NULL, *why = NULL, *text;
    bool good = child->end == CHILD_ENDED && WIFEXITED(child->status) &&
                WEXITSTATUS(child->status) < CMD_NOTHING && child->out.size && !child->too_long;

    if (!good)
        why = child_why(child);
    if (!good || !jobs_add(c->jobs, child->out.text, child->out.size, &error)) {
        /* No path: the answer is the same wherever the cores are. */
        text = cf_format("core %s: %s", name, why ? why : error ? error : "out of memory");
        jobs_failed(c->jobs, NULL, text ? text : "out of memory");
        free(text);
    }
    insp_string_free(error);
    free(why);
    if (!c->args->quiet && isatty(STDERR_FILENO))
        cmd_progress_line("%zu of %zu cores", ++c->done, c->count);
}

/* False: there is no such folder, or no memory. */
static bool list(struct cores *c, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);

    if (n < 0) {
        cmd_say("--cores %s: %s.", folder, strerror(errno));
        return false;
    }
    c->paths = calloc((size_t)n + 1, sizeof(*c->paths));
    for (int i = 0; i < n; i++) {
        char *path = cf_format("%s/%s", folder, entries[i]->d_name);

        if (c->paths && path && guess_source(path) == GUESS_CORE)
            c->paths[c->count++] = path;
        else
            free(path);
        free(entries[i]);
    }
    free(entries);
    return c->paths != NULL;
}

int merge_cores(const struct cmd_args *args, struct jobs *jobs)
{
    struct cores c = {.args = args, .jobs = jobs};
    bool good = list(&c, args->cores);
    const struct children children = {
        .count = c.count,
        .parallel = children_parallel(args->parallel),
        .seconds = args->timeout,
        .work = look,
        .ended = ended,
        .arg = &c,
        .shared_room = cmd_room_of_one(args),
    };

    if (good && !c.count)
        cmd_say("There is no core file in %s.", args->cores);
    if (good && c.count) {
        cmd_let_work_end(children_kill);
        children_run(&children);
        cmd_progress_end();
    }
    for (size_t i = 0; i < c.count; i++)
        free(c.paths[i]);
    free(c.paths);
    return good && c.count ? CMD_ALL : CMD_NOTHING;
}
