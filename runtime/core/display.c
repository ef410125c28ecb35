/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Thread affinity as text (OpenMP 5.2 section 21.2.4): omp_display_affinity, omp_capture_affinity,
 * OMP_DISPLAY_AFFINITY.
 *
 * %i is the kernel's thread id, the number that a debugger shows. A field that does not exist becomes
 * `undefined`.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "display.h"
#include "env.h"
#include "keep_errno.h"
#include "message.h"
#include "task.h"
#include "tid.h"

/** Text that may be cut: as snprintf counts. */
struct text {
    char *buffer;
    size_t size, length;
};

static void display_put(struct text *text, char c)
{
    if (text->length + 1 < text->size)
        text->buffer[text->length] = c;
    text->length++;
}

/** How a field is to be set: %[[[0].]size]type. */
struct shape {
    int zeros, right;
    long width;
};

static void put_field(struct text *text, const struct shape *shape, const char *value, int is_number)
{
    size_t n = strlen(value), width = (size_t)shape->width;
    size_t fill = width > n ? width - n : 0;
    if (shape->right) {
        int zeros = shape->zeros && is_number;
        if (zeros && *value == '-')
            display_put(text, *value++);
        while (fill-- > 0)
            display_put(text, zeros ? '0' : ' ');
        fill = 0;
    }
    while (*value != '\0')
        display_put(text, *value++);
    while (fill-- > 0)
        display_put(text, ' ');
}

static const struct field {
    char letter;
    const char *name;
} fields[] = {
    {'t', "team_num"},         {'T', "num_teams"},       {'L', "nesting_level"}, {'n', "thread_num"},
    {'N', "num_threads"},      {'a', "ancestor_tnum"},   {'H', "host"},          {'P', "process_id"},
    {'i', "native_thread_id"}, {'A', "thread_affinity"},
};

/** The letter of the field at *s, which moves behind it; 0 for one that does not exist. */
static char field_at(const char **s)
{
    if (**s == '{') {
        const char *name = *s + 1, *end = strchr(name, '}');
        if (end == NULL) {
            *s += strlen(*s);
            return 0;
        }
        *s = end + 1;
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (strlen(fields[i].name) == (size_t)(end - name) &&
                strncmp(fields[i].name, name, (size_t)(end - name)) == 0)
                return fields[i].letter;
        return 0;
    }
    char letter = **s;
    if (letter != '\0')
        ++*s;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].letter == letter)
            return letter;
    return 0;
}

static void put_value(struct text *text, const struct shape *shape, const struct rt_thread *th, char letter)
{
    const struct rt_task *task = th->implicit;
    const struct rt_team *team = task->team;
    char value[4096];
    long number = 0;
    switch (letter) {
    case 't':
        number = team->team_num;
        break;
    case 'T':
        number = team->num_teams > 0 ? team->num_teams : 1;
        break;
    case 'L':
        number = team->level;
        break;
    case 'n':
        number = rt_load(task->thread_num);
        break;
    case 'N':
        number = team->nthreads;
        break;
    case 'a': /* an explicit task's number is that of the thread that executes it */
        number = team->level > 0 && team->parent_task != NULL ? rt_load(team->parent_task->thread_num) : -1;
        break;
    case 'P':
        number = getpid();
        break;
    case 'i':
        number = rt_tid();
        break;
    case 'H':
        if (gethostname(value, sizeof value) != 0)
            value[0] = '\0';
        value[sizeof value - 1] = '\0';
        put_field(text, shape, value, 0);
        return;
    case 'A': {
        struct rt_cpus cpus;
        if (rt_cpus_of_thread(&cpus) != 0)
            memset(&cpus, 0, sizeof cpus);
        rt_cpus_text(&cpus, RT_CPUS_RANGES, value, sizeof value);
        put_field(text, shape, value, 0);
        return;
    }
    default:
        put_field(text, shape, "undefined", 0);
        return;
    }
    snprintf(value, sizeof value, "%ld", number);
    put_field(text, shape, value, 1);
}

