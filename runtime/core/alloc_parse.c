/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The grammar of OMP_ALLOCATOR (OpenMP 5.2 section 21.5.1). Words are case-insensitive, blanks may stand
 * around them.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "alloc.h"

struct word {
    const char *name;
    uint64_t value;
};
#define END     \
    {           \
        NULL, 0 \
    }

static const struct word allocators[] = {
    {"omp_default_mem_alloc", RT_ALLOC_DEFAULT},
    {"omp_large_cap_mem_alloc", RT_ALLOC_LARGE_CAP},
    {"omp_const_mem_alloc", RT_ALLOC_CONST},
    {"omp_high_bw_mem_alloc", RT_ALLOC_HIGH_BW},
    {"omp_low_lat_mem_alloc", RT_ALLOC_LOW_LAT},
    {"omp_cgroup_mem_alloc", RT_ALLOC_CGROUP},
    {"omp_pteam_mem_alloc", RT_ALLOC_PTEAM},
    {"omp_thread_mem_alloc", RT_ALLOC_THREAD},
    {"llvm_omp_target_host_mem_alloc", RT_ALLOC_LLVM_HOST},
    {"llvm_omp_target_shared_mem_alloc", RT_ALLOC_LLVM_SHARED},
    {"llvm_omp_target_device_mem_alloc", RT_ALLOC_LLVM_DEVICE},
    {"ompx_gnu_pinned_mem_alloc", RT_ALLOC_GNU_PINNED},
    END,
};

static const struct word memspaces[] = {
    {"omp_default_mem_space", 0},
    {"omp_large_cap_mem_space", 1},
    {"omp_const_mem_space", 2},
    {"omp_high_bw_mem_space", 3},
    {"omp_low_lat_mem_space", 4},
    {"llvm_omp_target_host_mem_space", 100},
    {"llvm_omp_target_shared_mem_space", 101},
    {"llvm_omp_target_device_mem_space", 102},
    END,
};

static const struct word sync_hints[] = {
    {"contended", RT_ATV_CONTENDED},   {"uncontended", RT_ATV_UNCONTENDED}, {"serialized", RT_ATV_SERIALIZED},
    {"sequential", RT_ATV_SERIALIZED}, {"private", RT_ATV_PRIVATE},         END,
};
static const struct word accesses[] = {
    {"all", RT_ATV_ALL},
    {"memspace", RT_ATV_MEMSPACE},
    {"device", RT_ATV_ALL},
    {"cgroup", RT_ATV_CGROUP},
    {"pteam", RT_ATV_PTEAM},
    {"thread", RT_ATV_THREAD},
    END,
};
static const struct word fallbacks[] = {
    {"default_mem_fb", RT_ATV_DEFAULT_MEM_FB},
    {"null_fb", RT_ATV_NULL_FB},
    {"abort_fb", RT_ATV_ABORT_FB},
    {"allocator_fb", RT_ATV_ALLOCATOR_FB},
    END,
};
static const struct word booleans[] = {{"true", RT_ATV_TRUE}, {"false", RT_ATV_FALSE}, END};
static const struct word partitions[] = {
    {"environment", RT_ATV_ENVIRONMENT},
    {"nearest", RT_ATV_NEAREST},
    {"blocked", RT_ATV_BLOCKED},
    {"interleaved", RT_ATV_INTERLEAVED},
    END,
};
static const struct word device_counts[] = {{"single", RT_ATV_SINGLE}, {"multiple", RT_ATV_MULTIPLE}, END};
static const struct word scopes[] = {{"all", RT_ATV_ALL}, {"device", RT_ATV_ALL}, END};

