/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libompdinspect: one snapshot of a process' OpenMP state through any OMPD library, and its printers.
 *
 *   insp_open (once a process) -> insp_take (once a stop) -> insp_render (as often as wanted) -> insp_free ->
 *   insp_close
 *
 * A snapshot lives without its session: insp_record writes it to a file's text, insp_load makes it again.
 *
 * One thread at a time. Errors: functions that can fail return NULL or non-zero and put a malloc'ed sentence
 * for the user into *error (free it with insp_string_free); *error is NULL on success.
 */
#ifndef INSPECT_INSPECT_H
#define INSPECT_INSPECT_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the library is built with -fvisibility=hidden */

typedef struct insp_session insp_session;
typedef struct insp_snapshot insp_snapshot;

/**
 * Opens a session. `host` is copied, its ctx must live until insp_close. `libompd` is the path of the library
 * to load for runtimes that it can explain (never a path found in the target). Does not touch the target yet.
 */
insp_session *insp_open(const struct insp_host *host, const char *libompd, char **error);
void insp_close(insp_session *session);

/**
 * Call trace: from now on each call of an OMPD library, of all sessions there are and will be, is a line of
 * the file PATH, which is written anew. NULL or "": no more. The file's first lines say of which library, and
 * that one cannot (ompdx_trace in ompdx.h). Negative with *error when the file cannot be opened; the trace is
 * off then.
 */
int insp_trace(const char *path, char **error);

/**
 * Hands the OMPD library a layout that `ompd layout` has written (docs/runtimes.md), for runtimes that are
 * looked at from now on. It counts before what the library has itself. Negative with *error,
 * insp_string_free: the file cannot be read, is no layout, or is one that contradicts itself.
 */
int insp_layout_file(insp_session *session, const char *path, char **error);
/**
 * The index-th (0, 1, ...) library that looks like an OpenMP runtime and that the OMPD library could not
 * explain in the last insp_take, as it has no layout of it. Returns 1 after the last. PATH, as the host names
 * it, stays valid until the session is used again. A tool that has its file makes a layout of it, hands it
 * over by insp_layout_text, and takes another snapshot.
 */
int insp_layout_wanted(const insp_session *session, uint32_t index, uint64_t *base, const char **path);
/** As insp_layout_file, with the LENGTH bytes at TEXT, which a tool has made of the file OF. */
int insp_layout_text(insp_session *session, const char *text, size_t length, const char *of, char **error);

/** What the snapshot is to hold; more costs more reads. */
enum insp_want {
    INSP_THREADS = 1, /**< threads with region, state, wait, owner */
    INSP_REGIONS = 2,
    INSP_TASKS = 4,
    INSP_ICVS = 8,
    INSP_ALL = 15,
    INSP_STACKS = 16, /**< call stacks, by the host's `frame`: what those do who wait for nothing in OpenMP */
    /**
     * The process runs on while it is read: each thread's row may be of another moment. Then nothing is read
     * in one bracket, nothing is proved, and every view says so.
     */
    INSP_MOVING = 32,
    /** What the threads do that do not wait in OpenMP. Comes with INSP_STACKS; without, of each stack only
     * the part up to the user's code is taken. */
    INSP_ACTIVITY = 64,
    /** What is waited for in OpenMP stays without its name: finding that of a lock may take the host's types,
     * variables, and stacks of many threads. */
    INSP_UNNAMED = 128,
    /** With INSP_STACKS: the arguments and local variables of the user's frames, by the host's `local`. */
    INSP_LOCALS = 256,
    /** What each thread holds, on which processor it ran last, on which it may run, and what follows. */
    INSP_PLACEMENT = 512,
    /** Which iterations of a loop each task has. Needs threads, regions and tasks. */
    INSP_LOOPS = 1024,
    /** With INSP_ACTIVITY: the registers of what computes, which tell whether it gets on until another
     * snapshot. */
    INSP_MOTION = 2048
};
/**
 * Takes a snapshot. A process without OpenMP, or whose runtime has not started, gives a snapshot with no
 * runtimes and a `problems` sentence that says so; a runtime that cannot be read likewise. NULL only when
 * nothing at all can be said (out of memory, cancelled).
 */
insp_snapshot *insp_take(insp_session *session, unsigned want, char **error);
void insp_free(insp_snapshot *snapshot);

