/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd bugreport`: what the maintainers need, and nothing private. docs/bugreport.md.
 */
#include "command/cmd.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harmless.h"
#include "inspect/render/json_put.h"
#include "versions.h"

static bool goes_to_file(const struct cmd_args *args)
{
    return args->output && strcmp(args->output, "-");
}

/* A snapshot can be read without the library; then some sentences are not known again. */
static void *own_texts(const struct cmd_args *args, char **path, struct own_text *ret)
{
    void *library;

    *path = args->library ? strdup(args->library) : cmd_installed("libompd.so.1");
    library = *path && !access(*path, R_OK) ? dlopen(*path, RTLD_NOW | RTLD_LOCAL) : NULL;
    (void)own_text_load(ret, *path);
    return library;
}

/* Takes both; NULL out of memory. */
static char *document(json_t *about, json_t *clean)
{
    json_t *o = json_object();

    if (!about || !clean) {
        json_decref(about);
        json_decref(clean);
        clean = NULL;
    } else {
        json_object_set_new(o, "bugreport", json_integer(1));
        json_object_set_new(o, "about",
                            json_string("Nothing here names the program, its user or the machine: texts and "
                                        "addresses are numbered. Read it before you send it. It is a "
                                        "snapshot, too: ompd report --snapshot FILE."));
        json_object_set_new(o, "versions", about);
        json_object_update(o, clean);
        json_decref(clean);
    }
    if (clean)
        return dump_document(o);
    json_decref(o);
    return NULL;
}

static char *bugreport(const struct cmd_args *args, const insp_snapshot *snapshot)
{
    char *text = insp_record(snapshot, NULL), *path = NULL, *ret = NULL;
    json_t *all = text ? json_loads(text, 0, NULL) : NULL;
    struct own_text own;
    void *library = own_texts(args, &path, &own);

    if (all && !own.failed)
        ret = document(versions(args, all), harmless(all, &own));
    own_text_free(&own);
    if (library)
        dlclose(library);
    free(path);
    json_decref(all);
    insp_string_free(text);
    return ret;
}

/* Shows it and asks. */
static bool agreed(const struct cmd_args *args, const char *text)
{
    char answer[16] = "";

    cmd_end_at_once();
    fputs(text, stdout);
    printf("\nThis is all that would be written to %s. Write it? [y/N] ", args->output);
    fflush(stdout);
    return fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y');
}

int cmd_bugreport(const struct cmd_args *args)
{
    insp_snapshot *snapshot;
    char *text;
    int rc;

    if (goes_to_file(args) && !args->yes && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))) {
        cmd_say("Without a terminal nobody can look at the report before it is written. Leave out -o to see "
                "it; --yes writes it.");
        return CMD_USAGE;
    }
    rc = cmd_check_output(args);
    if (!rc)
        rc = cmd_take(args, args->sub->want, &snapshot);
    if (rc)
        return rc;
    text = bugreport(args, snapshot);
    if (!text) {
        rc = cmd_out_of_memory();
    } else if (goes_to_file(args) && !args->yes && !agreed(args, text)) {
        cmd_say("Nothing was written.");
        rc = CMD_NOTHING;
    } else {
        rc = cmd_write_process(args, snapshot, text);
    }
    if (!rc)
        rc = cmd_status(args, snapshot);
    insp_string_free(text);
    insp_free(snapshot);
    return rc;
}
