/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Lists of places from text: OMP_PLACES (OpenMP 5.2 section 21.1.6, with the stride of 6.0 for abstract
 * names), GOMP_CPU_AFFINITY, KMP_AFFINITY's proclist.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "env_parse.h"
#include "places_parse.h"

#define SYNTAX   "a list of places or an abstract name is expected"
#define NEGATIVE "a processor's number would be negative"
#define TOO_MANY "there are too many places"

/** ":" len [":" stride] behind a number or a place; len 1 when nothing is there. */
static int interval(const char **s, long *len, long *stride)
{
    *len = *stride = 1;
    if (**s != ':')
        return 1;
    ++*s;
    if (!rt_parse_number(s, 1, INT_MAX, len))
        return 0;
    if (**s != ':')
        return 1;
    ++*s;
    return rt_parse_number(s, -INT_MAX, INT_MAX, stride);
}

static const char *parse_place(const char **s, struct rt_cpus *place)
{
    long first, len, stride;
    memset(place, 0, sizeof *place);
    *s = rt_parse_blanks(*s);
    if (**s != '{') {
        if (!rt_parse_number(s, 0, INT_MAX, &first))
            return SYNTAX;
        rt_cpus_add(place, first);
        return NULL;
    }
    do {
        *s = rt_parse_blanks(*s + 1); /* behind the brace or the comma */
        int remove = **s == '!';
        *s += remove;
        if (!rt_parse_number(s, 0, INT_MAX, &first) || (remove && **s == ':') || !interval(s, &len, &stride))
            return SYNTAX;
        if (stride < 0 && first + (len - 1) * stride < 0)
            return NEGATIVE;
        if (remove)
            rt_cpus_remove(place, first);
        else
            for (long id = first; len > 0 && id < RT_CPU_MAX; id += stride, len = stride ? len - 1 : 0)
                rt_cpus_add(place, id);
    } while (**s == ',');
    if (**s != '}')
        return SYNTAX;
    *s = rt_parse_blanks(*s + 1);
    return NULL;
}

static int remove_place(struct rt_place_list *list, const struct rt_cpus *place)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (!rt_cpus_equal(&list->places[i], place))
            list->places[kept++] = list->places[i];
    int removed = list->count - kept;
    list->count = kept;
    return removed;
}

/** The place and its len - 1 copies, each moved on by the stride. */
static const char *add_copies(struct rt_place_list *list, const struct rt_cpus *place, long len, long stride)
{
    int lowest = rt_cpus_next(place, 0);
    if (lowest < 0)
        return rt_places_add(list, place) ? NULL
                                          : TOO_MANY; /* empty; kept to be counted with what is dropped */
    if (lowest + (len - 1) * stride < 0)
        return NEGATIVE;
    for (long copy = 0; copy < len && lowest + copy * stride < RT_CPU_MAX; copy++) {
        struct rt_cpus moved = {{0}};
        for (int id = lowest; id >= 0; id = rt_cpus_next(place, id + 1))
            rt_cpus_add(&moved, id + copy * stride);
        if (!rt_places_add(list, &moved))
            return TOO_MANY;
    }
    return NULL;
}

static const char *parse_explicit(const char *s, struct rt_place_list *list)
{
    const char *wrong;
    s--;
    do {
        struct rt_cpus place;
        long len, stride;
        s = rt_parse_blanks(s + 1);
        int remove = *s == '!';
        if ((wrong = parse_place((s += remove, &s), &place)) != NULL)
            return wrong;
        if (remove) {
            if (remove_place(list, &place) == 0)
                return "it removes a place that is not in the list";
            continue;
        }
        if (!interval(&s, &len, &stride))
            return SYNTAX;
        if ((wrong = add_copies(list, &place, len, stride)) != NULL)
            return wrong;
    } while (*s == ',');
    return *s == '\0' ? NULL : SYNTAX;
}

static const char *parse_abstract(const char *s, enum rt_layer layer, struct rt_machine *machine,
                                  struct rt_place_list *list)
{
    long limit = 0, step = 1;
    if (*s == '(') {
        s++;
        if (!rt_parse_number(&s, 1, INT_MAX, &limit))
            return "a positive number of places is expected in parentheses";
        if (*s == ':' || *s == ',') {
            s++;
            if (!rt_parse_number(&s, 1, INT_MAX, &step))
                return "a positive stride is expected in parentheses";
        }
        if (*s != ')')
            return SYNTAX;
        s = rt_parse_blanks(s + 1);
    }
    if (*s != '\0')
        return SYNTAX;
    rt_places_of_layer(machine, layer, limit, step, list);
    return NULL;
}

const char *rt_places_parse(const char *text, struct rt_machine *machine, struct rt_place_list *list)
{
    static const char *const names[] = {"sockets", "numa_domains", "ll_caches", "cores", "threads", NULL};
    const char *s = text;
    *list = (struct rt_place_list){0, 0, NULL};
    int layer = rt_parse_word(&s, names); /* in the order of enum rt_layer */
    const char *wrong =
        layer >= 0 ? parse_abstract(s, (enum rt_layer)layer, machine, list) : parse_explicit(text, list);
    if (wrong != NULL)
        rt_places_free(list);
    return wrong;
}

/** first [- last [: stride]] at *s: a place of each number. */
static int parse_range(const char **s, struct rt_place_list *list)
{
    long first, last, stride = 1;
    if (!rt_parse_number(s, 0, INT_MAX, &first))
        return 0;
    last = first;
    if (**s == '-') {
        ++*s;
        if (!rt_parse_number(s, first, INT_MAX, &last))
            return 0;
        if (**s == ':') {
            ++*s;
            if (!rt_parse_number(s, 1, INT_MAX, &stride))
                return 0;
        }
    }
    for (long id = first; id <= last && id < RT_CPU_MAX; id += stride) {
        struct rt_cpus place = {{0}};
        rt_cpus_add(&place, id);
        if (!rt_places_add(list, &place))
            return 0;
    }
    return 1;
}

/** "{" number {, number} "}" or ranges in braces: one place. */
static int parse_set(const char **s, struct rt_place_list *list)
{
    struct rt_place_list members = {0, 0, NULL};
    struct rt_cpus place = {{0}};
    int good;
    do {
        ++*s;
        good = parse_range(s, &members);
    } while (good && **s == ',');
    good = good && **s == '}';
    *s += good;
    for (int i = 0; i < members.count; i++)
        rt_cpus_add(&place, rt_cpus_next(&members.places[i], 0));
    rt_places_free(&members);
    return good && rt_places_add(list, &place);
}

const char *rt_places_parse_cpus(const char *text, struct rt_place_list *list)
{
    const char *s = rt_parse_blanks(text);
    *list = (struct rt_place_list){0, 0, NULL};
    do {
        if (!(*s == '{' ? parse_set(&s, list) : parse_range(&s, list))) {
            rt_places_free(list);
            return "a list of processors is expected";
        }
        s = rt_parse_blanks(s);
        if (*s == ',')
            s = rt_parse_blanks(s + 1);
    } while (*s != '\0');
    return NULL;
}
