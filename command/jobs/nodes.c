/* SPDX-License-Identifier: Apache-2.0 */
#include "nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "framed_lines.h"

enum { LINE_MAX_SIZE = 512 };

bool nodes_make(struct nodeset *set, struct nodes *ret)
{
    struct node_state *state = calloc(set->count ? set->count : 1, sizeof(*state));

    if (!state)
        return false;
    *ret = (struct nodes){.set = *set, .state = state};
    *set = (struct nodeset){0};
    return true;
}

void nodes_free(struct nodes *n)
{
    for (size_t i = 0; i < n->set.count; i++)
        free(n->state[i].why);
    free(n->state);
    nodeset_free(&n->set);
    nodeset_free(&n->strangers);
}

/* "n1" and "n1.cluster.example" are one. */
static bool same_node(const char *a, const char *b)
{
    const size_t n = strcspn(a, "."), m = strcspn(b, ".");

    if (!strcmp(a, b))
        return true;
    /* 127.0.0.1 and 127.0.0.2 are not. */
    return n == m && !strncmp(a, b, n) && (!a[n] || !b[m]) && a[strspn(a, "0123456789.")];
}

static struct node_state *find(const struct nodes *n, const char *name)
{
    for (size_t i = 0; i < n->set.count; i++)
        if (same_node(n->set.name[i], name))
            return &n->state[i];
    return NULL;
}

static void say(struct node_state *s, const char *why)
{
    if (!s->why)
        s->why = strdup(why);
}

void nodes_lose(struct nodes *n, const char *node, const char *why)
{
    struct node_state *s = find(n, node);

    if (!s || s->answered)
        return;
    s->lost = true;
    say(s, why);
}

bool nodes_take_answer(struct nodes *n, const char *line, size_t length)
{
    char label[128] = "", before[128];
    struct node_state *s;
    struct frame frame;

    if (!frames_line(line, length, &frame))
        return true;
    /* What clush and pdsh write before a line: "n1: ". */
    snprintf(before, sizeof(before), "%.*s", (int)frame.label, line);
    (void)sscanf(before, "%127[^: ]", label);
    s = *label ? find(n, label) : NULL;
    s = s ? s : find(n, frame.host);
    if (s) {
        s->begun = true;
        s->answered |= frame.index == frame.count;
        return true;
    }
    return frame.index < frame.count || nodeset_add_name(&n->strangers, *label ? label : frame.host);
}

bool nodes_cut(struct nodes *n, const char *node, const char *why)
{
    struct node_state *s = find(n, node);

    if (!s)
        return false;
    s->begun = true;
    s->answered = false;
    say(s, why);
    return true;
}

bool nodes_cut_off(struct nodes *n)
{
    bool some = false, others = false;

    for (size_t i = 0; i < n->set.count && !n->strangers.count; i++) {
        struct node_state *s = &n->state[i];

        some |= s->answered || s->begun || s->named;
        s->lost |= s->named && !s->answered;
        others |= !s->lost && !s->answered;
    }
    return some && others;
}

/* NAMES: one node, or several as srun writes them, n[2-4]. False: none of them is asked. */
static bool say_of(struct nodes *n, const char *names, const char *text)
{
    static const char own[] = "ompd: ";
    struct nodeset set = {0};
    bool any = false;

    for (size_t i = 0; !strchr(names, ' ') && nodeset_add(&set, names) && i < set.count; i++) {
        struct node_state *s = find(n, set.name[i]);

        if (s) {
            say(s, strncmp(text, own, sizeof(own) - 1) ? text : text + sizeof(own) - 1);
            s->named = any = true;
        }
    }
    nodeset_free(&set);
    return any;
}

void nodes_take_message(struct nodes *n, const char *line, size_t length)
{
    char text[LINE_MAX_SIZE], *at = text;

    snprintf(text, sizeof(text), "%.*s", (int)length, line);
    text[strcspn(text, "\r")] = '\0';
    /* "n1: TEXT", "clush: n1: TEXT", "pdsh@login: n1: TEXT" */
    for (int i = 0; i < 4; i++) {
        char *end = strstr(at, ": ");

        if (!end)
            return;
        *end = '\0';
        if (say_of(n, at, end + 2))
            return;
        at = end + 2;
    }
}

bool nodes_open(const struct nodes *n, struct nodeset *ret)
{
    for (size_t i = 0; i < n->set.count; i++)
        if (!n->state[i].answered && !n->state[i].lost && !nodeset_add(ret, n->set.name[i]))
            return false;
    return true;
}

size_t nodes_answered(const struct nodes *n)
{
    size_t count = n->strangers.count;

    for (size_t i = 0; i < n->set.count; i++)
        count += n->state[i].answered;
    return count;
}

size_t nodes_lost(const struct nodes *n)
{
    size_t count = 0;

    for (size_t i = 0; i < n->set.count; i++)
        count += n->state[i].lost;
    return count;
}

/* Nodes that have the same reason as FIRST are one failure. OTHERWISE: where nothing was said. */
static void tell_alike(const struct nodes *n, size_t first, bool *told, struct jobs *jobs,
                       const char *otherwise)
{
    const char *why = n->state[first].why ? n->state[first].why : otherwise;
    struct nodeset alike = {0};
    char *names;

    for (size_t i = first; i < n->set.count; i++) {
        const struct node_state *s = &n->state[i];

        if (told[i] || s->answered || strcmp(s->why ? s->why : otherwise, why))
            continue;
        told[i] = true;
        if (!nodeset_add(&alike, n->set.name[i]))
            break;
    }
    names = nodeset_fold(&alike);
    jobs_failed(jobs, names, why);
    free(names);
    nodeset_free(&alike);
}

void nodes_tell(const struct nodes *n, struct jobs *jobs, const char *why)
{
    bool *told = calloc(n->set.count ? n->set.count : 1, sizeof(*told));
    size_t open = 0;

    for (size_t i = 0; i < n->set.count; i++)
        open += !n->state[i].answered && !n->state[i].lost;
    /* Answers under other names are those of the nodes of which nothing is known, if there are as many. */
    for (size_t i = 0; told && open <= n->strangers.count && i < n->set.count; i++)
        told[i] = !n->state[i].lost;
    for (size_t i = 0; told && i < n->set.count; i++)
        if (!told[i] && !n->state[i].answered)
            tell_alike(n, i, told, jobs, why);
    if (!told && open + nodes_lost(n))
        jobs_failed(jobs, NULL, "there was not enough memory to tell which nodes have not answered");
    free(told);
}
