/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd layout`: a row for libompd from a runtime's file. It is made in a child: a stranger's file can make
 * that take long, and no reader of debug information is safe from all that a file can say.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "children.h"
#include "cmd.h"

struct making {
    const struct cmd_args *args;
    const struct ly_request *request;
    char *text, *why;
};

/* In the child: the row on stdout, or why there is none on stderr. */
static int make(void *arg, size_t index)
{
    const struct making *m = arg;
    char *text = NULL, *why = NULL;

    (void)index;
    cmd_limit_processor(m->args, CMD_CPU_SHORT);
    if (ly_row(m->request, &text, &why)) {
        int rc = cmd_failed(why);

        free(why);
        return rc;
    }
    fputs(text, stdout);
    free(text);
    return fflush(stdout) ? CMD_NOTHING : CMD_ALL;
}

static void made(void *arg, size_t index, const struct child *child)
{
    struct making *m = arg;

    (void)index;
    if (child->end == CHILD_ENDED && !child->status && child->out.text && !child->too_long)
        m->text = strdup(child->out.text);
    else if (child->end == CHILD_TIME_OVER)
        m->why = cf_format("%s: no layout could be made of it within %u seconds", m->request->file,
                           cmd_cpu_limit(m->args, CMD_CPU_SHORT));
    else
        m->why = child_why(child);
}

int cmd_layout_make(const struct cmd_args *args, const struct ly_request *request, char **ret, char **why)
{
    struct making m = {.args = args, .request = request};
    const struct children children = {.count = 1,
                                      .parallel = 1,
                                      .seconds = cmd_cpu_limit(args, CMD_CPU_SHORT),
                                      .work = make,
                                      .ended = made,
                                      .arg = &m};

    children_run(&children);
    if (m.text)
        *ret = m.text;
    else
        *why = m.why;
    return m.text ? CMD_ALL : CMD_NOTHING;
}

int cmd_layout(const struct cmd_args *args)
{
    const struct ly_request request = {
        .file = args->argument, .debug = args->debug, .name = args->name, .source = args->from};
    char *row = NULL, *why = NULL;
    int rc = cmd_layout_make(args, &request, &row, &why);

    if (rc)
        rc = cmd_failed(why);
    else
        rc = cmd_write(args, row);
    free(why);
    free(row);
    return rc;
}