enum insp_view {
    INSP_VIEW_THREADS,
    INSP_VIEW_PARALLEL,
    INSP_VIEW_TASKS,
    INSP_VIEW_ICVS,
    INSP_VIEW_REPORT,
    INSP_VIEW_STATUS,
    INSP_VIEW_WAITS,  /**< the verdict, and who waits for whom */
    INSP_VIEW_STACKS, /**< needs INSP_STACKS */
    INSP_VIEW_LOOPS   /**< needs INSP_LOOPS */
};
/**
 * Every view has text and JSON. INSP_DOT: the tree of regions and tasks for the views parallel and tasks,
 * else the wait-for graph. INSP_HTML is one page with everything, INSP_FOLDED the stacks for flame graphs,
 * whatever the view.
 */
enum insp_format { INSP_TEXT, INSP_JSON, INSP_DOT, INSP_HTML, INSP_FOLDED };

struct insp_render_options {
    uint32_t size;        /**< sizeof(struct insp_render_options) */
    int32_t view, format; /**< enum insp_view, enum insp_format */
    int32_t width;        /**< columns, 0 = unlimited */
    int32_t colour;       /**< 1: SGR sequences */
    int32_t stats;        /**< status view: look-ups and reads too */
    int32_t addresses;    /**< 1: show addresses beside names */
    const char *filter;   /**< icvs: name or NULL; tasks: state name or NULL */
    const char *scope;    /**< icvs: scope word or NULL */
    int32_t expand;       /**< 1: one line for each thread; 0: equal ones share a line with a count */
    int32_t frames;       /**< stacks: 1 shows the runtime's and the system's frames too, dimmed */
    const char *svg_tree; /**< HTML: insp_svg of the tree's DOT, or NULL: the page says how to get pictures */
    const char *svg_waits; /**< HTML: the same of the wait-for graph */
    int32_t verbose;       /**< threads: 1 shows also what INSP_PLACEMENT has found */
    int32_t locals;        /**< stacks: 1 shows also what INSP_LOCALS has found */
};
/** Renders to a malloc'ed string (insp_string_free). NULL on an unknown view or out of memory, with
 * *error. */
char *insp_render(const insp_snapshot *snapshot, const struct insp_render_options *options, char **error);
void insp_string_free(char *string);

/**
 * TEXT as it may be shown on a terminal, malloc'ed (insp_string_free): '?' in place of control characters
 * (C0, DEL, C1), bidirectional controls, U+2028, U+2029 and bytes that are not UTF-8. Line ends count as
 * control characters. NULL for NULL or out of memory. insp_render, insp_verdict, insp_compare and all *error
 * sentences have passed it already; JSON has such characters as escapes. For what a host prints by itself.
 */
char *insp_printable(const char *text);

/**
 * The function that SYMBOL, the linker's name of one, is to its user, malloc'ed (insp_string_free): C++
 * without parameters ("Grid::relax", "work<int>"), Fortran as "work_mod::smooth", and for the body of a
 * construct the function that has it ("main" for "main._omp_fn.0"). NULL: the compiler's name of a body does
 * not tell whose it is (".omp_outlined..5"), so the construct has to be asked; also for NULL and out of
 * memory.
 */
char *insp_function(const char *symbol);

/**
 * Runs Graphviz (`dot -Tsvg`, found by PATH) on DOT text. Returns the picture as a malloc'ed string; NULL
 * with *error when the program is missing, fails or takes over 60 seconds. Starts a process: not for a
 * snapshot's middle.
 */
char *insp_svg(const char *dot, char **error);

enum insp_verdict_kind {
    INSP_UNKNOWN,   /**< too little is known */
    INSP_NONE,      /**< no deadlock; the sentence says what goes on */
    INSP_SUSPECTED, /**< it looks like one, and the sentence says what is not certain */
    INSP_STUCK,     /**< proved: threads wait for ever, for one that has ended or left */
    INSP_DEADLOCK   /**< proved: threads wait for ever for one another */
};
/**
 * The verdict; `ompd --check` ends with 3 for INSP_STUCK and INSP_DEADLOCK. *sentence (may be NULL) stays
 * valid as long as the snapshot.
 */
enum insp_verdict_kind insp_verdict(const insp_snapshot *snapshot, const char **sentence);
/**
 * The threads, by the host's numbers, of which a proof or suspicion says that they never go on: the first N
 * of them go to LWPS. Returns how many there are; 0 without one.
 */
int insp_stuck(const insp_snapshot *snapshot, int64_t *lwps, int n);
/**
 * AFTER is a later moment of the process of BEFORE, by MS milliseconds. A proof in AFTER about a thread that
 * has moved meanwhile is withdrawn; where its verdict was open and threads have moved, it says so: "It runs".
 * BEFORE may be NULL: the host itself has seen a thread of AFTER's proof move. AFTER is not rendered yet.
 */
