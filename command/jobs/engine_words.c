/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands of engines, taken apart without a shell: what stands for the job and its nodes stays one word,
 * whatever it is.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/corefiles.h"
#include "engines.h"

struct words {
    const struct engine_values *values;
    char **list;
    size_t count;
    FILE *out; /**< the word that is made; NULL none */
    char *text;
    size_t size;
    char *error;
};

void engine_words_free(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

bool engine_uses(const char *command, char letter)
{
    for (const char *at = command; at && (at = strchr(at, '%')) && at[1]; at += 2)
        if (at[1] == letter)
            return true;
    return false;
}

static bool push(struct words *w, char *word)
{
    char **grown = word ? realloc(w->list, (w->count + 2) * sizeof(*grown)) : NULL;

    if (!grown) {
        free(word);
        return false;
    }
    w->list = grown;
    grown[w->count++] = word;
    grown[w->count] = NULL;
    return true;
}

static bool begin(struct words *w)
{
    if (!w->out)
        w->out = open_memstream(&w->text, &w->size);
    return w->out != NULL;
}

static bool end(struct words *w)
{
    FILE *out = w->out;

    w->out = NULL;
    return !out || (!fclose(out) && push(w, w->text));
}

/* For a shell: '...', in which nothing is special. */
static void put_quoted(FILE *out, const char *word)
{
    const bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                   "0123456789-_./:,=@+")];

    if (plain) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static bool put_agent(struct words *w, char letter)
{
    char *const *word = w->values->agent;

    for (; word && *word; word++) {
        if (!begin(w))
            return false;
        if (letter == 'C')
            put_quoted(w->out, *word);
        else
            fputs(*word, w->out);
        if (word[1] && letter == 'C')
            fputc(' ', w->out);
        else if (word[1] && !end(w))
            return false;
    }
    return word != NULL;
}

static bool lacks(struct words *w, const char *what)
{
    w->error = cf_format("%s", what);
    return false;
}

static bool put_letter(struct words *w, char letter)
{
    const struct engine_values *v = w->values;
    const char *dot = v->job ? strrchr(v->job, '.') : NULL;
    /* 1234.server is a job of PBS. */
    const bool step = dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];

    switch (letter) {
    case '%':
        return fputc('%', w->out) != EOF;
    case 'J':
    case 'j':
        if (!v->job)
            return lacks(w, "This engine needs --job JOB.");
        fprintf(w->out, "%.*s", letter == 'j' && step ? (int)(dot - v->job) : (int)strlen(v->job), v->job);
        return true;
    case 'N':
        if (!v->nodes)
            return lacks(w, "This engine needs --hosts NODES.");
        return fputs(v->nodes, w->out) != EOF;
    case 'n':
        return fprintf(w->out, "%zu", v->count) > 0;
    case 'A':
    case 'C':
        return v->agent ? put_agent(w, letter) : lacks(w, "%A and %C have no meaning in this command.");
    default:
        w->error = cf_format("%%%c stands for nothing; there are %%J, %%j, %%N, %%n, %%A, %%C and %%%%.",
                             letter ? letter : ' ');
        return false;
    }
}

static bool split(struct words *w, const char *at)
{
    char quote = '\0';

    for (; *at; at++) {
        if (!quote && isspace((unsigned char)*at)) {
            if (!end(w))
                return false;
            continue;
        }
        if (!begin(w))
            return false;
        if (*at == quote)
            quote = '\0';
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
        else if (*at != '%')
            fputc(*at, w->out);
        else if (!put_letter(w, at[1]))
            return false;
        else
            at++;
    }
    if (quote)
        return lacks(w, "A quotation mark in this command has no end.");
    return end(w);
}

char **engine_words(const char *command, const struct engine_values *values, char **error)
{
    struct words w = {.values = values};
    bool good = split(&w, command) && w.count;

    if (w.out) {
        fclose(w.out);
        free(w.text);
    }
    *error = NULL;
    if (good)
        return w.list;
    engine_words_free(w.list);
    *error = w.error ? w.error : cf_format("the command is empty, or memory is out");
    return NULL;
}
