/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The machine's topology from /sys/devices/system (Linux Documentation/ABI/stable/sysfs-devices-system-cpu),
 * without hwloc.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "env_parse.h"
#include "topology.h"

/** The list in a file of the processor's directory; returns its lowest number, -1 without one. */
static int list_in(const char *root, int cpu, const char *file, struct rt_cpus *list)
{
    char path[512], line[16384];
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/%s", root, cpu, file);
    return rt_first_line(line, sizeof line, path) ? rt_cpus_add_list(list, line) : -1;
}

static int lowest_in(const char *root, int cpu, const char *file)
{
    struct rt_cpus ignored = {{0}};
    return list_in(root, cpu, file, &ignored);
}

/** The processors at a processor's cache of the highest level; returns the lowest one, -1 without a cache. */
static int cache_of(const char *root, int cpu, struct rt_cpus *shared)
{
    int best = -1;
    long level = 0;
    char path[512], line[64], file[64];
    for (int index = 0;; index++) {
        snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/cache/index%d/level", root, cpu, index);
        if (!rt_first_line(line, sizeof line, path))
            return best;
        long its_level = strtol(line, NULL, 10);
        if (its_level <= level)
            continue;
        snprintf(file, sizeof file, "cache/index%d/shared_cpu_list", index);
        struct rt_cpus its_own = {{0}};
        int lowest = list_in(root, cpu, file, &its_own);
        if (lowest >= 0) {
            best = lowest;
            level = its_level;
            *shared = its_own;
        }
    }
}

static int lowest_of_cache(const char *root, int cpu)
{
    struct rt_cpus ignored;
    return cache_of(root, cpu, &ignored);
}

int rt_machine_cluster(const struct rt_machine *machine)
{
    struct rt_cpus shared = {{0}};
    int first = rt_cpus_next(&machine->allowed, 0), n = 0;
    if (first < 0 || cache_of(machine->root, first, &shared) < 0)
        return 0;
    for (int id = rt_cpus_next(&shared, 0); id >= 0; id = rt_cpus_next(&shared, id + 1))
        n += rt_cpus_has(&machine->allowed, id) ? 1 : 0;
    return n;
}

static void read_nodes(struct rt_machine *machine)
{
    char path[512], line[16384];
    struct rt_cpus nodes = {{0}};
    snprintf(path, sizeof path, "%s/sys/devices/system/node/online", machine->root);
    if (!rt_first_line(line, sizeof line, path))
        return;
    rt_cpus_add_list(&nodes, line);
    for (int node = rt_cpus_next(&nodes, 0); node >= 0; node = rt_cpus_next(&nodes, node + 1)) {
        struct rt_cpus members = {{0}};
        snprintf(path, sizeof path, "%s/sys/devices/system/node/node%d/cpulist", machine->root, node);
        if (!rt_first_line(line, sizeof line, path))
            continue;
        int lowest = rt_cpus_add_list(&members, line);
        for (int i = 0; i < machine->count; i++)
            if (rt_cpus_has(&members, machine->cpus[i].id))
                machine->cpus[i].group[RT_LAYER_NUMA] = lowest;
    }
}

static int nearer(const void *left, const void *right)
{
    const struct rt_cpu *a = left, *b = right;
    for (int layer = 0; layer < RT_LAYERS; layer++)
        if (a->group[layer] != b->group[layer])
            return a->group[layer] < b->group[layer] ? -1 : 1;
    return 0;
}

void rt_machine_sort(struct rt_machine *machine)
{
    qsort(machine->cpus, (size_t)machine->count, sizeof *machine->cpus, nearer);
}

void rt_machine_read(struct rt_machine *machine)
{
    if (machine->count > 0)
        return;
    int count = rt_cpus_count(&machine->allowed);
    machine->cpus = calloc((size_t)count + 1, sizeof *machine->cpus);
    if (machine->cpus == NULL)
        return;
    int lowest = rt_cpus_next(&machine->allowed, 0);
    for (int id = lowest; id >= 0; id = rt_cpus_next(&machine->allowed, id + 1)) {
        struct rt_cpu *cpu = &machine->cpus[machine->count++];
        int core = lowest_in(machine->root, id, "topology/thread_siblings_list");
        int socket = lowest_in(machine->root, id, "topology/core_siblings_list");
        int cache = lowest_of_cache(machine->root, id);
        cpu->id = cpu->group[RT_LAYER_THREAD] = id;
        cpu->group[RT_LAYER_CORE] = core >= 0 ? core : id;
        cpu->group[RT_LAYER_SOCKET] = cpu->group[RT_LAYER_NUMA] = socket >= 0 ? socket : lowest;
        cpu->group[RT_LAYER_CACHE] = cache >= 0 ? cache : cpu->group[RT_LAYER_SOCKET];
    }
    read_nodes(machine);
    rt_machine_sort(machine);
}