/** A trait with the words that it takes; without any it takes a number. */
static const struct trait {
    const char *name;
    int32_t key;
    const struct word *words;
} traits[] = {
    {"sync_hint", RT_ATK_SYNC_HINT, sync_hints},
    {"alignment", RT_ATK_ALIGNMENT, NULL},
    {"access", RT_ATK_ACCESS, accesses},
    {"pool_size", RT_ATK_POOL_SIZE, NULL},
    {"fallback", RT_ATK_FALLBACK, fallbacks},
    {"fb_data", RT_ATK_FB_DATA, allocators},
    {"pinned", RT_ATK_PINNED, booleans},
    {"partition", RT_ATK_PARTITION, partitions},
    {"pin_device", RT_ATK_PIN_DEVICE, NULL},
    {"preferred_device", RT_ATK_PREFERRED_DEVICE, NULL},
    {"device_access", RT_ATK_DEVICE_ACCESS, device_counts},
    {"target_access", RT_ATK_TARGET_ACCESS, device_counts},
    {"atomic_scope", RT_ATK_ATOMIC_SCOPE, scopes},
    {"part_size", RT_ATK_PART_SIZE, NULL},
};
#define TRAITS     (sizeof traits / sizeof *traits)
#define TRAITS_MAX 32 /* a list may name one twice */

static const char *blanks(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

/** The length of the word at s. */
static size_t word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static int is_word(const char *s, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(s, name, n) == 0;
}

/** Takes one word of the list at *s; *s moves behind it and blanks. 0: done. */
static int word_take(const char **s, const struct word *words, uint64_t *ret)
{
    const char *begin = blanks(*s);
    size_t n = word_length(begin);
    for (; words->name != NULL; words++)
        if (is_word(begin, n, words->name)) {
            *ret = words->value;
            *s = blanks(begin + n);
            return 0;
        }
    return -1;
}

static int number_take(const char **s, uint64_t *ret)
{
    const char *digit = blanks(*s);
    uint64_t value = 0;
    if (!isdigit((unsigned char)*digit))
        return -1;
    for (; isdigit((unsigned char)*digit); digit++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*digit - '0'), &value))
            return -1;
    *ret = value;
    *s = blanks(digit);
    return 0;
}

/** One trait=value at *s. */
static int trait_take(const char **s, struct rt_alloctrait *ret)
{
    const char *begin = blanks(*s);
    size_t n = word_length(begin), i = 0;
    while (i < TRAITS && !is_word(begin, n, traits[i].name))
        i++;
    const char *value = blanks(begin + n);
    if (i == TRAITS || *value++ != '=')
        return -1;
    ret->key = traits[i].key;
    static const struct word unset[] = {{"default", RT_ATV_DEFAULT}, END};
    if (word_take(&value, unset, &ret->value) != 0) {
        int bad = traits[i].words != NULL ? word_take(&value, traits[i].words, &ret->value)
                                          : number_take(&value, &ret->value);
        if (bad != 0 || (ret->key == RT_ATK_POOL_SIZE && ret->value == 0))
            return -1;
    }
    *s = value;
    return 0;
}

/**
 * allocator_fb says nothing without the allocator; the routine takes that for the default one, a variable
 * does not.
 */
static int fallback_complete(const struct rt_alloctrait *list, int n)
{
    int needs = 0, has = 0;
    for (int i = 0; i < n; i++) {
        if (list[i].key == RT_ATK_FALLBACK)
            needs = list[i].value == RT_ATV_ALLOCATOR_FB;
        has |= list[i].key == RT_ATK_FB_DATA;
    }
    return !needs || has;
}

int rt_alloc_parse(const char *value, uint64_t *handle)
{
    const char *s = value;
    uint64_t number;
    if (word_take(&s, allocators, &number) == 0) {
        if (*s != '\0')
            return -1;
        *handle = number;
        return 0;
    }
    if (word_take(&s, memspaces, &number) != 0)
        return -1;
    struct rt_alloctrait list[TRAITS_MAX];
    int n = 0;
    if (*s == ':') {
        do {
            s++;
            if (n == TRAITS_MAX || trait_take(&s, &list[n++]) != 0)
                return -1;
        } while (*s == ',');
    }
    if (*s != '\0' || !fallback_complete(list, n))
        return -1;
    uint64_t made = n == 0 ? rt_alloc_of_memspace(number) : rt_alloc_init(number, n, list);
    if (made == RT_ALLOC_NULL)
        return -1;
    *handle = made;
    return 0;
}

const char *rt_alloc_name(uint64_t handle)
{
    for (const struct word *word = allocators; word->name != NULL; word++)
        if (word->value == handle)
            return word->name;
    return NULL;
}
