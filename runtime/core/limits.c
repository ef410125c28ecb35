/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * See limits.h. Nothing here is on the way of a region whose threads are there already.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroup.h"
#include "limits.h"
#include "root.h"

/* ---- the system's limits ------------------------------------------------------------------------------- */

/** Linux's PID_MAX_LIMIT for 64 bits, where /proc says nothing. */
#define MOST_PIDS (4L << 20)

static void lower(struct rt_limit *limit, long threads, const char *what)
{
    if (threads > 0 && threads < limit->threads)
        *limit = (struct rt_limit){threads, what};
}

static long number_in(const char *root, const char *file)
{
    char path[512], line[64];
    snprintf(path, sizeof path, "%s%s", root, file);
    return rt_first_line(line, sizeof line, path) ? strtol(line, NULL, 10) : 0;
}

/** Whether RLIMIT_NPROC has no effect on this process, as far as it can know (getrlimit(2)). */
static int is_beyond_nproc(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    if (getuid() == 0 || syscall(SYS_capget, &header, data) != 0)
        return 1;
    return (data[0].effective & (1U << CAP_SYS_RESOURCE | 1U << CAP_SYS_ADMIN)) != 0;
}

struct rt_limit rt_limits_read(const char *root)
{
    struct rt_limit limit = {MOST_PIDS, "Linux's number of processes"};
    struct rlimit nproc;
    lower(&limit, number_in(root, "/proc/sys/kernel/pid_max"), "kernel.pid_max");
    lower(&limit, number_in(root, "/proc/sys/kernel/threads-max"), "kernel.threads-max");
    lower(&limit, rt_cgroup_threads(root), "pids.max of the cgroup");
    if (getrlimit(RLIMIT_NPROC, &nproc) == 0 && nproc.rlim_cur < LONG_MAX && !is_beyond_nproc())
        lower(&limit, (long)nproc.rlim_cur, "RLIMIT_NPROC (ulimit -u)");
    return limit;
}

/* ---- headroom ------------------------------------------------------------------------------------------ */

/*
 * Where address space is limited (RLIMIT_AS), stacks take nearly all before one fails, and a thread that then
 * needs a slab would have to end the program.
 */
#define HEADROOM_OF_THREAD (32UL * 1024)
#define FEW_THREADS        64 /**< fewer need none: what the runtime has taken at its start serves them */

static struct {
    char *at;
    size_t bytes;
    int asked, used_up;
} headroom; /* the root's lock */

static void give_back(void)
{
    if (headroom.bytes != 0)
        munmap(headroom.at, headroom.bytes);
    headroom.bytes = 0;
}

int rt_headroom_keep(int n)
{
    rt_lock(&rt_root.lock);
    headroom.asked += n;
    int good = !headroom.used_up;
    if (good && headroom.asked > FEW_THREADS) {
        size_t bytes = (size_t)headroom.asked * HEADROOM_OF_THREAD;
        void *at = headroom.bytes != 0
                       ? mremap(headroom.at, headroom.bytes, bytes, MREMAP_MAYMOVE)
                       : mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        good = at != MAP_FAILED;
        if (good) {
            headroom.at = at;
            headroom.bytes = bytes;
        }
    }
    rt_unlock(&rt_root.lock);
    return good;
}

void rt_headroom_free(void)
{
    rt_lock(&rt_root.lock);
    give_back();
    headroom.asked = headroom.used_up = 0;
    rt_unlock(&rt_root.lock);
}

int rt_headroom_use(void)
{
    int had = headroom.bytes != 0;
    give_back();
    headroom.used_up = 1;
    return had;
}