void insp_judge(const insp_snapshot *before, insp_snapshot *after, int64_t ms);
/** The N threads LWPS have gone on while SNAPSHOT was taken without a stop: their rows are of no one moment,
 *  and they wait for nothing. The verdict is made anew; of the others it says what INSP_MOVING allows. */
void insp_moved(insp_snapshot *snapshot, const int64_t *lwps, int n);
/** Did insp_judge withdraw a proof? */
int insp_withdrawn(const insp_snapshot *snapshot);
/** What the exit status of a command is to say: 0 all could be shown; 1 a part, such as what the threads of a
 *  process without OpenMP do; 2 nothing. */
int insp_shown(const insp_snapshot *snapshot);

/** Which process a snapshot is of. Strings stay valid as long as the snapshot; NULL, and -1 or 0 of numbers:
 *  not known. */
struct insp_process {
    int64_t pid;            /**< 0 not known */
    const char *host;       /**< the machine's name */
    int64_t rank;           /**< among the processes of an MPI program, -1 not known */
    const char *job, *step; /**< of a batch system */
};
void insp_process(const insp_snapshot *snapshot, struct insp_process *ret);
/** What the user says of it where the process itself does not tell. */
void insp_set_rank(insp_snapshot *snapshot, int64_t rank);

/**
 * Takes out of SNAPSHOT what differs from one run of the program to the next, for text that can be compared:
 * threads are named as OpenMP numbers them ("OpenMP thread 3", of a nested team "OpenMP thread 3.1"), regions
 * and tasks are numbered by their places in the program, and there are no process or thread numbers of the
 * system, no addresses, times and numbers of pipes. It cannot be undone.
 */
void insp_stable(insp_snapshot *snapshot);

/** What the host knows to be wrong beyond the snapshot: it is shown with the rest, and not all is shown
 * then. */
void insp_add_problem(insp_snapshot *snapshot, const char *what, const char *why, const char *remedy);

/** The snapshot as JSON text (docs/snapshot-file.md), malloc'ed. NULL out of memory, with *error. */
char *insp_record(const insp_snapshot *snapshot, char **error);
/**
 * Makes a snapshot of the text that insp_record wrote; SIZE bytes, no NUL needed. The text is not trusted:
 * whatever is no such snapshot gives NULL and a sentence in *error. The graph and the verdict are made anew.
 */
insp_snapshot *insp_load(const char *text, size_t size, char **error);

/**
 * What has changed between two snapshots of one process: which threads, tasks and barriers went on, which
 * stand where they stood. INSP_TEXT or INSP_JSON; NULL with *error for others, or when the two are not of one
 * process.
 */
char *insp_compare(const insp_snapshot *before, const insp_snapshot *after,
                   const struct insp_render_options *options, char **error);

struct insp_job_options {
    uint32_t size; /**< sizeof(struct insp_job_options) */
    int32_t zoom;  /**< 1 coarse to 3 exact; 0: the finest that is short */
    int32_t width; /**< columns, 0 = unlimited */
    int32_t colour;
    int32_t tree; /**< 1: the stacks of all threads as a tree */
    int64_t rank; /**< all that is known of this rank; -1: the screen of all */
};
/**
 * Many processes on one screen: SIZE bytes of TEXT are JSON documents, one behind the other, as `ompd merge
 * --json`, insp_record and the reports have them. Returns a malloc'ed string (insp_string_free); *error
 * beside it: not all of TEXT could be used. NULL with *error: there is no process in it, or not that rank.
 */
char *insp_job_text(const char *text, size_t size, const struct insp_job_options *options, char **error);

/** A process of it. Empty texts and 0: not known. */
struct insp_job_process {
    int64_t rank, pid;
    int64_t start; /**< in ticks since the boot, as in /proc/PID/stat */
    char host[256], boot_id[64];
};
/** The process of RANK, or of -1 the one that stands for the first row of the screen. 0; negative with *error
 *  where there is none. */
int insp_job_process(const char *text, size_t size, int64_t rank, struct insp_job_process *ret, char **error);

