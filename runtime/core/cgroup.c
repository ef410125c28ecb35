/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * See cgroup.h.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"

int rt_first_line(char *line, size_t size, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, line, size - 1);
    close(fd);
    if (n < 0)
        return 0;
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

/** What one cgroup directory allows; 0 = no limit. */
typedef long limit_in(const char *directory);

static long processors(long quota, long period)
{
    return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

static long quota_in(const char *directory)
{
    char path[4400], line[64], second[64];
    snprintf(path, sizeof path, "%s/cpu.max", directory);
    if (rt_first_line(line, sizeof line, path)) {
        char *end;
        long quota = strtol(line, &end, 10);
        return processors(quota, strtol(end, NULL, 10)); /* "max" is 0: none */
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
    if (!rt_first_line(line, sizeof line, path))
        return 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    return rt_first_line(second, sizeof second, path)
               ? processors(strtol(line, NULL, 10), strtol(second, NULL, 10))
               : 0;
}

static long threads_in(const char *directory)
{
    char path[4400], line[64];
    snprintf(path, sizeof path, "%s/pids.max", directory);
    return rt_first_line(line, sizeof line, path) ? strtol(line, NULL, 10) : 0; /* "max" is 0: none */
}

static long smaller(long best, long limit)
{
    return limit > 0 && (best == 0 || limit < best) ? limit : best;
}

/** The smallest limit of the group and those around it, up to the mount point. */
static long limit_of(const char *root, const char *mount, const char *group, limit_in *in)
{
    char path[4352];
    long best = 0;
    int fixed = snprintf(path, sizeof path, "%s/sys/fs/cgroup%s", root, mount);
    snprintf(path + fixed, sizeof path - (size_t)fixed, "%s", strcmp(group, "/") != 0 ? group : "");
    for (;;) {
        best = smaller(best, in(path));
        char *slash = strrchr(path, '/');
        if (slash == NULL || slash < path + fixed)
            return best;
        *slash = '\0';
    }
}

/** Version 1: the mount has the names of all its controllers, or one of them. */
static long limit_of_mount(const char *root, const char *controllers, const char *group,
                           const char *controller, limit_in *in)
{
    char mount[128];
    size_t length = strlen(controller);
    long best = 0;
    for (const char *name = controllers; name != NULL; name = strchr(name, ','), name += name != NULL)
        if (strncmp(name, controller, length) == 0 && (name[length] == '\0' || name[length] == ',')) {
            snprintf(mount, sizeof mount, "/%.100s", controllers);
            best = limit_of(root, mount, group, in);
            if (best == 0 && strcmp(controllers, controller) != 0) {
                snprintf(mount, sizeof mount, "/%s", controller);
                best = limit_of(root, mount, group, in);
            }
        }
    return best;
}

static long smallest_limit(const char *root, const char *controller, limit_in *in)
{
    /*
     * In a container the path may be the host's, with the mount showing a part of it: the mount's top is read
     * as well, as limit_of goes up to it.
     */
    char path[512], line[4352];
    long best = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL)
            continue;
        controllers++;
        *group++ = '\0';
        best = smaller(best, *controllers == '\0' ? limit_of(root, "", group, in)
                                                  : limit_of_mount(root, controllers, group, controller, in));
    }
    fclose(file);
    return best;
}

int rt_cgroup_quota(const char *root)
{
    return (int)smallest_limit(root, "cpu", quota_in);
}

long rt_cgroup_threads(const char *root)
{
    return smallest_limit(root, "pids", threads_in);
}
