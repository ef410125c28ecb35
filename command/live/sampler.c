/* SPDX-License-Identifier: Apache-2.0 */
#include "sampler.h"

#include <dlfcn.h>
#include <stdlib.h>

int sampler_open(struct sampler *s, const struct cmd_args *args, unsigned want)
{
    char *error = NULL;
    int rc = cmd_check_named(args);

    *s = (struct sampler){.args = *args, .want = want};
    s->args.quiet = true;
    s->args.verbose = false;
    if (!rc)
        rc = cmd_find_library(args, &s->library);
    if (!rc && args->trace && insp_trace(args->trace, &error)) {
        rc = cmd_failed(error);
        insp_string_free(error);
    }
    /* The process shall not stand still for that. */
    s->loaded = rc ? NULL : dlopen(s->library, RTLD_NOW | RTLD_LOCAL);
    return rc;
}

static void forget_target(struct sampler *s)
{
    if (s->session)
        insp_close(s->session);
    cf_close(s->target);
    s->session = NULL;
    s->target = NULL;
}

void sampler_close(struct sampler *s)
{
    forget_target(s);
    if (s->loaded)
        dlclose(s->loaded);
    free(s->library);
}

/* Nothing but what its parent has not asked for yet may be left of it. */
static bool has_ended(int64_t pid)
{
    struct cf_thread_time *threads;
    uint32_t count = cf_thread_times(pid, &threads);
    bool ended = true;

    for (uint32_t i = 0; i < count; i++)
        ended &= threads[i].state == 'Z' || threads[i].state == 'X';
    free(threads);
    return ended;
}

static enum sample open_target(struct sampler *s, char **why)
{
    struct insp_host host;

    if (cmd_open_target(&s->args, &s->target, why)) {
        s->target = NULL;
        return SAMPLE_MISSED;
    }
    cf_host(s->target, &host);
    s->session = insp_open(&host, s->library, why);
    if (s->session)
        cmd_rows_give(s->session);
    if (s->session && (!s->args.layout || !insp_layout_file(s->session, s->args.layout, why))) {
        s->fresh = true;
        return SAMPLE_TAKEN;
    }
    forget_target(s);
    return SAMPLE_MISSED;
}

/* Stops the process, or opens what is to be read of one that runs. */
static enum sample look(struct sampler *s, char **why)
{
    if (s->target) {
        switch (cf_again(s->target, why)) {
        case 0:
            return SAMPLE_TAKEN;
        case CF_AGAIN_ENDED:
            return SAMPLE_ENDED;
        case CF_AGAIN_OTHER_FILES:
            forget_target(s);
            break;
        default:
            return SAMPLE_MISSED;
        }
    }
    return open_target(s, why);
}

enum sample sampler_take(struct sampler *s, insp_snapshot **ret, uint64_t *stopped_ns, char **why)
{
    insp_snapshot *snapshot = NULL;
    struct cf_info info;
    bool again = true;

    *why = NULL;
    cmd_limit_processor(&s->args, CMD_CPU_DEFAULT);
    while (again) {
        enum sample got = look(s, why);

        if (got != SAMPLE_TAKEN) {
            const bool ended = got == SAMPLE_ENDED || (s->begun && has_ended(s->args.pid));

            if (ended)
                insp_string_free(*why);
            return ended ? SAMPLE_ENDED : got;
        }
        snapshot = cf_take(s->target, s->session, s->want, why);
        cf_resume(s->target);
        again = snapshot && s->fresh && !s->args.layout && cmd_rows_make(&s->args, s->target, s->session);
        if (again) {
            insp_free(snapshot);
            forget_target(s);
        }
    }
    s->fresh = false;
    if (!snapshot)
        return SAMPLE_MISSED;
    s->begun = true;
    cmd_rows_tell(s->session, snapshot);
    cmd_add_problems(s->target, snapshot);
    cf_info(s->target, &info);
    *stopped_ns = info.stopped_ns;
    *ret = snapshot;
    return SAMPLE_TAKEN;
}