/** How an object in memory got its name. */
enum insp_object_kind {
    INSP_OBJECT_VARIABLE, /**< a variable of static storage, or a part of one: "grid.locks[17]" */
    INSP_OBJECT_LOCAL,    /**< a variable of a function on a thread's stack */
    INSP_OBJECT_POINTED,  /**< a lock that pointers lead to from a variable: "grid->locks[17]" */
    INSP_OBJECT_SYMBOL,   /**< the linker's symbol, or symbol+offset */
    INSP_OBJECT_FILE,     /**< in a mapped file where no symbol is known: "libx.so+0x1234" */
    INSP_OBJECT_MEMORY    /**< no name; the text says where it lies: "(in the heap)" */
};
struct insp_object {
    int32_t kind;     /**< enum insp_object_kind */
    const char *text; /**< an expression of the program's own types, a symbol, or a phrase in parentheses */
    const char *function; /**< whose local or static variable it is; NULL none */
    const char *type;     /**< name of the type of what begins there; NULL not known */
    const char *file;     /**< where the variable is declared; NULL not known */
    int32_t line;
    int64_t lwp; /**< on a stack: whose; else 0 */
};
/**
 * Names what lies at ADDR, for the stop of the last insp_take: the process must not have run since. What has
 * no place of its own is named by the variables that lead to it: those of the VIEWERS' functions, the first
 * viewer's first, else those of the rest of the program. Strings are valid until the next call or insp_take.
 * Returns 1 when nothing is known of ADDR (it is not mapped), negative out of memory; *ret is untouched then.
 */
int insp_name(insp_session *session, uint64_t addr, const struct insp_viewer *viewers, uint32_t count,
              struct insp_object *ret);

/** What the host was asked since the session began or insp_reset_stats, as of the last insp_take; `reads` and
 *  `bytes` are those of the target, of a host that tells them. */
struct insp_stats {
    uint64_t lookups, reads, bytes, thread_contexts;
};
void insp_get_stats(const insp_session *session, struct insp_stats *stats);
void insp_reset_stats(insp_session *session);

/** [start, end) of the mapped runtime libraries in the target that publish their state. Returns the number
 * found, fills up to n. */
int insp_runtime_ranges(insp_session *session, uint64_t (*ranges)[2], int n);

/** How many OpenMP runtimes are mapped in the target: those of insp_runtime_ranges, which publish their
 * state, and all others. A session that knows one does not look for more until the next insp_take. */
int insp_runtimes(insp_session *session);

/** Whose code it is. */
enum insp_code {
    /** in no file; or in a static program, whose libraries are in its own file, with nothing that says of
     * which part of it */
    INSP_CODE_UNKNOWN,
    /** the program, its libraries, and libraries of the system that use OpenMP themselves */
    INSP_CODE_USER,
    INSP_CODE_OPENMP, /**< an OpenMP runtime */
    INSP_CODE_LIBC,   /**< libc, libpthread and the rest of glibc, the dynamic linker, the kernel's vdso */
    INSP_CODE_MPI,    /**< Open MPI, MPICH and their relatives */
    INSP_CODE_CXX,    /**< the C++ runtime: libstdc++, libgcc_s, libc++, libc++abi */
    INSP_CODE_SYSTEM  /**< any other library of the system or of a compiler */
};
/**
 * Whose code is at ADDR, by the file that is mapped there; the name of the function counts in static programs
 * only. For a return address ask for the byte before it: the call may be the last instruction of its
 * function. CHANGED: not 0 when files may have been mapped or unmapped since the last question; then the host
 * lists them again. Else nothing is read but, once for each file, its headers; and in a static program the
 * host is asked for the place of ADDR. Never fails: what is not known is INSP_CODE_UNKNOWN.
 */
enum insp_code insp_code_at(insp_session *session, uint64_t addr, int changed);

/** Reads exactly SIZE bytes of the process at ADDR; not 0 where one is absent. */
typedef int insp_read(void *ctx, uint64_t addr, void *buf, uint64_t size);
struct insp_frame_registers;
/**
 * Makes FRAME its caller, by the memory that READ reads with CTX: a step through a runtime whose file is
 * missing, with the unwind table in it. Of a runtime that publishes its state it goes by the frame pointer,
 * which such a runtime keeps; of others by the rules that their layout has. May be called at any time, also
 * while a function of this library reads. Returns 1, and leaves FRAME as it is, where neither leads on.
 */
int insp_caller(insp_session *session, insp_read *read, void *ctx, struct insp_frame_registers *frame);
/** [start, end) of the mapped runtimes through which insp_caller may lead. Returns the number found, fills up
 * to n. Reads of the target what tells which runtimes they are. */
int insp_frame_ranges(insp_session *session, uint64_t (*ranges)[2], int n);

/** Ids for completion: fills up to n, returns how many there are. kind: 'r' regions, 't' tasks. */
int insp_ids(const insp_snapshot *snapshot, int kind, uint64_t *ids, int n);

/** One number of the current thread's row, for $ompd_* functions: thread_num, team_size, level, region, task;
 * -1 none. */
int64_t insp_thread_value(const insp_snapshot *snapshot, int64_t lwp, const char *field);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
