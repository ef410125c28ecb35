/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Another moment of a live process. What was read of the earlier one is forgotten; the files that are open,
 * their symbols and their debug information stay.
 */
#include <stdlib.h>

#include "corefiles/frames.h"
#include "corefiles/kernel.h"
#include "corefiles/live.h"
#include "corefiles/locals.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/pages.h"
#include "corefiles/procfs.h"
#include "corefiles/regions.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/threads.h"
#include "corefiles/tls.h"

/* The modules have the names of the maps with which they were found. */
static void forget_maps(struct cf_target *t)
{
    if (!t->first_maps) {
        t->first_maps = t->maps;
        t->first_map_count = t->map_count;
    } else {
        cf_maps_free(t->maps, t->map_count);
    }
    t->maps = NULL;
    t->map_count = 0;
}

static void forget_moment(struct cf_target *t)
{
    forget_maps(t);
    cf_stacks_free(t);
    t->stacks = NULL;
    cf_frames_free(t->frames);
    t->frames = NULL;
    cf_locals_free(t->locals);
    t->locals = NULL;
    cf_regions_free(t->regions);
    t->regions = NULL;
    cf_threads_free(t->thread_index);
    t->thread_index = NULL;
    free(t->threads);
    t->threads = NULL;
    t->thread_count = 0;
    cf_pages_free(t->pages);
    t->pages = NULL;
    cf_kernel_free(t->kernel);
    t->kernel = NULL;
    t->heap_asked = t->wait_asked = 0;
    t->stop_start = t->info.stopped_ns = 0;
    t->resumed = t->nameless = false;
}

int cf_again(struct cf_target *t, char **error)
{
    *error = NULL;
    if (!t->live_pid || !t->resumed) {
        *error = cf_format("Only a living process that was let go can be looked at again.");
        return -1;
    }
    /* The number may be that of another process by now. */
    if (cf_proc_zombie(t->live_pid) || cf_proc_start(t->live_pid) != t->started)
        return CF_AGAIN_ENDED;
    forget_moment(t);
    if (cf_live_stop(t, error)) {
        t->resumed = true;
        if (*error && (cf_proc_zombie(t->live_pid) || cf_proc_start(t->live_pid) != t->started)) {
            free(*error);
            *error = NULL;
            return CF_AGAIN_ENDED;
        }
        return -1;
    }
    if (!cf_modules_same(t)) {
        cf_let_go(t);
        return CF_AGAIN_OTHER_FILES;
    }
    if (!cf_threads_sort(t)) {
        cf_let_go(t);
        *error = cf_format("Out of memory.");
        return -1;
    }
    cf_thread_handles(t);
    return 0;
}
