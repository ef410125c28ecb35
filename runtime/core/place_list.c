/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Lists of places: from the topology, in text, and the placement of a team's threads on one.
 */
#include <stdlib.h>
#include <string.h>

#include "place_list.h"

int rt_places_add(struct rt_place_list *list, const struct rt_cpus *place)
{
    if (list->count == RT_PLACE_MAX)
        return 0;
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 16;
        struct rt_cpus *more = realloc(list->places, (size_t)room * sizeof *more);
        if (more == NULL)
            return 0;
        list->places = more;
        list->room = room;
    }
    list->places[list->count++] = *place;
    return 1;
}

void rt_places_free(struct rt_place_list *list)
{
    free(list->places);
    *list = (struct rt_place_list){0, 0, NULL};
}

int rt_places_filter(struct rt_place_list *list, const struct rt_cpus *allowed)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        struct rt_cpus place = list->places[i];
        if (rt_cpus_keep(&place, allowed) > 0)
            list->places[kept++] = place;
    }
    int dropped = list->count - kept;
    list->count = kept;
    return dropped;
}

/** The place that holds all processors of the unit that `cpu` is in. */
static struct rt_cpus unit_of(const struct rt_machine *machine, const struct rt_cpu *cpu, enum rt_layer layer)
{
    struct rt_cpus place = {{0}};
    for (int i = 0; i < machine->count; i++)
        if (machine->cpus[i].group[layer] == cpu->group[layer])
            rt_cpus_add(&place, machine->cpus[i].id);
    return place;
}

void rt_places_of_layer(struct rt_machine *machine, enum rt_layer layer, long limit, long step,
                        struct rt_place_list *list)
{
    struct rt_cpus seen = {{0}};
    long unit = 0;
    *list = (struct rt_place_list){0, 0, NULL};
    rt_machine_read(machine);
    for (int i = 0; i < machine->count && (limit == 0 || list->count < limit); i++) {
        const struct rt_cpu *cpu = &machine->cpus[i];
        if (rt_cpus_has(&seen, cpu->group[layer]))
            continue;
        rt_cpus_add(&seen, cpu->group[layer]);
        if (unit++ % step != 0)
            continue;
        struct rt_cpus place = unit_of(machine, cpu, layer);
        if (!rt_places_add(list, &place))
            break;
    }
}

/** A processor with its numbers within the layers around, most significant first. */
struct sorted {
    int key[3];
    int index;
};

static int before(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void rt_places_sorted(struct rt_machine *machine, enum rt_layer layer, int permute, int offset,
                      struct rt_place_list *list)
{
    *list = (struct rt_place_list){0, 0, NULL};
    rt_machine_read(machine);
    struct sorted *order = calloc((size_t)machine->count + 1, sizeof *order);
    if (order == NULL)
        return;
    struct rt_cpu last = {0};
    int number[3] = {-1, -1, -1}; /* socket; core in it; thread in that */
    if (permute < 0 || permute > 2)
        permute = permute < 0 ? 0 : 2;
    for (int i = 0; i < machine->count; i++) {
        const struct rt_cpu *cpu = &machine->cpus[i];
        int new_socket = i == 0 || cpu->group[RT_LAYER_SOCKET] != last.group[RT_LAYER_SOCKET];
        int new_core = new_socket || cpu->group[RT_LAYER_CORE] != last.group[RT_LAYER_CORE];
        number[0] += new_socket;
        number[1] = new_socket ? 0 : number[1] + new_core;
        number[2] = new_core ? 0 : number[2] + 1;
        for (int k = 0; k < 3; k++)
            order[i].key[k] = k < permute ? number[2 - k] : number[k - permute];
        order[i].index = i;
        last = *cpu;
    }
    qsort(order, (size_t)machine->count, sizeof *order, before);
    struct rt_cpus seen = {{0}};
    struct rt_place_list units = {0, 0, NULL};
    for (int i = 0; i < machine->count; i++) {
        const struct rt_cpu *cpu = &machine->cpus[order[i].index];
        if (rt_cpus_has(&seen, cpu->group[layer]))
            continue;
        rt_cpus_add(&seen, cpu->group[layer]);
        struct rt_cpus place = unit_of(machine, cpu, layer);
        rt_places_add(&units, &place);
    }
    for (int i = 0; i < units.count; i++)
        rt_places_add(list, &units.places[(i + offset) % units.count]);
    rt_places_free(&units);
    free(order);
}

size_t rt_places_text(const struct rt_place_list *list, char *buffer, size_t size)
{
    size_t length = 0;
    if (size > 0)
        buffer[0] = '\0';
    for (int i = 0; i < list->count; i++) {
        const char *open = i > 0 ? ",{" : "{";
        for (; *open; open++, length++)
            if (length + 1 < size)
                buffer[length] = *open;
        size_t room = length < size ? size - length : 0;
        length += rt_cpus_text(&list->places[i], RT_CPUS_INTERVALS, room ? buffer + length : NULL, room);
        if (length + 1 < size) {
            buffer[length] = '}';
            buffer[length + 1] = '\0';
        }
        length++;
    }
    if (size > 0)
        buffer[length < size ? length : size - 1] = '\0';
    return length;
}

/** Of `things` in `boxes`, as evenly as can be and the larger boxes first: which box holds thing i. */
static int box_of(int things, int boxes, int i)
{
    int each = things / boxes, larger = things % boxes;
    return i < larger * (each + 1) ? i / (each + 1) : larger + (i - larger * (each + 1)) / each;
}

/** ... and the first thing in a box. */
static int first_in_box(int things, int boxes, int box)
{
    return box * (things / boxes) + (box < things % boxes ? box : things % boxes);
}

struct rt_placement rt_placement_of(const struct rt_placing *in, int i)
{
    int places = in->part_count, start = in->parent - in->part_first;
    struct rt_placement out = {in->parent, in->part_first, in->part_count};
    if (start < 0 || start >= places)
        start = 0;
    out.place = in->part_first + start;
    if (in->policy == RT_BIND_PRIMARY)
        return out;
    if (in->policy == RT_BIND_CYCLE) {
        out.place = in->part_first + (int)(((long)start + i) % places);
        return out;
    }
    if (in->threads > places || in->policy == RT_BIND_CLOSE) {
        int step = in->threads > places ? box_of(in->threads, places, i) : i;
        out.place = in->part_first + (start + step) % places;
        if (in->policy == RT_BIND_SPREAD) {
            out.part_first = out.place;
            out.part_count = 1;
        }
        return out;
    }
    int part = (box_of(places, in->threads, start) + i) % in->threads;
    int first = first_in_box(places, in->threads, part);
    out.part_first = in->part_first + first;
    out.part_count = (part + 1 < in->threads ? first_in_box(places, in->threads, part + 1) : places) - first;
    if (i > 0)
        out.place = out.part_first;
    return out;
}
