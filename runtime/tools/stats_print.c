/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Statistics: the text. One block for each run, appended to the file in one piece, so that several processes
 * may write to the same file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../core/env.h"
#include "stats.h"

void stats_sample(struct stats_samples *samples, double value)
{
    if (samples->count == 0 || value < samples->min)
        samples->min = value;
    if (samples->count == 0 || value > samples->max)
        samples->max = value;
    samples->count++;
    samples->sum += value;
    samples->squares += value * value;
}

static const char *const counter_names[] = {
#define C(name, text) text,
    STATS_COUNTERS(C)
#undef C
};
static const char *const timer_names[] = {
#define T(name, text) text,
    STATS_TIMERS(T)
#undef T
};

/** By Newton's method: the runtime needs nothing but libc. */
static double square_root(double x)
{
    double root = x > 1 ? x : 1;
    for (double before = 0; x > 0 && root != before;) {
        before = root;
        root = (root + x / root) / 2;
        if (root >= before)
            return before;
    }
    return x > 0 ? root : 0;
}

static double deviation(const struct stats_samples *samples)
{
    double mean = samples->sum / (double)samples->count;
    return square_root(samples->squares / (double)samples->count - mean * mean);
}

/** A number with three digits behind the point and the prefix of its unit. */
static void print_number(FILE *out, double value, const char *unit)
{
    static const struct {
        double scale;
        const char *prefix;
    } scales[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
    char text[32];
    unsigned i = 0;
    while (value != 0 && value < scales[i].scale && i + 1 < sizeof scales / sizeof *scales)
        i++;
    if (value == 0)
        i = 3;
    snprintf(text, sizeof text, "%.3f%s%s", value / scales[i].scale, scales[i].prefix, unit);
    fprintf(out, ", %11s", text);
}

static void print_samples(FILE *out, const char *name, const struct stats_samples *samples, const char *unit)
{
    const double columns[] = {samples->min, samples->sum / (double)samples->count, samples->max, samples->sum,
                              deviation(samples)};
    fprintf(out, "%-24s, %11llu", name, (unsigned long long)samples->count);
    for (unsigned i = 0; i < sizeof columns / sizeof *columns; i++)
        print_number(out, columns[i], unit);
    fputc('\n', out);
}

static void print_head(FILE *out, const char *what, const char *count)
{
    fprintf(out, "%-24s, %11s, %11s, %11s, %11s, %11s, %11s\n", what, count, "Min", "Mean", "Max", "Total",
            "SD");
}

static void print_timers(FILE *out, const struct stats_samples *timers)
{
    print_head(out, "Timer", "SampleCount");
    for (int i = 0; i < STATS_TIMERS_END; i++)
        if (timers[i].count > 0)
            print_samples(out, timer_names[i], &timers[i], "s");
}

static void print_thread(FILE *out, const struct rt_stats *stats)
{
    fprintf(out, "Thread %d\n", stats->gtid);
    print_timers(out, stats->timers);
    fprintf(out, "%-24s, %11s\n", "Counter", "Count");
    for (int i = 0; i < STATS_COUNTERS_END; i++)
        if (stats->counters[i] > 0)
            fprintf(out, "%-24s, %11llu\n", counter_names[i], (unsigned long long)stats->counters[i]);
    fputc('\n', out);
}

static void merge(struct stats_samples *all, const struct stats_samples *samples)
{
    if (samples->count == 0)
        return;
    if (all->count == 0 || samples->min < all->min)
        all->min = samples->min;
    if (all->count == 0 || samples->max > all->max)
        all->max = samples->max;
    all->count += samples->count;
    all->sum += samples->sum;
    all->squares += samples->squares;
}

static void print_all(FILE *out, struct rt_stats *threads)
{
    struct stats_samples timers[STATS_TIMERS_END] = {{0}}, counters[STATS_COUNTERS_END] = {{0}};
    fprintf(out, "Statistics on exit\n");
    for (struct rt_stats *stats = threads; stats != NULL; stats = stats->next) {
        rt_lock(&stats->lock);
        if (rt_env.stats_threads)
            print_thread(out, stats);
        for (int i = 0; i < STATS_TIMERS_END; i++)
            merge(&timers[i], &stats->timers[i]);
        for (int i = 0; i < STATS_COUNTERS_END; i++)
            if (stats->counters[i] > 0)
                stats_sample(&counters[i], (double)stats->counters[i]);
        rt_unlock(&stats->lock);
    }
    fprintf(out, "Aggregate for all threads\n");
    print_timers(out, timers);
    print_head(out, "Counter", "ThreadCount");
    for (int i = 0; i < STATS_COUNTERS_END; i++)
        if (counters[i].count > 0)
            print_samples(out, counter_names[i], &counters[i], "");
    fputc('\n', out);
}

static void write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno != EINTR) {
            rt_env_warn("the statistics were not written: %s", strerror(errno));
            return;
        }
        if (n > 0) {
            text += n;
            size -= (size_t)n;
        }
    }
}

void stats_print(struct rt_stats *threads)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        rt_env_warn("no memory for the text of the statistics");
        return;
    }
    print_all(out, threads);
    fclose(out);
    int fd = rt_env.stats_file == NULL
                 ? STDERR_FILENO
                 : open(rt_env.stats_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        rt_env_warn("KMP_STATS_FILE='%.200s': %s; the statistics go to stderr", rt_env.stats_file,
                    strerror(errno));
        fd = STDERR_FILENO;
    }
    write_all(fd, text, size);
    if (fd != STDERR_FILENO)
        close(fd);
    free(text);
}
