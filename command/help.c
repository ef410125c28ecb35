/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences, help, suggestions.
 */
#include "cmd.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cmd_say(const char *format, ...)
{
    char *text = NULL, *shown;
    va_list args;

    cmd_progress_end();
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    /* Names of the target are in it, and a terminal obeys what it is sent. */
    shown = insp_printable(text);
    fprintf(stderr, "ompd: %s\n", shown ? shown : "Out of memory.");
    insp_string_free(shown);
    free(text);
}

/* The folder above that of the command: the prefix of this installation. NULL if it is not known. */
static char *prefix(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    for (int i = 0; n > 0 && i < 2; i++) {
        char *slash;

        path[n] = '\0';
        slash = strrchr(path, '/');
        n = slash ? slash - path : 0;
    }
    return n < 0 ? NULL : strndup(path, (size_t)n);
}

char *cmd_installed(const char *name)
{
    static const char *const libraries[] = {
        "lib",
        "lib64",
#if defined(__x86_64__)
        "lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
        "lib/aarch64-linux-gnu",
#endif
        "lib/ompd"
    };
    char *top = prefix(), *path = NULL;

    for (size_t i = 0; top && i < sizeof(libraries) / sizeof(*libraries); i++) {
        free(path);
        path = cf_format("%s/%s/%s", top, libraries[i], name);
        if (!path || !access(path, F_OK)) {
            free(top);
            return path;
        }
    }
    free(path);
    path = top ? cf_format("%s/%s/%s", top, libraries[0], name) : NULL;
    free(top);
    return path;
}

char *cmd_shared(const char *name)
{
    char *top = prefix(), *path = top ? cf_format("%s/share/ompd/%s", top, name) : NULL;

    free(top);
    return path;
}

enum { WORD_MAX = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edits from A to B: insert, remove, replace, swap neighbours (optimal string alignment). */
static int distance(const char *a, const char *b)
{
    int d[WORD_MAX + 1][WORD_MAX + 1];
    int n = (int)strlen(a), m = (int)strlen(b);

    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *cmd_suggest(const char *wrong, const char *(*next)(unsigned index))
{
    int best = (int)strlen(wrong) / 3 + 2;
    const char *word, *found = NULL;

    for (unsigned i = 0; (word = next(i)); i++) {
        int far = distance(wrong, word);

        if (far < best) {
            best = far;
            found = word;
        }
    }
    return found;
}

enum { HELP_WIDTH = 79, HELP_COLUMN = 26 };

/* TEXT in lines of HELP_WIDTH, the first of which goes on at COLUMN, the others begin at INDENT. */
static void paragraph(FILE *out, const char *text, int column, int indent)
{
    bool first = true;

    while (*text) {
        int n = (int)strcspn(text, " ");

        if (!first && column + 1 + n > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        first = false;
        fprintf(out, "%.*s", n, text);
        column += n;
        text += n + (int)strspn(text + n, " ");
    }
    fputc('\n', out);
}

static void one_option(FILE *out, const struct cmd_option *o)
{
    char left[64], help[512], letter[8] = "    ";
    int n;

    if (o->letter)
        snprintf(letter, sizeof(letter), "-%c, ", o->letter);
    snprintf(left, sizeof(left), "  %s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    n = fprintf(out, "%s", left);
    if (n > HELP_COLUMN - 2)
        n = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", HELP_COLUMN - n, "");
    snprintf(help, sizeof(help), "%s", o->help);
    for (const char *const *w = o->words; w && *w; w++) {
        size_t length = strlen(help);

        snprintf(help + length, sizeof(help) - length, "%s%s", w == o->words ? ": " : ", ", *w);
    }
    paragraph(out, help, HELP_COLUMN, HELP_COLUMN);
}

static void options_of(FILE *out, unsigned bit)
{
    fputs("\nOptions:\n", out);
    for (const struct cmd_option *o = cmd_options; o->name; o++)
        if (o->of & bit)
            one_option(out, o);
}

static void overview(FILE *out)
{
    fputs("Usage: ompd SUBCOMMAND --pid PID | --core FILE | --snapshot FILE [OPTION...]\n\n"
          "What the OpenMP of a process, or of its core file, was doing, and why it does not go on.\n\n"
          "Subcommands:\n",
          out);
    for (const struct cmd_sub *s = cmd_subs; s->name; s++)
        fprintf(out, "  %-12s%s\n", s->name, s->summary);
    options_of(out, CMD_EVERY);
    fputs("\nExit status: 0 all could be shown, 1 a part, 2 nothing, 64 wrong usage;\n"
          "3 under --check when a deadlock is proved. `ompd help run` has those of run.\n"
          "`ompd help SUBCOMMAND` tells more, so does ompd(1).\n",
          out);
}

int cmd_help(const char *name)
{
    const struct cmd_sub *s = name ? cmd_sub_named(name) : NULL;

    if (name && !s) {
        cmd_say("There is no subcommand \"%s\". `ompd help` lists them.", name);
        return CMD_USAGE;
    }
    if (!s) {
        overview(stdout);
        return CMD_ALL;
    }
    printf("Usage: ompd %s%s%s%s%s%s\n\n", s->name,
           s->bit & (CMD_SHOWN | CMD_BUGREPORT) ? " --pid PID | --core FILE | --snapshot FILE" : "",
           s->bit == CMD_RECORD    ? " --pid PID | --core FILE -o FILE"
           : s->bit & CMD_SAMPLING ? " --pid PID"
                                   : "",
           s->bit & (CMD_READING | CMD_RUN | CMD_MANY) ? " [OPTION...]" : "", s->argument ? " " : "",
           s->argument ? s->argument : "");
    paragraph(stdout, s->summary, 0, 0);
    if (*s->description) {
        putchar('\n');
        paragraph(stdout, s->description, 0, 0);
    }
    options_of(stdout, s->bit);
    return CMD_ALL;
}
