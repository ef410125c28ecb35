/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd print`: the value of one expression in each thread of a team.
 */
#include "cmd.h"

#include "inspect/render/values.h"

int cmd_print(const struct cmd_args *args)
{
    struct insp_render_options options;
    insp_snapshot *snapshot;
    const char *why;
    int found = 0, rc;
    char *text;

    if (cf_check_expression(args->argument, &why)) {
        cmd_say("\"%s\" cannot be printed: %s.", args->argument, why);
        return CMD_USAGE;
    }
    rc = cmd_take(args, args->sub->want, &snapshot);
    if (rc)
        return rc;
    cmd_render_options(args, &options);
    const struct values_options values = {
        .expression = args->argument, .region = args->team, .width = options.width};

    text = (args->format == CMD_JSON ? values_json : values_text)(snapshot, &values, &found);
    rc = text ? cmd_write(args, text) : cmd_out_of_memory();
    if (!rc)
        rc = found ? insp_shown(snapshot) : CMD_NOTHING;
    insp_string_free(text);
    insp_free(snapshot);
    return rc;
}
