/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of `ompd run`: one on each process of the program's family, as one text or one JSON document.
 */
#include "command/cmd.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What has been written so far. */
struct reports {
    char *text;
    size_t size;
    FILE *out;
    int count, rc;
    insp_snapshot *named; /**< of the process that the file is named after */
};

static size_t without_end(const char *text)
{
    size_t n = strlen(text);

    while (n && text[n - 1] != '}')
        n--;
    return n ? n - 1 : 0;
}

/* In JSON the first document has the others as a member, docs/json.md. Our own printer made each of them. */
static void add_json(struct reports *r, const char *text)
{
    static const char *const before[] = {"", ",\n \"others\": [\n", ",\n"};

    fprintf(r->out, "%s%.*s%s", before[r->count < 2 ? r->count : 2], (int)without_end(text), text,
            r->count ? "}" : "");
}

static void add(struct reports *r, const struct cmd_args *args, const char *text)
{
    const size_t n = strlen(text);

    if (args->format == CMD_JSON)
        add_json(r, text);
    else
        fprintf(r->out, "%s%s%s", r->count ? "\n" : "", text, n && text[n - 1] != '\n' ? "\n" : "");
    r->count++;
}

static void end(struct reports *r, const struct cmd_args *args)
{
    if (args->format == CMD_JSON && r->count)
        fputs(r->count > 1 ? "\n ]\n}\n" : "}\n", r->out);
}

/* The first process with a rank, else the first one. Takes SNAPSHOT. */
static void name_after(struct reports *r, insp_snapshot *snapshot)
{
    struct insp_process now = {.rank = -1}, next;

    insp_process(snapshot, &next);
    if (r->named)
        insp_process(r->named, &now);
    if (r->named && (now.rank >= 0 || next.rank < 0)) {
        insp_free(snapshot);
        return;
    }
    if (r->named)
        insp_free(r->named);
    r->named = snapshot;
}

/* What has been found out about a hang is not lost for a name. */
static int write_all(const struct reports *r, const struct cmd_args *args)
{
    struct cmd_args plain = *args;

    if (!cmd_write_process(args, r->named, r->text))
        return CMD_ALL;
    cmd_say("The report goes to standard output.");
    plain.output = NULL;
    (void)cmd_write(&plain, r->text);
    return CMD_NOTHING;
}

/* The worst status counts, and a proved deadlock most: they are numbered in this order. */
static void add_process(struct reports *r, const struct cmd_args *args)
{
    insp_snapshot *snapshot;
    char *text;
    int rc = cmd_take(args, args->sub->want, &snapshot);

    if (!rc) {
        if (args->rank_given && !r->named)
            insp_set_rank(snapshot, args->rank);
        text = cmd_render(args, snapshot);
        if (text)
            add(r, args, text);
        rc = text ? cmd_status(args, snapshot) : CMD_NOTHING;
        insp_string_free(text);
        name_after(r, snapshot);
    }
    if (rc > r->rc)
        r->rc = rc;
}

/* A picture is of one process. */
static size_t how_many(const struct cmd_args *args, size_t count)
{
    if (args->format <= CMD_JSON || count < 2)
        return count;
    if (!args->quiet)
        cmd_say("%s shows the first of %zu processes; text and json show them all.",
                cmd_format_names[args->format], count);
    return 1;
}

int cmd_report_family(struct cmd_args *args, const struct program *program, void (*shown)(void *arg),
                      void *arg)
{
    struct reports r = {0};
    pid_t *family = NULL;
    size_t count = program_family(program, &family);

    r.out = open_memstream(&r.text, &r.size);
    if (!r.out || !family) {
        r.rc = cmd_out_of_memory();
        count = 0;
    }
    count = how_many(args, count);
    for (size_t i = 0; i < count; i++) {
        args->pid = family[i];
        add_process(&r, args);
        shown(arg);
    }
    if (r.out) {
        end(&r, args);
        if (fclose(r.out))
            r.rc = cmd_out_of_memory();
        else if (r.count && write_all(&r, args) && r.rc < CMD_NOTHING)
            r.rc = CMD_NOTHING;
    }
    insp_free(r.named);
    free(r.text);
    free(family);
    return r.rc;
}
