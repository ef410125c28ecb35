/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A debugger in C without GDB that asks a libompd.so everything and compares with what the program knows of
 * itself.
 *
 * One program under ptrace at a time (child.c), with its truth (truth.c, test-targets/truth.h); the callbacks
 * (callbacks.c, symbols.c) also watch the library; each check_*.c asks about one subject. Every CHECK is
 * counted.
 */
#ifndef CONF_H
#define CONF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "omp-tools.h"
#include "ompdx.h"

/* ---- counting (conf.c) --------------------------------------------------------------------------------- */

struct tally {
    unsigned long assertions, failures, calls;
    unsigned icvs; /* values compared with omp_get_* routines */
};
extern struct tally tally;
/**
 * Only what a program knows of itself is asked: the library is an old one, whose codes have since become
 * stricter.
 */
extern bool truth_only;

/** Counts one assertion; a false one prints the target, the version of the API and the sentence. */
bool check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** RC is WANTED. */
bool check_rc(ompd_rc_t rc, ompd_rc_t wanted, const char *what);
const char *rc_name(ompd_rc_t rc);
/** What stands before each failure. */
void set_title(const char *target, long version);

/* ---- the library (library.c) --------------------------------------------------------------------------- */

/** What a library exports; a member is NULL when it lacks the function. */
struct api {
#define X(name) __typeof__(name) *name;
#include "ompd/tests/api_list.def"
#undef X
};
extern struct api api;

enum {
#define X(name) FN_##name,
#include "ompd/tests/api_list.def"
#undef X
    FUNCTIONS
};
extern struct function {
    const char *name;
    bool standard; /* of the specification, not ompdx_ */
    unsigned long calls;
    unsigned codes; /* bit n: ompd_rc_t n was returned */
} functions[FUNCTIONS];

/** Is it there? */
#define HAS(fn) (api.fn != NULL)
/** Calls the function, which must be there, and keeps account of it. */
#define CALL(fn, ...) account(FN_##fn, (enter_library(), api.fn(__VA_ARGS__)))
void enter_library(void);
ompd_rc_t account(int function, ompd_rc_t rc);

/** Loads the library. False: it says why on stderr. */
bool load_library(const char *path);
/** All the functions of the specification are there, unless the library may lack some. */
void check_exports(bool may_lack);
/** What comes before ompd_initialize and how that refuses; then initialises for VERSION. */
void check_initialize(ompd_word_t version);
void check_finalize(void);
/** The version that the library is initialised for. */
extern ompd_word_t version;
#define VERSION_50 201811
#define VERSION_51 202011
#define VERSION_52 202111
#define VERSION_60 202411
/** RC as VERSION knows it: incompatible_handle came with 6.0, incomplete and callback_error with 5.1. */
ompd_rc_t in_version(ompd_rc_t rc);

/* ---- the library's trace (check_trace.c, trace.c, callbacks.c) ----------------------------------------- */

/** Switches the trace on and off; between, each call's line is compared with the callbacks that it made. */
void check_trace_on(void);
void check_trace_off(void);
extern bool trace_watched;    /**< between the two */
extern char trace_last[2048]; /**< the last line */
extern unsigned long trace_lines;
/** Before and after a call. */
void trace_before(void);
void trace_after(const char *function, ompd_rc_t rc);

/* ---- the program (child.c) ----------------------------------------------------------------------------- */

struct child_thread {
    pid_t tid;
    bool stopped;
};
struct child {
    pid_t pid;
    int out, in; /* its standard output and input */
    bool ended;
    struct child_thread *threads;
    int thread_count, room;
    char *text; /* what it wrote */
    size_t length;
};

/**
 * Starts ARGV (ENV: NAME, VALUE, ..., NULL) under ptrace and lets it run until its output has a line that
 * begins with MARK or it is about to die by a signal, then stops all its threads. False: it ended before.
 */
bool child_start(struct child *child, char *const *argv, const char *const *env, const char *mark,
                 bool until_signal);
