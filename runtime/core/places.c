/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Binding threads to places (OpenMP 5.2 section 10.1.3): the place list that the variables ask for, and the
 * kernel's affinity of each thread. Without binding none of this costs more than one system call at start.
 *
 * Which variable counts: KMP_AFFINITY before all others, as with libomp; OMP_PLACES before GOMP_CPU_AFFINITY.
 * OMP_PROC_BIND alone makes a place of each hardware thread; a place list alone means OMP_PROC_BIND=true, and
 * that means close. With OMP_PROC_BIND=false the list can be asked for, and nothing is bound.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "env_parse.h"
#include "places.h"
#include "places_parse.h"
#include "tid.h"

void rt_places_start(void)
{
    struct rt_machine *machine = &rt_env.machine;
    machine->root = "";
    if (rt_cpus_of_thread(&machine->allowed) != 0) {
        memset(&machine->allowed, 0, sizeof machine->allowed);
        rt_cpus_add(&machine->allowed, 0);
    }
    rt_env.initial = machine->allowed;
    if (rt_env.kmp_hw_subset != NULL) {
        const char *wrong = rt_machine_subset(machine, rt_env.kmp_hw_subset);
        if (wrong != NULL)
            rt_env_warn("KMP_HW_SUBSET='%.200s' has no effect: %s", rt_env.kmp_hw_subset, wrong);
        else
            rt_cpus_bind_thread(&machine->allowed); /* threads that it creates inherit it */
    }
    rt_root.procs = (uint32_t)rt_cpus_count(&machine->allowed);
}

/* ---- KMP_AFFINITY -------------------------------------------------------------------------------------- */

enum kmp_type { NONE, DISABLED, COMPACT, SCATTER, BALANCED, EXPLICIT, LOGICAL, PHYSICAL };

struct kmp_affinity {
    int type; /**< enum kmp_type; -1 not given */
    int layer, verbose, warnings;
    long numbers[2]; /**< permute, offset */
    int given;       /**< of these */
    char proclist[1024];
};

/** proclist=[...] behind its equals sign; the list may have commas of its own. */
static int read_proclist(const char **s, struct kmp_affinity *ret)
{
    static const char opening[] = "[{('\"";
    const char *start = rt_parse_blanks(*s), *end;
    if (*start == '\0' || strchr(opening, *start) == NULL)
        return 0;
    char closing = *start == '[' ? ']' : *start == '{' ? '}' : *start == '(' ? ')' : *start;
    end = strchr(++start, closing);
    if (end == NULL || (size_t)(end - start) >= sizeof ret->proclist)
        return 0;
    memcpy(ret->proclist, start, (size_t)(end - start));
    ret->proclist[end - start] = '\0';
    *s = rt_parse_blanks(end + 1);
    return 1;
}

/** granularity=...: the layer, -1 for one that is not supported. */
static int read_granularity(const char **s)
{
    static const char *const names[] = {"fine",     "thread",  "core",  "tile", "module",      "ll_cache",
                                        "l3_cache", "l3",      "numa",  "node", "numa_domain", "die",
                                        "socket",   "package", "group", NULL};
    static const signed char layers[] = {RT_LAYER_THREAD, RT_LAYER_THREAD, RT_LAYER_CORE,  RT_LAYER_CORE,
                                         RT_LAYER_CORE,   RT_LAYER_CACHE,  RT_LAYER_CACHE, RT_LAYER_CACHE,
                                         RT_LAYER_NUMA,   RT_LAYER_NUMA,   RT_LAYER_NUMA,  RT_LAYER_SOCKET,
                                         RT_LAYER_SOCKET, RT_LAYER_SOCKET, RT_LAYER_SOCKET};
    int name = rt_parse_word(s, names);
    return name < 0 ? -1 : layers[name];
}

