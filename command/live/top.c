/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd top`: a sample of a living process every second, on a screen or one below the other.
 */
#include "command/cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inspect/render/top.h"
#include "sampler.h"
#include "screen.h"

struct top {
    const struct cmd_args *args;
    struct sampler sampler;
    struct cf_thread_time *times; /* of the last sample, ascending by lwp */
    uint32_t time_count;
    insp_snapshot *snapshot;  /* the last; NULL none yet */
    struct top_usage *usage;  /* of it */
    struct top_sample sample; /* what is shown */
    char clock[16];
    char *missed; /* why there is no sample since; NULL there is */
    bool on_screen, help, expand;
};

static const char keys[] =
    "\nq, Ctrl-C  end\n"
    "c          the busiest threads first\n"
    "n          by number\n"
    "s          by state\n"
    "a          a row for each thread, or one for those that look the same\n"
    "space      take a sample now\n"
    "h, ?       show the keys, or no longer\n\n"
    "%CPU is the share of one processor that a thread has used since the last sample, in a row of several\n"
    "threads that of all of them together. CPU is the processor on which it ran last.\n";

static int by_lwp(const void *key, const void *element)
{
    const int64_t lwp = *(const int64_t *)key;
    const struct cf_thread_time *one = element;

    return lwp < one->lwp ? -1 : lwp > one->lwp;
}

/* What the threads have used since the last time; the times are kept for the next. */
static bool measure(struct top *top)
{
    struct cf_thread_time *now;
    const uint32_t count = cf_thread_times(top->args->pid, &now);
    struct top_usage *usage = calloc((size_t)count + 1, sizeof(*usage));
    uint64_t interval = 0;

    for (uint32_t i = 0; usage && i < count; i++) {
        const struct cf_thread_time *was =
            top->time_count ? bsearch(&now[i].lwp, top->times, top->time_count, sizeof(*top->times), by_lwp)
                            : NULL;
        const uint64_t passed = was ? now[i].at_ns - was->at_ns : 0;

        usage[i] = (struct top_usage){now[i].lwp, now[i].cpu_ns, -1, now[i].processor, now[i].state};
        /* A thread that has the number of one that has ended has used less than that. */
        if (passed && now[i].cpu_ns >= was->cpu_ns)
            usage[i].tenths =
                (int)(((double)(now[i].cpu_ns - was->cpu_ns) * 1000 + (double)passed / 2) / (double)passed);
        if (passed > interval)
            interval = passed;
    }
    free(top->times);
    free(top->usage);
    top->times = now;
    top->time_count = count;
    top->usage = usage;
    top->sample.usage = usage;
    top->sample.usage_count = usage ? count : 0;
    top->sample.interval = interval;
    return usage;
}

static char *render(struct top *top)
{
    struct insp_render_options options;
    int width, height;

    if (top->args->format == CMD_JSON)
        return top_json(&top->sample);
    cmd_render_options(top->args, &options);
    options.expand = top->expand;
    if (top->on_screen) {
        screen_size(&width, &height);
        options.width = width;
    }
    return top_text(&top->sample, &options);
}

static int show(struct top *top)
{
    char *text = render(top), *whole;

    if (!text)
        return cmd_out_of_memory();
    if (!top->on_screen) {
        const bool blank = top->sample.number > 1 && top->args->format != CMD_JSON;
        const bool good =
            printf("%s%s%s", blank ? "\n" : "", text, top->args->format == CMD_JSON ? "\n" : "") >= 0 &&
            !fflush(stdout);

        insp_string_free(text);
        if (!good)
            cmd_say("Standard output cannot be written: %s.", strerror(errno));
        return good ? CMD_ALL : CMD_NOTHING;
    }
    whole = cf_format("%s%s%s%s%s", text, top->missed ? "\nSince then there is no sample: " : "",
                      top->missed ? top->missed : "", top->missed ? "\n" : "", top->help ? keys : "");
    screen_show(whole ? whole : text);
    free(whole);
    insp_string_free(text);
    return CMD_ALL;
}

/* CMD_ALL and *ended, or a status having said why there is no sample. A later one that fails is only missed:
   the screen keeps the last. */
static int take(struct top *top, bool *ended)
{
    insp_snapshot *snapshot = NULL;
    time_t clock = time(NULL);
    struct tm parts;
    char *why = NULL;
    enum sample got;

    if (!measure(top))
        return cmd_out_of_memory();
    got = sampler_take(&top->sampler, &snapshot, &top->sample.stopped_ns, &why);
    *ended = got == SAMPLE_ENDED;
    insp_string_free(top->missed);
    top->missed = got == SAMPLE_MISSED ? why : NULL;
    if (got == SAMPLE_MISSED && !top->snapshot && !cmd_cancelled())
        return cmd_failed(why);
    if (got == SAMPLE_MISSED && !top->on_screen && !top->args->quiet && !cmd_cancelled())
        cmd_say("A sample is missing: %s", why ? why : "Out of memory.");
    if (got != SAMPLE_TAKEN)
        return CMD_ALL;
    insp_free(top->snapshot);
    top->snapshot = snapshot;
    top->sample.snapshot = snapshot;
    top->sample.number++;
    if (localtime_r(&clock, &parts) && strftime(top->clock, sizeof(top->clock), "%H:%M:%S", &parts))
        top->sample.clock = top->clock;
    return CMD_ALL;
}

/* True: the user wants to end. *now: the next sample at once. */
static bool press(struct top *top, char key, bool *now)
{
    switch (key) {
    case 'q':
    case 'Q':
        return true;
    case 'c':
        top->sample.order = TOP_BY_TIME;
        break;
    case 'n':
        top->sample.order = TOP_BY_NUMBER;
        break;
    case 's':
        top->sample.order = TOP_BY_STATE;
        break;
    case 'a':
        top->expand = !top->expand;
        break;
    case 'h':
    case '?':
        top->help = !top->help;
        break;
    case ' ':
        *now = true;
        break;
    default:
        break;
    }
    return false;
}

static double monotonic(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Until the time of the next sample; true: the user wants to end. */
static bool pass(struct top *top, double until)
{
    while (!cmd_cancelled()) {
        const double left = until - monotonic();
        const struct timespec rest = {.tv_sec = (time_t)left,
                                      .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
        bool now = false;
        char key;

        if (left <= 0)
            return false;
        if (!top->on_screen) {
            (void)nanosleep(&rest, NULL);
            continue;
        }
        switch (screen_wait(left, &key)) {
        case SCREEN_TIME:
            return false;
        case SCREEN_END:
            return true;
        case SCREEN_KEY:
            if (press(top, key, &now))
                return true;
            break;
        case SCREEN_CHANGE:
            break;
        }
        if (now)
            return false;
        if (top->snapshot && show(top))
            return true;
    }
    return true;
}

/* The first sample: what cannot be had is said on the terminal as it is. */
static int begin(struct top *top, bool *ended)
{
    const double first = top->args->every < 0.25 ? top->args->every : 0.25; /* what its usage is of */
    int rc = measure(top) ? CMD_ALL : cmd_out_of_memory();

    if (!rc && !pass(top, monotonic() + first))
        rc = take(top, ended);
    if (rc || !top->snapshot)
        return rc;
    top->on_screen = top->args->format == CMD_TEXT && !top->args->count && screen_open();
    return show(top);
}

static bool enough(const struct top *top)
{
    return top->args->count && top->sample.number >= (uint64_t)top->args->count;
}

static int go_on(struct top *top, bool *ended)
{
    double next = monotonic() + top->args->every;
    int rc = CMD_ALL;

    while (!rc && !*ended && !enough(top) && !pass(top, next)) {
        const uint64_t before = top->sample.number;

        next = monotonic() + top->args->every;
        rc = take(top, ended);
        if (!rc && !*ended && (top->on_screen || top->sample.number > before))
            rc = show(top);
    }
    return rc;
}

int cmd_top(const struct cmd_args *args)
{
    struct top top = {.args = args, .expand = args->all};
    bool ended = false;
    int rc = sampler_open(&top.sampler, args, args->sub->want);

    cmd_let_work_end(NULL);
    if (!rc)
        rc = begin(&top, &ended);
    if (!rc && top.snapshot)
        rc = go_on(&top, &ended);
    screen_close();
    if (!rc && ended && !args->quiet)
        cmd_say("Process %lld has ended.", (long long)args->pid);
    if (cmd_caught() == SIGINT)
        cmd_heeded();
    sampler_close(&top.sampler);
    insp_free(top.snapshot);
    insp_string_free(top.missed);
    free(top.times);
    free(top.usage);
    return rc;
}