/** All threads run until a further line that begins with MARK, then stop. */
bool child_resume(struct child *child, const char *mark);
/** Ends the process; its id stays taken until child_forget. */
void child_end(struct child *child);
void child_forget(struct child *child);
bool child_read(const struct child *child, uint64_t address, void *buffer, size_t bytes);

/* ---- the callbacks (callbacks.c, symbols.c) ------------------------------------------------------------ */

/** The process' context, which the library hands to each callback. */
struct _ompd_aspace_cont {
    uint32_t mark;
    struct child *child;
};
struct _ompd_thread_cont {
    pid_t tid;
};

const ompd_callbacks_t *callbacks(void);
/** Blocks that the library has and those that the tool has freed through give_back. */
long blocks_in_use(void);
/** The tool frees a result that became its own. */
void give_back(const void *block);
/** What the callbacks found wrong with the library since the last time, as checks. */
void check_behaviour(void);
/** Calls of the library in progress: callbacks come only in them. */
extern int inside;
extern struct callback_counts {
    unsigned long alloc, free, print, sizes, symbol, read, string, convert, thread;
} callback_counts;
/** All of them together, but not the lines of the trace. */
unsigned long callbacks_made(void);

/** Address of a symbol of any file that the process has mapped. */
bool symbol_find(const struct child *child, const char *name, uint64_t *ret);
void symbols_forget(void);

/* ---- the truth (truth.c) ------------------------------------------------------------------------------- */

#define TRUTH_LEVELS 8
#define TRUTH_ICVS   24
struct truth_thread {
    int64_t tid;
    uint64_t pthread;
    bool openmp, idle, task_explicit, in_final;
    const char *state; /* NULL: any */
    int thread_num, team_size, level, active_level, region;
    int ancestors[TRUTH_LEVELS][2];
    const char *wait_kind;
    uint64_t wait_id;
    int64_t owner_tid; /* 0 none */
    bool owner_ended;
    const int64_t *arrived; /* of a barrier */
    int arrived_count;
    struct {
        const char *name;
        int64_t value;
    } icvs[TRUTH_ICVS];
    int icv_count;
};
struct truth_region {
    int level, team_size, member_count;
    int64_t *members; /* tids, 0 unknown */
};
struct truth {
    struct truth_thread *threads;
    int thread_count;
    struct truth_region *regions;
    int region_count;
    int64_t not_openmp[64];
    int other_count;
    int explicit_total, running, ready, blocked, suspended, completing; /* -1 unknown */
    void *document;
};
bool truth_parse(const char *line, struct truth *truth);
void truth_free(struct truth *truth);

/* ---- the checks ---------------------------------------------------------------------------------------- */

/** A program that stands still, and the handle of its address space. */
struct scene {
    struct child *child;
    const struct truth *truth;
    ompd_address_space_context_t context;
    ompd_address_space_handle_t *space;
};

/** Opens the process: also with wrong arguments. False: no handle. */
bool check_process(struct scene *scene);
void check_states(const struct scene *scene);  /* the list of states */
void check_threads(const struct scene *scene); /* threads by each id, their states and waits, their order */
void check_regions(const struct scene *scene); /* chains of regions, their members */
void check_tasks(const struct scene *scene);   /* chains of tasks, all tasks */
void check_icvs(const struct scene *scene);
void check_display(const struct scene *scene);
void check_arguments(const struct scene *scene); /* NULL, another sort, released handles */
void check_ended(struct scene *scene);           /* the program runs to its end; all handles are stale */
/** A program that goes from region to region: handles to what ended, brackets. */
void check_walk(const char *program);

/* Helpers for them. */
/** The handle of a thread, by its pthread_t. NULL: a check failed. */
ompd_thread_handle_t *thread_of(const struct scene *scene, const struct truth_thread *thread);
/** A state's name as the truth spells it ("wait_lock"); NULL: none has the number. */
const char *state_name(ompd_word_t state);
/**
 * Value of an ICV by its name, on the handle that its scope asks for. False: the library does not list it.
 */
bool icv_by_name(const struct scene *scene, const char *name, void *parallel, void *task, void *thread,
                 int64_t *ret);

#endif