/** [modifier,...]type[,permute][,offset]. */
static int read_kmp_affinity(const char *text, struct kmp_affinity *ret)
{
    static const char *const types[] = {"none",     "disabled", "compact",  "scatter", "balanced",
                                        "explicit", "logical",  "physical", NULL};
    static const char *const modifiers[] = {"verbose",    "noverbose",    "warnings", "nowarnings",
                                            "respect",    "norespect",    "reset",    "noreset",
                                            "duplicates", "noduplicates", NULL};
    static const char *const keys[] = {"granularity", "proclist", NULL};
    const char *s = text;
    *ret = (struct kmp_affinity){.type = -1, .layer = RT_LAYER_CORE, .warnings = 1};
    do {
        int word = rt_parse_word(&s, modifiers);
        if (word == 0 || word == 1) {
            ret->verbose = word == 0;
        } else if (word == 2 || word == 3) {
            ret->warnings = word == 2;
        } else if (word < 0 && (word = rt_parse_word(&s, types)) >= 0) {
            if (ret->type >= 0)
                return 0;
            ret->type = word;
        } else if (word < 0 && (word = rt_parse_word(&s, keys)) >= 0) {
            if (*s != '=')
                return 0;
            s++;
            if (word == 0 ? (ret->layer = read_granularity(&s)) < 0 : !read_proclist(&s, ret))
                return 0;
        } else if (word < 0) {
            if (ret->given == 2 || !rt_parse_number(&s, 0, INT_MAX, &ret->numbers[ret->given++]))
                return 0;
        }
    } while (*s == ',' && s++);
    return *s == '\0';
}

static void places_report(const char *variable)
{
    char text[4096];
    for (int i = 0; i < rt_env.list.count; i++) {
        rt_cpus_text(&rt_env.list.places[i], RT_CPUS_RANGES, text, sizeof text);
        fprintf(stderr, "ompcompanion: %s: place %d is processor set %s\n", variable, i, text);
    }
}

/** The list and the policy that KMP_AFFINITY asks for; 0 when it asks for nothing. */
static int setup_kmp(void)
{
    struct kmp_affinity asked;
    const char *text = rt_env.kmp_affinity, *wrong = NULL;
    struct rt_place_list *list = &rt_env.list;
    int good = read_kmp_affinity(text, &asked);
    if (!good || (asked.type == EXPLICIT && asked.proclist[0] == '\0'))
        wrong = "[modifier,...]type[,permute][,offset] is expected";
    if (wrong == NULL && asked.type < 0)
        return 0; /* modifiers alone */
    int permute = (int)asked.numbers[0], offset = (int)asked.numbers[1];
    if (asked.given == 1 && (asked.type == LOGICAL || asked.type == PHYSICAL)) {
        offset = permute;
        permute = 0;
    }
    if (wrong == NULL) {
        rt_env.true_means = RT_BIND_CYCLE;
        switch (asked.type) {
        case NONE:
        case DISABLED:
            rt_env.bind_count = 1;
            rt_env.bind[0] = RT_BIND_FALSE;
            return 1;
        case SCATTER:
        case PHYSICAL:
            rt_places_sorted(&rt_env.machine, (enum rt_layer)asked.layer, 2 - permute, offset, list);
            break;
        case BALANCED:
            rt_places_sorted(&rt_env.machine, (enum rt_layer)asked.layer, 0, 0, list);
            rt_env.true_means = RT_BIND_SPREAD;
            break;
        case EXPLICIT:
            wrong = rt_places_parse_cpus(asked.proclist, list);
            break;
        default:
            rt_places_sorted(&rt_env.machine, (enum rt_layer)asked.layer, permute, offset, list);
            break;
        }
    }
    if (wrong == NULL) {
        rt_places_filter(list, &rt_env.machine.allowed);
        if (list->count == 0)
            wrong = "none of its processors may be used";
    }
    if (wrong != NULL) {
        if (!good || asked.warnings)
            rt_env_warn("KMP_AFFINITY='%.200s' has no effect: %s", text, wrong);
        rt_env.true_means = RT_BIND_CLOSE;
        return 0;
    }
    rt_env.bind_count = 1;
    rt_env.bind[0] = RT_BIND_TRUE;
    if (asked.verbose)
        places_report("KMP_AFFINITY");
    return 1;
}

/* ---- OMP_PLACES, GOMP_CPU_AFFINITY --------------------------------------------------------------------- */

static int usable(const char *name, const char *text, const char *wrong)
{
    struct rt_place_list *list = &rt_env.list;
    if (wrong == NULL) {
        int asked = list->count, dropped = rt_places_filter(list, &rt_env.machine.allowed);
        if (list->count > 0) {
            if (dropped > 0)
                rt_env_warn("%s: %d of %d places have no processor that may be used", name, dropped, asked);
            return 1;
        }
        wrong = "none of its processors may be used";
    }
    rt_env_warn("%s='%.200s' has no effect: %s", name, text, wrong);
    rt_places_free(list);
    return 0;
}

static int setup_list(void)
{
    if (rt_env.places != NULL &&
        usable("OMP_PLACES", rt_env.places, rt_places_parse(rt_env.places, &rt_env.machine, &rt_env.list)))
        return 1;
    return rt_env.places == NULL && rt_env.gomp_affinity != NULL &&
           usable("GOMP_CPU_AFFINITY", rt_env.gomp_affinity,
                  rt_places_parse_cpus(rt_env.gomp_affinity, &rt_env.list));
}

