/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --watch: several samples of a living process, each compared with the one before, then the view of the last.
 */
#include "command/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* False when the user ends it. */
static bool pass(double seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds};

    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    while (nanosleep(&left, &left) && errno == EINTR)
        if (cmd_cancelled())
            return false;
    return true;
}

/* What `watch` holds while it grows: text, or the elements of a list of JSON. They stay as inspect wrote
   them: its JSON has escapes that another writer would leave out. */
struct output {
    char *text;
};

static int add(const struct cmd_args *args, struct output *output, const insp_snapshot *before,
               const insp_snapshot *after)
{
    struct insp_render_options options;
    char *error = NULL, *one, *joined;

    cmd_render_options(args, &options);
    one = insp_compare(before, after, &options, &error);
    if (!one) {
        cmd_failed(error);
        insp_string_free(error);
        return CMD_NOTHING;
    }
    if (args->format == CMD_JSON)
        joined = cf_format("%s%s%s", output->text, *output->text ? ",\n" : "", one);
    else
        joined = cf_format("%s%s\n", output->text, one);
    insp_string_free(one);
    if (!joined)
        return CMD_NOTHING;
    free(output->text);
    output->text = joined;
    return CMD_ALL;
}

/* The samples; *last is the newest. *early: one failed, which has been said. */
static int samples(const struct cmd_args *args, struct output *output, insp_snapshot **last, bool *early)
{
    /* The comparison needs the stacks, and the verdict needs all that can wait. */
    const unsigned want = args->sub->want | INSP_THREADS | INSP_REGIONS | INSP_TASKS | INSP_STACKS;
    int count = args->samples ? args->samples : 2, rc = cmd_take(args, want, last);

    for (int i = 1; !rc && i < count && pass(args->watch); i++) {
        insp_snapshot *next;

        /* What has been seen until then is worth its words: it may be the program that has ended. */
        if (cmd_take(args, want, &next)) {
            *early = true;
            break;
        }
        insp_judge(*last, next, (int64_t)(args->watch * 1e3));
        rc = add(args, output, *last, next);
        insp_free(*last);
        *last = next;
    }
    return rc;
}

/* The view's text, with what was seen meanwhile: under the key "watch", or before it. */
static char *join(const struct cmd_args *args, struct output *output, const char *view)
{
    const char *end = strrchr(view, '}');

    if (args->format != CMD_JSON)
        return cf_format("%s%s", output->text, view);
    while (end && end > view && end[-1] == '\n')
        end--;
    return end ? cf_format("%.*s,\n \"watch\": [\n%s\n ]\n}", (int)(end - view), view, output->text) : NULL;
}

int cmd_watch(const struct cmd_args *args)
{
    struct output output = {strdup("")};
    insp_snapshot *last = NULL;
    bool early = false;
    char *text;
    int rc = output.text ? samples(args, &output, &last, &early) : CMD_NOTHING;

    if (!rc && !cmd_cancelled()) {
        char *view = cmd_render(args, last);

        text = view ? join(args, &output, view) : NULL;
        rc = text ? cmd_write(args, text) : CMD_NOTHING;
        if (!rc)
            rc = cmd_status(args, last);
        if (!rc && early)
            rc = CMD_PARTLY;
        free(text);
        insp_string_free(view);
    }
    insp_free(last);
    free(output.text);
    return rc;
}
