/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/mpi.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/code.h"

/* Functions of MPI 4.1 that can wait, in small letters and without "mpi_". In the order of strcmp. They count
   where the file says nothing; a Fortran program has names of its own that look like these. */
/* clang-format off */
static const char *const waits[] = {
    "abort", "accumulate", "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw",
    "barrier", "bcast", "bsend", "buffer_detach", "buffer_flush", "cart_create", "cart_sub", "comm_accept",
    "comm_connect", "comm_create", "comm_create_from_group", "comm_create_group", "comm_disconnect",
    "comm_dup",
    "comm_dup_with_info", "comm_free", "comm_join", "comm_spawn", "comm_spawn_multiple", "comm_split",
    "comm_split_type", "compare_and_swap", "dist_graph_create", "dist_graph_create_adjacent", "exscan",
    "fetch_and_op", "file_close", "file_open", "file_preallocate", "file_read", "file_read_all",
    "file_read_all_begin", "file_read_all_end", "file_read_at", "file_read_at_all", "file_read_at_all_begin",
    "file_read_at_all_end", "file_read_ordered", "file_read_shared", "file_seek_shared", "file_set_size",
    "file_set_view", "file_sync", "file_write", "file_write_all", "file_write_all_begin",
    "file_write_all_end", "file_write_at", "file_write_at_all", "file_write_at_all_begin",
    "file_write_at_all_end", "file_write_ordered", "file_write_shared", "finalize", "gather", "gatherv",
    "get",
    "get_accumulate", "graph_create", "improbe", "init", "init_thread", "intercomm_create", "intercomm_merge",
    "iprobe", "irecv", "isend", "mprobe", "mrecv", "neighbor_allgather", "neighbor_allgatherv",
    "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw", "probe", "put", "recv", "reduce",
    "reduce_scatter", "reduce_scatter_block", "rsend", "scan", "scatter", "scatterv", "send", "sendrecv",
    "sendrecv_replace", "session_finalize", "session_init", "ssend", "start", "startall", "test", "testall",
    "testany", "testsome", "wait", "waitall", "waitany", "waitsome", "win_allocate", "win_allocate_shared",
    "win_complete", "win_create", "win_create_dynamic", "win_fence", "win_flush", "win_flush_all",
    "win_flush_local", "win_flush_local_all", "win_free", "win_lock", "win_lock_all", "win_post", "win_start",
    "win_test", "win_unlock", "win_unlock_all", "win_wait",
};
/* clang-format on */

enum { NAME = 64, FRAMES = 64 };

static int compare(const void *key, const void *name)
{
    return strcmp(key, *(const char *const *)name);
}

/*
 * "recv" of MPI_Recv, PMPI_Recv, mpi_recv_, pmpi_recv__, MPI_RECV, mpi_recv_f08_, and of Open MPI's
 * ompi_recv_f, which has the same address as those of Fortran. False: it has no name of MPI's.
 */
static bool short_name(const char *symbol, bool in_mpi, char ret[NAME])
{
    size_t n = 0;

    if (in_mpi && !strncmp(symbol, "ompi_", 5)) {
        n = strcspn(symbol, "@");
        if (n < 8 || strncmp(symbol + n - 2, "_f", 2))
            return false;
        symbol += 5;
        n = strcspn(symbol, "@") - 2;
    } else {
        if (*symbol == 'P' || *symbol == 'p')
            symbol++;
        if (strncmp(symbol, "MPI_", 4) && strncmp(symbol, "mpi_", 4))
            return false;
        symbol += 4;
        n = strcspn(symbol, "@.");
        while (n && symbol[n - 1] == '_')
            n--;
        if (n > 4 && !strncmp(symbol + n - 4, "_f08", 4))
            n -= 4;
    }
    if (!n || n >= NAME)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!isalnum((unsigned char)symbol[i]) && symbol[i] != '_')
            return false;
        ret[i] = (char)tolower((unsigned char)symbol[i]);
    }
    ret[n] = '\0';
    return true;
}

static bool name_of(const struct mdl_frame *f, char ret[NAME])
{
    const bool in_mpi = f->code == INSP_CODE_MPI;

    return f->symbol && (in_mpi || code_is_users(f->code)) && short_name(f->symbol, in_mpi, ret) &&
           (in_mpi || bsearch(ret, waits, sizeof(waits) / sizeof(*waits), sizeof(*waits), compare));
}

bool mpi_is_function(const struct mdl_frame *f)
{
    char name[NAME];

    return name_of(f, name);
}

/*
 * The user's code within a call of MPI is a function that was given to it, and computes. Where MPI's own code
 * cannot be told from the user's, as in a static program, that cannot be seen.
 */
const char *mpi_call(const struct mdl_thread *t, struct arena *a, int *frame)
{
    bool in_mpi = false, user = false;
    char name[NAME], found[NAME] = "";

    for (int i = 0; i < t->frame_count && i < FRAMES; i++) {
        const struct mdl_frame *f = &t->frames[i];

        in_mpi |= f->code == INSP_CODE_MPI;
        if (name_of(f, name)) {
            if (user && in_mpi)
                break;
            memcpy(found, name, sizeof(found));
            *frame = i;
            user = false;
        } else if (code_is_users(f->code)) {
            if (*found)
                break;
            user = true;
        }
    }
    if (!*found)
        return NULL;
    return arena_printf(a, "MPI_%c%s", toupper((unsigned char)*found), found + 1);
}
