/* SPDX-License-Identifier: Apache-2.0 */
#include "engines.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/cmd.h"

static const char site[] = "/etc/ompd/engines";

/** A file while it is read. */
struct reader {
    const char *path, *wanted;
    int line;
    struct engine found;
    bool inside, any; /**< in the row that is wanted; it was there */
    char **last;      /**< the value that a line with a blank before it goes on */
    FILE *names;      /**< of all rows */
    char *error;
};

void engine_free(struct engine *e)
{
    free(e->name);
    free(e->nodes);
    free(e->up);
    free(e->launch);
    free(e->lost);
    *e = (struct engine){0};
}

static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text + strspn(text, " \t");
}

static bool wrong(struct reader *r, const char *what)
{
    r->error = cf_format("%s:%d: %s", r->path, r->line, what);
    return false;
}

static bool take_row(struct reader *r, char *text)
{
    char *end = strchr(text, ']');

    if (!end || end[1] || end == text + 1)
        return wrong(r, "a row begins with [NAME].");
    *end = '\0';
    fprintf(r->names, " %s", text + 1);
    r->last = NULL;
    r->inside = !strcmp(text + 1, r->wanted);
    if (r->inside && r->any)
        return wrong(r, "this row is there twice.");
    if (r->inside) {
        r->any = true;
        r->found.name = strdup(r->wanted);
    }
    return true;
}

static bool take_switch(struct reader *r, const char *value, bool *ret)
{
    if (strcmp(value, "yes") && strcmp(value, "no"))
        return wrong(r, "this is yes or no.");
    if (r->inside)
        *ret = *value == 'y';
    return true;
}

static bool take_key(struct reader *r, char *text)
{
    const struct {
        const char *name;
        char **value;
    } keys[] = {{"nodes", &r->found.nodes},
                {"up", &r->found.up},
                {"launch", &r->found.launch},
                {"lost", &r->found.lost}};
    char *sign = strchr(text, '='), *key, *value;

    if (!sign)
        return wrong(r, "a line is KEY = VALUE.");
    *sign = '\0';
    key = trim(text);
    value = trim(sign + 1);
    r->last = NULL;
    if (!strcmp(key, "each"))
        return take_switch(r, value, &r->found.each);
    if (!strcmp(key, "label"))
        return take_switch(r, value, &r->found.label);
    if (!strcmp(key, "tried"))
        return take_switch(r, value, &r->found.tried);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (!strcmp(key, keys[i].name)) {
            if (!r->inside)
                return true;
            free(*keys[i].value);
            *keys[i].value = strdup(value);
            r->last = keys[i].value;
            return true;
        }
    return wrong(r, "there is no such key; there are nodes, up, launch, lost, each, label and tried.");
}

static bool take_line(struct reader *r, char *line)
{
    const bool goes_on = *line == ' ' || *line == '\t';
    char *text = trim(line), *longer;

    r->line++;
    if (!*text || *text == '#')
        return true;
    if (goes_on) {
        longer = r->last && *r->last ? cf_format("%s %s", *r->last, text) : NULL;
        if (longer) {
            free(*r->last);
            *r->last = longer;
        }
        return true;
    }
    return *text == '[' ? take_row(r, text) : take_key(r, text);
}

/* False: it is not as it should be. That it is not there is no fault of a file that may be there. */
static bool read_file(struct reader *r, bool needed)
{
    FILE *in = fopen(r->path, "re");
    char *line = NULL;
    size_t room = 0;
    bool good = true;

    if (!in && needed)
        r->error = cf_format("%s cannot be read: %s.", r->path, strerror(errno));
    r->line = 0;
    r->inside = false;
    while (in && good && getline(&line, &room, in) > 0)
        good = take_line(r, line);
    free(line);
    if (in)
        fclose(in);
    if (good && r->any && !r->found.launch)
        good = wrong(r, "the row has no launch = COMMAND.");
    return good && !r->error;
}

bool engine_find(const char *name, const char *file, struct engine *ret, char **error)
{
    char *own = cmd_shared("engines"), *names = NULL;
    const char *const paths[] = {file, site, own};
    size_t size = 0;
    struct reader r = {.wanted = name, .names = open_memstream(&names, &size)};
    bool good = own && r.names;

    for (size_t i = 0; good && !r.any && i < 3; i++) {
        r.path = paths[i];
        if (r.path)
            good = read_file(&r, i != 1);
    }
    if (r.names && fclose(r.names))
        good = false;
    if (good && !r.any)
        r.error = cf_format("There is no engine \"%s\"; there are:%s.", name, names);
    good = good && r.any;
    *error = r.error;
    if (good)
        *ret = r.found;
    else
        engine_free(&r.found);
    free(names);
    free(own);
    return good;
}
