/* SPDX-License-Identifier: Apache-2.0 */
#include "processes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/numbers.h"

bool process_stat(pid_t pid, struct process_stat *ret)
{
    const char *state, *parent_text, *start_text;
    char path[64], text[1024];
    int64_t parent;
    uint64_t start;
    FILE *in;
    size_t n;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    in = fopen(path, "re");
    n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;
    if (in)
        fclose(in);
    text[n] = '\0';
    state = cf_stat_field(text, 3);
    parent_text = cf_stat_field(text, 4);
    start_text = cf_stat_field(text, 22);
    if (!start_text || !cf_next_signed(&parent_text, &parent) || !cf_next_number(&start_text, 10, &start))
        return false;
    *ret = (struct process_stat){.pid = pid, .parent = (pid_t)parent, .start = start, .state = *state};
    return true;
}

size_t process_all(struct process_stat **ret)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    struct process_stat one, *grown;
    size_t count = 0;

    *ret = NULL;
    while (proc && (entry = readdir(proc))) {
        const pid_t pid = cf_proc_id(entry->d_name);

        if (!pid || !process_stat(pid, &one))
            continue;
        grown = realloc(*ret, (count + 1) * sizeof(*grown));
        if (!grown)
            break;
        *ret = grown;
        grown[count++] = one;
    }
    if (proc)
        closedir(proc);
    return count;
}

static const char companion[] = "/libompcompanion.so";
/* Wheels have a hash in the name. */
static const char *const others[] = {"/libgomp.", "/libgomp-", "/libomp.", "/libomp-",
                                     "/libomp5",  "/libiomp5", NULL};
static const char *const mpi[] = {"/libmpi.", "/libmpich.", "/libmpi_", NULL};

static bool has_any(const char *line, const char *const *names)
{
    for (; *names; names++)
        if (strstr(line, *names))
            return true;
    return false;
}

static FILE *maps_of(pid_t pid)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    return fopen(path, "re");
}

enum process_libraries process_libraries(pid_t pid)
{
    enum process_libraries found = PROCESS_OTHER;
    char line[4096];
    FILE *in = maps_of(pid);

    while (in && found != PROCESS_OPENMP && fgets(line, sizeof(line), in))
        if (strstr(line, companion) || has_any(line, others))
            found = PROCESS_OPENMP;
        else if (has_any(line, mpi))
            found = PROCESS_MPI;
    if (in)
        fclose(in);
    return found;
}

char *process_other_runtime(pid_t pid)
{
    char line[4096], *found = NULL;
    FILE *in = maps_of(pid);

    while (in && !found && fgets(line, sizeof(line), in))
        if (has_any(line, others) && !strstr(line, companion) && strchr(line, '/'))
            found = strndup(strchr(line, '/'), strcspn(strchr(line, '/'), "\n"));
    if (in)
        fclose(in);
    return found;
}
