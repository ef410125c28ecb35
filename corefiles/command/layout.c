/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd layout`: a row for libompd from a runtime's file.
 */
#include <stdlib.h>

#include "cmd.h"
#include "corefiles/layout/row.h"

int cmd_layout(const struct cmd_args *args)
{
    const struct ly_request request = {
        .file = args->argument, .debug = args->debug, .name = args->name, .source = args->from};
    char *row = NULL, *error = NULL;
    int rc;

    if (ly_row(&request, &row, &error)) {
        rc = cmd_failed(error);
        free(error);
        return rc;
    }
    rc = cmd_write(args, row);
    free(row);
    return rc;
}
