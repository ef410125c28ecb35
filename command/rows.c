/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts that are made on the way, of runtimes that the OMPD library does not know and whose files are here
 * (docs/runtimes.md, "A build that is not known"). They are kept: --watch, `ompd top` and `ompd profile` take
 * one snapshot after the other.
 */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MAX = 16 };

/* Of a file that was tried: its layout, or why there is none. */
static struct row {
    uint64_t base;
    char *path, *text, *why;
} rows[ROWS_MAX];
static unsigned row_count;

static struct row *find(uint64_t base, const char *path)
{
    for (unsigned i = 0; i < row_count; i++)
        if (rows[i].base == base && !strcmp(rows[i].path, path))
            return &rows[i];
    return NULL;
}

/* "build 0f3a12b4": what stands for the version that nobody knows. */
static char *name_of(const struct cf_target *t, uint64_t base)
{
    struct cf_module module;

    for (uint32_t i = 0; cf_module(t, i, &module) == 0; i++)
        if (module.base == base && module.build_id)
            return cf_format("build %.8s", module.build_id);
    return cf_format("unknown build");
}

static void make(const struct cmd_args *args, struct cf_target *t, struct row *row)
{
    struct ly_request request = {.file = row->path, .is_open = true};
    char *name = name_of(t, row->base);

    request.name = name;
    if (cf_module_contents(t, row->base, &request.fd, &request.info)) {
        row->why = cf_format("%s: there is no file for it here, or another one", row->path);
    } else {
        if (cmd_layout_make(args, &request, &row->text, &row->why) && !row->why)
            row->why = cf_format("out of memory");
        close(request.fd);
    }
    free(name);
}

bool cmd_rows_make(const struct cmd_args *args, struct cf_target *t, insp_session *session)
{
    const char *path;
    uint64_t base;
    bool made = false;

    for (uint32_t i = 0; row_count < ROWS_MAX && !insp_layout_wanted(session, i, &base, &path); i++) {
        if (find(base, path))
            continue;
        struct row *row = &rows[row_count];
        *row = (struct row){.base = base, .path = strdup(path)};
        if (!row->path)
            break;
        row_count++;
        make(args, t, row);
        made |= row->text != NULL;
    }
    return made;
}

void cmd_rows_give(insp_session *session)
{
    for (unsigned i = 0; i < row_count; i++) {
        char *error = NULL;

        if (rows[i].text &&
            insp_layout_text(session, rows[i].text, strlen(rows[i].text), rows[i].path, &error)) {
            free(rows[i].text);
            rows[i].text = NULL;
            rows[i].why = cf_format("%s", error ? error : "out of memory");
            insp_string_free(error);
        }
    }
}

void cmd_rows_tell(insp_session *session, insp_snapshot *snapshot)
{
    const char *path;
    uint64_t base;

    for (uint32_t i = 0; !insp_layout_wanted(session, i, &base, &path); i++) {
        const struct row *row = find(base, path);

        if (row && row->why)
            insp_add_problem(
                snapshot, "No layout can be made of the OpenMP runtime", row->why,
                "With debug information of the same build, `ompd layout FILE --debug FILE` can.");
    }
}
