/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd profile`: samples of a living process for some seconds, and what they add up to.
 */
#include "inspect/profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command/cmd.h"
#include "sampler.h"

struct recording {
    const struct cmd_args *args;
    struct sampler sampler;
    struct profile *profile;
    insp_snapshot *last; /* says whose it is */
    double start;        /* CLOCK_MONOTONIC, seconds */
    double shown;        /* when progress was told */
    uint64_t random;
    char *why; /* why a sample is missing, of the last that is; NULL none */
    bool ended;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* At least 0, less than 1 (xorshift64). A program that does the same every 100 ms must not be met at the same
   place again and again: each sample comes at a random moment of its part of the time. */
static double part(struct recording *r)
{
    r->random ^= r->random << 13;
    r->random ^= r->random >> 7;
    r->random ^= r->random << 17;
    return (double)(r->random >> 11) / (double)(UINT64_C(1) << 53);
}

static void tell(struct recording *r)
{
    const struct profile_totals totals = profile_totals(r->profile);
    const double at = now();

    if (r->args->quiet || at - r->shown < 0.5 || !isatty(STDERR_FILENO))
        return;
    r->shown = at;
    cmd_progress_line("profiling: %.0f of %.0f s, %" PRIu64 " samples, %" PRIu64 " lost; Ctrl-C ends it",
                      at - r->start, r->args->for_, totals.samples, totals.lost);
}

/* False: the user wants to end. */
static bool pass(struct recording *r, double until)
{
    const double most = 0.2; /* a look at what the user wants now and then */
    double left;

    while (!cmd_cancelled() && (left = until - now()) > 0) {
        struct timespec rest = {0};

        tell(r);
        left = left < most ? left : most;
        rest.tv_nsec = (long)(left * 1e9);
        (void)nanosleep(&rest, NULL);
    }
    return !cmd_cancelled();
}

/* CMD_ALL, or a status having said why nothing can be had at all. COUNTS: not for the first look, which opens
   the files and takes longer than any other. */
static int take(struct recording *r, bool counts)
{
    insp_snapshot *snapshot = NULL;
    uint64_t stopped = 0;
    char *why = NULL;
    enum sample got = sampler_take(&r->sampler, &snapshot, &stopped, &why);

    if (got == SAMPLE_TAKEN) {
        insp_free(r->last);
        r->last = snapshot;
        if (!counts) {
            profile_stands(r->profile, stopped);
            return CMD_ALL;
        }
        return profile_add(r->profile, snapshot, stopped) ? CMD_ALL : cmd_out_of_memory();
    }
    r->ended = got == SAMPLE_ENDED;
    if (got == SAMPLE_MISSED) {
        insp_string_free(r->why);
        r->why = why;
    }
    if (got == SAMPLE_MISSED && !r->last && !cmd_cancelled())
        return cmd_failed(why);
    if (got == SAMPLE_MISSED && !cmd_cancelled())
        profile_lose(r->profile, 1);
    return CMD_ALL;
}

/* One sample in each part of the time; parts that are over before one could be taken are lost. */
static int record(struct recording *r)
{
    const double step = 1 / r->args->rate;
    double part_start = 0;
    int rc = take(r, false);

    r->start = r->shown = now();
    while (!rc && !r->ended && part_start < r->args->for_) {
        const double at = part_start + part(r) * step;

        if (now() - r->start > part_start + step) {
            const double end = now() - r->start < r->args->for_ ? now() - r->start : r->args->for_;
            const uint64_t over = (uint64_t)((end - part_start) / step);

            profile_lose(r->profile, over ? over : 1);
            part_start += (double)(over ? over : 1) * step;
            continue;
        }
        if (at >= r->args->for_ || !pass(r, r->start + at))
            break;
        rc = take(r, true);
        part_start += step;
        profile_lasts(r->profile, now() - r->start);
    }
    if (!rc && !r->ended && !cmd_cancelled())
        (void)pass(r, r->start + r->args->for_);
    profile_lasts(r->profile, now() - r->start);
    return rc;
}

static char *render(const struct recording *r)
{
    const bool per_thread = r->args->per_thread;
    struct insp_render_options options;

    cmd_render_options(r->args, &options);
    switch (r->args->format) {
    case CMD_FOLDED:
        return profile_folded(r->profile, per_thread);
    case CMD_SPEEDSCOPE:
        return profile_speedscope(r->profile, "ompd " CMD_VERSION);
    default:
        return profile_text(r->profile, per_thread, options.width);
    }
}

/* What there is, however it came to its end. */
static int write_it(struct recording *r)
{
    char *text = render(r), *summary = profile_summary(r->profile);
    int rc = text && summary ? cmd_write_process(r->args, r->last, text) : cmd_out_of_memory();

    if (!rc && !r->args->quiet && r->ended)
        cmd_say("Process %" PRId64 " has ended.", r->args->pid);
    if (!rc && r->args->verbose && r->why)
        cmd_say("The last sample that is missing: %s", r->why);
    /* The text has it in its first line. */
    if (!rc && !r->args->quiet && (r->args->output || r->args->format != CMD_TEXT))
        cmd_say("%s", summary);
    insp_string_free(text);
    insp_string_free(summary);
    return rc;
}

/* It is said before the time is spent, not after. */
static int check_folder(const char *output)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    char *folder;
    bool good;

    if (!output || !strcmp(output, "-") || !access(output, W_OK))
        return CMD_ALL;
    folder = !slash ? strdup(".") : strndup(output, slash == output ? 1 : (size_t)(slash - output));
    if (!folder)
        return cmd_out_of_memory();
    /* What stands for something of the process is not known yet. */
    good = strchr(folder, '%') || !access(folder, W_OK | X_OK);
    if (!good)
        cmd_say("%s cannot be written: %s.", output, strerror(errno));
    free(folder);
    return good ? CMD_ALL : CMD_NOTHING;
}

int cmd_profile(const struct cmd_args *args)
{
    struct recording r = {.args = args, .random = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid() ^ 1};
    int rc = cmd_check_output(args);

    if (!rc)
        rc = check_folder(args->output);
    if (rc)
        return rc;
    rc = sampler_open(&r.sampler, args, args->sub->want);
    cmd_let_work_end(NULL);
    r.profile = profile_new(args->rate);
    if (!rc && !r.profile)
        rc = cmd_out_of_memory();
    if (!rc)
        rc = record(&r);
    cmd_progress_end();
    if (!rc && !profile_totals(r.profile).samples) {
        cmd_say(r.ended ? "Process %" PRId64 " has ended, and no sample was taken."
                        : "No sample of process %" PRId64 " was taken.",
                args->pid);
        rc = CMD_NOTHING;
    }
    if (r.last && profile_totals(r.profile).samples) {
        const int written = write_it(&r);

        rc = rc ? rc : written;
    }
    if (cmd_caught() == SIGINT)
        cmd_heeded();
    sampler_close(&r.sampler);
    insp_free(r.last);
    insp_string_free(r.why);
    profile_free(r.profile);
    return rc;
}