static void fill_in(struct text *text, const struct rt_thread *th, const char *s)
{
    while (*s != '\0') {
        if (*s != '%') {
            display_put(text, *s++);
            continue;
        }
        if (*++s == '%') {
            display_put(text, *s++);
            continue;
        }
        struct shape shape = {0, 0, 0};
        if (*s == '0') {
            shape.zeros = 1;
            s++;
        }
        if (*s == '.') {
            shape.right = 1;
            s++;
        }
        for (; *s >= '0' && *s <= '9'; s++)
            if (shape.width < 4096) /* a width beyond any line is a mistake; it must not fill memory */
                shape.width = shape.width * 10 + (*s - '0');
        put_value(text, &shape, th, field_at(&s));
    }
}

size_t rt_affinity_text(const struct rt_thread *th, const char *format, char *buffer, size_t size)
{
    struct text text = {buffer, size, 0};
    if (format != NULL && *format != '\0') {
        fill_in(&text, th, format);
    } else {
        rt_lock(&rt_env.format_lock);
        fill_in(&text, th, rt_env.affinity_format);
        rt_unlock(&rt_env.format_lock);
    }
    if (size > 0)
        buffer[text.length < size ? text.length : size - 1] = '\0';
    return text.length;
}

void rt_affinity_print(const struct rt_thread *th, const char *format, FILE *out)
{
    char near[1024], *line = near;
    size_t length = rt_affinity_text(th, format, near, sizeof near - 1);
    if (length >= sizeof near - 1) {
        size_t room = length + 256; /* the format may have changed in between */
        line = malloc(room);
        if (line == NULL)
            return;
        size_t full = rt_affinity_text(th, format, line, room - 1);
        length = full < room - 1 ? full : room - 2;
    }
    length = rt_printable(line, length, RT_TAB_AND_NEWLINE);
    line[length] = '\n';
    fwrite(line, 1, length + 1, out);
    fflush(out);
    if (line != near)
        free(line);
}

/* ---- OMP_DISPLAY_AFFINITY ------------------------------------------------------------------------------ */

/** What the last region was like that this thread led and that was shown. */
static _Thread_local uint64_t shown __attribute__((tls_model("initial-exec")));

static void mix(uint64_t *hash, uint64_t word)
{
    *hash = (*hash ^ word) * 0x100000001b3; /* FNV-1a, over words */
}

/*
 * 5.2 section 21.2.4: all threads of a region are shown when anything that a format may show has changed.
 * Places stand for affinity, if threads are bound: the threads have yet to go there.
 */
void rt_display_decide(const struct rt_thread *th, struct rt_team *team)
{
    uint64_t hash = 0xcbf29ce484222325;
    mix(&hash, (uint64_t)team->level);
    mix(&hash, (uint64_t)team->active_level);
    mix(&hash, (uint64_t)team->nthreads);
    mix(&hash, (uint64_t)rt_load(th->implicit->thread_num));
    mix(&hash, (uint64_t)team->team_num);
    if (rt_root.binding) {
        for (int i = 0; i < team->nthreads; i++)
            mix(&hash, (uint64_t)team->members[i].place);
    } else {
        struct rt_cpus cpus;
        rt_cpus_of_thread(&cpus);
        for (int i = 0; i < RT_CPU_WORDS; i++)
            mix(&hash, cpus.bits[i]);
    }
    team->display = hash != shown;
    shown = hash;
}

void rt_display_affinity(struct rt_thread *th)
{
    RT_KEEP_ERRNO;
    const struct rt_team *team = th->implicit->team;
    if (team->display)
        /* Where the program's own runtime writes it: libomp on stdout, libgomp on stderr. */
        rt_affinity_print(th, NULL, team->call == RT_CALL_GOMP ? stderr : stdout);
}