/* ---- KMP_HW_SUBSET ------------------------------------------------------------------------------------- */

struct part {
    int asked;
    long count, offset; /**< count -1: all from the offset on */
};

/** The layer that a name of KMP_HW_SUBSET means; -1 none. */
static int layer_of(const char **s)
{
    static const char *const names[] = {
        "sockets",   "socket",   "packages", "package", "s",  "numa_domains", "numa_domain",
        "numas",     "numa",     "nodes",    "node",    "n",  "ll_caches",    "ll_cache",
        "l3_caches", "l3_cache", "l3caches", "l3cache", "l3", "cores",        "core",
        "c",         "threads",  "thread",   "t",       NULL};
    static const int behind[] = {5, 12, 19, 22, 25}; /* names of each layer end before these */
    int name = rt_parse_word(s, names);
    for (int layer = 0; name >= 0 && layer < RT_LAYERS; layer++)
        if (name < behind[layer])
            return layer;
    return -1;
}

static const char *parse_parts(const char *s, struct part *parts)
{
    do {
        struct part part = {1, -1, 0};
        s = rt_parse_blanks(s);
        if (*s == '*')
            s++;
        else
            rt_parse_number(&s, 1, RT_CPU_MAX, &part.count);
        int layer = layer_of(&s);
        if (layer < 0)
            return "it names a layer that is not supported";
        if (*s == '@') {
            s++;
            if (!rt_parse_number(&s, 0, RT_CPU_MAX, &part.offset))
                return "a number is expected behind @";
        }
        if (parts[layer].asked)
            return "it names a layer twice";
        parts[layer] = part;
    } while (*s == ',' && s++);
    return *s == '\0' ? NULL : "[number]layer[@offset][,...] is expected";
}

/**
 * The layer inside which units of `layer` are counted: the next one outside that is asked for or always
 * there.
 */
static int outer_layer(int layer, const struct part *parts)
{
    for (layer--; layer > RT_LAYER_SOCKET; layer--)
        if (parts[layer].asked || layer == RT_LAYER_CORE)
            return layer;
    return layer;
}

/** Keeps the units of one layer that are asked for in each unit around; 0 when some unit has too few. */
static int restrict_layer(struct rt_machine *machine, int layer, const struct part *parts)
{
    const struct part *part = &parts[layer];
    int outer = outer_layer(layer, parts), kept = 0, unit = -1, enough = 1;
    struct rt_cpu previous = {0};
    for (int i = 0; i <= machine->count; i++) {
        int last = i == machine->count;
        struct rt_cpu cpu = last ? previous : machine->cpus[i];
        int new_outer = last || i == 0 || (outer >= 0 && cpu.group[outer] != previous.group[outer]);
        if (new_outer && i > 0 && unit + 1 < part->offset + (part->count < 0 ? 1 : part->count))
            enough = 0;
        if (last)
            break;
        if (new_outer)
            unit = 0;
        else if (cpu.group[layer] != previous.group[layer])
            unit++;
        if (unit >= part->offset && (part->count < 0 || unit < part->offset + part->count))
            machine->cpus[kept++] = cpu;
        previous = cpu;
    }
    machine->count = kept;
    return enough;
}

const char *rt_machine_subset(struct rt_machine *machine, const char *text)
{
    struct part parts[RT_LAYERS] = {{0, 0, 0}};
    const char *wrong = parse_parts(text, parts);
    if (wrong != NULL)
        return wrong;
    rt_machine_read(machine);
    int count = machine->count;
    struct rt_cpu *cpus = malloc(((size_t)count + 1) * sizeof *cpus);
    if (cpus == NULL)
        return "there is no memory for it";
    memcpy(cpus, machine->cpus, (size_t)count * sizeof *cpus);
    int enough = 1;
    for (int layer = 0; layer < RT_LAYERS; layer++)
        if (parts[layer].asked && enough)
            enough = restrict_layer(machine, layer, parts);
    if (!enough || machine->count == 0) {
        memcpy(machine->cpus, cpus, (size_t)count * sizeof *cpus);
        machine->count = count;
        free(cpus);
        return "it asks for more than the machine has";
    }
    free(cpus);
    memset(&machine->allowed, 0, sizeof machine->allowed);
    for (int i = 0; i < machine->count; i++)
        rt_cpus_add(&machine->allowed, machine->cpus[i].id);
    return NULL;
}