void rt_places_setup(void)
{
    if (rt_env.kmp_affinity == NULL || !setup_kmp()) {
        int given = setup_list();
        if (rt_env.bind_count == 0 && given) {
            rt_env.bind_count = 1;
            rt_env.bind[0] = RT_BIND_TRUE;
        }
        if (!given && rt_env.bind_count > 0 && rt_env.bind[0] != RT_BIND_FALSE)
            rt_places_of_layer(&rt_env.machine, RT_LAYER_THREAD, 0, 1, &rt_env.list);
    }
    if (rt_env.list.count == 0)
        rt_env.bind_count = 0;
    rt_env.place_table = rt_env.list.count > 0 ? rt_env.list.places : &rt_env.machine.allowed;
    rt_env.place_total = rt_env.list.count > 0 ? (uint32_t)rt_env.list.count : 1;
    rt_root.icvs.bind = rt_env.bind_count > 0 ? rt_env.bind[0] : RT_BIND_FALSE;
    rt_root.binding = rt_root.icvs.bind != RT_BIND_FALSE;
    rt_root.icvs.place_first = 0;
    rt_root.icvs.place_count = rt_env.list.count;
    /*
     * The initial thread is at its place from the start: what it touches before its first region shall lie
     * there.
     */
    if (rt_root.binding && rt_tid() == getpid())
        rt_cpus_bind_thread(&rt_env.list.places[0]);
}

/* ---- threads ------------------------------------------------------------------------------------------- */

int rt_place_count(void)
{
    return (int)rt_env.place_total;
}

const struct rt_cpus *rt_place_cpus(int place)
{
    if (place < 0 || place >= rt_place_count())
        return NULL;
    return &rt_env.place_table[place];
}

int rt_place_of(const struct rt_thread *th)
{
    if (rt_root.binding)
        return th->place;
    return rt_env.list.count > 0 ? -1 : 0; /* the one place that has all processors */
}

void rt_place_partition(const struct rt_thread *th, int *first, int *count)
{
    const struct rt_icvs *icvs = &th->implicit->icvs;
    *first = icvs->place_first;
    *count = icvs->place_count;
    if (*count <= 0) {
        *first = 0;
        *count = rt_place_count();
    }
}

static void place_move(struct rt_thread *th, int place)
{
    const struct rt_cpus *cpus = rt_place_cpus(place);
    /* A cpuset that changed while the program runs may refuse; the thread stays where the kernel lets it. */
    if (cpus != NULL && place != th->place && rt_cpus_bind_thread(cpus) == 0)
        th->place = place;
}

void rt_place_initial(struct rt_thread *th)
{
    th->place = -1;
    if (rt_root.binding)
        place_move(th, 0);
}

void rt_place_enter(struct rt_thread *th, const struct rt_member *member)
{
    if (member->place >= 0 && member->place != th->place)
        place_move(th, member->place);
}

uint8_t rt_places_bind(const struct rt_icvs *outer, enum rt_call call, int proc_bind, int level)
{
    if (level < rt_env.bind_count)
        return rt_env.bind[level];
    if (call == RT_CALL_GOMP && proc_bind != 0 && outer->bind != RT_BIND_FALSE)
        return (uint8_t)proc_bind;
    return outer->bind;
}

int rt_places_assign(struct rt_thread *th, struct rt_team *team, int n, int proc_bind)
{
    int bind = rt_load(th->cur_task)->icvs.bind;
    struct rt_placing in = {.threads = n, .parent = th->place};
    rt_place_partition(th, &in.part_first, &in.part_count);
    if (bind != RT_BIND_FALSE && proc_bind != 0)
        bind = proc_bind;
    in.policy = (enum rt_bind)(bind == RT_BIND_TRUE ? rt_env.true_means : bind);
    /* A loop of regions has the same answer each time. */
    const int32_t asked[] = {n, th->place, in.part_first, in.part_count, bind};
    _Static_assert(sizeof asked == sizeof team->placed, "one answer");
    if (memcmp(team->placed, asked, sizeof asked) == 0)
        return 0;
    memcpy(team->placed, asked, sizeof asked);
    for (int i = 0; i < n; i++) {
        struct rt_placement out = {-1, in.part_first, in.part_count};
        if (bind != RT_BIND_FALSE)
            out = rt_placement_of(&in, i);
        team->members[i].place = out.place;
        team->members[i].part_first = out.part_first;
        team->members[i].part_count = out.part_count;
    }
    return 1;
}
