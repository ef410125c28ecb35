/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The host without a debugger: a core file or a live process, as inspect/host.h wants it, with stacks and
 * names.
 *
 *   cf_open_core | cf_open_process -> cf_host (for insp_open) -> cf_take (or cf_resume)
 *   -> cf_stack, cf_problem -> cf_close
 *
 * One thread at a time, and a live target always from the thread that opened it (ptrace belongs to a thread).
 * Nothing here runs or writes the target, loads code that it names, or opens what it names except read-only
 * and as a regular file. Strings that a function returns stay valid until the next call of the same function
 * unless it says otherwise.
 */
#ifndef COREFILES_COREFILES_H
#define COREFILES_COREFILES_H

#include "inspect/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CF_WARN_UNUSED __attribute__((warn_unused_result))

struct cf_target;
struct insp_session;
struct insp_snapshot;

/**
 * Files that several processes have open together, each of which looks at a target of its own: every function
 * may be asked by one thread of each. A file has a key, some bytes. docs/jobs.md.
 */
struct cf_shared_files {
    /**
     * What KEY stands for. Returns 0: *fd, the caller's to close, or -1 and *error, the errno of its opening.
     * 1: the caller is the first, has to find out, and calls give before it asks again; until then the others
     * wait. Negative: nothing is shared, the caller helps itself. ROOM: bytes of memory that the file takes.
     */
    int (*get)(void *arg, const void *key, size_t size, uint64_t room, int *fd, int *error);
    /** After 1: the file, which stays the caller's; or -1 and ERROR, 0 if others shall help themselves. */
    void (*give)(void *arg, int fd, int error);
    void *arg;
};

/** What the user said about where things are. Zero it, set size, then what is known. */
struct cf_options {
    uint32_t size;   /**< sizeof(struct cf_options) */
    int32_t no_stop; /**< live: read the running process; threads have no registers and no stacks then */
    const char *executable; /**< -e: the program of the core; NULL: the core's own name for it */
    const char *sysroot;    /**< directory under which the target's paths are looked for; NULL: none */
    const char *
        /** colon-separated, searched for .build-id links and debug files before the system's; NULL */
        debug_dirs;
    uint32_t elements; /**< of local variables: how many of an array or structure are shown; 0: some */
    /** NULL; or what is told of each frame in place of its variables, as cf_check_expression has it: the only
     *  "local" is then the expression's value, of depth -1 where its variable is static and of the frame's
     *  source file; there is none in frames where it means nothing. */
    const char *expression;
    /** Long work, as in struct insp_host: non-zero cancels. May be NULL. */
    int (*progress)(void *arg, const char *what, uint64_t done, uint64_t total);
    /** A message of libompd's. May be NULL. */
    void (*print)(void *arg, const char *text);
    void *arg; /**< for the two */
    /** Ends the process: libdw has no memory and does not return. NULL: it ends with a line of its own. */
    void (*no_memory)(void) __attribute__((noreturn));
    const struct cf_shared_files *files; /**< NULL: nobody else looks at such a target */
    uint64_t file_room;                  /**< the most bytes of one file that is unpacked in memory; 0: any */
};

/**
 * Opens a core: an ELF core of the kernel or of gcore, also compressed by zstd or lz4, also truncated; or
 * "coredumpctl:PID". Returns 0 and the target, or negative with a malloc'ed sentence for the user in *error.
 */
int cf_open_core(const char *path, const struct cf_options *options, struct cf_target **ret,
                 char **error) CF_WARN_UNUSED;
/**
 * Opens a live process and, unless no_stop is set, stops all its threads until cf_resume. The same returns;
 * the sentence for a missing permission says what to do.
 */
int cf_open_process(int64_t pid, const struct cf_options *options, struct cf_target **ret,
                    char **error) CF_WARN_UNUSED;
/**
 * Lets a live process go on; without effect on others. Before that it copies the threads' stacks, so
 * cf_stack and inspect's names answer from the moment of the stop. Memory that was read before can be read
 * again, as it was then; other memory cannot.
 */
void cf_resume(struct cf_target *target);
/**
 * The next moment of a live process that has been let go: it is stopped again, unless no_stop is set. Files
 * that were opened, their symbols and their debug information stay; an insp_session on the target goes on.
 * Returns 0; one of the two below, *error NULL then; or negative with a malloc'ed sentence.
 */
enum {
    CF_AGAIN_OTHER_FILES = 1, /**< it has mapped other files since: close the target, open it anew */
    CF_AGAIN_ENDED = 2,       /**< the process has ended */
};
int cf_again(struct cf_target *target, char **error) CF_WARN_UNUSED;
/**
 * Of a live process that goes on: do the N threads LWPS still sleep in the calls in which the stop has
 * found them? It is not stopped; up to half a second. 1: they do, and have not been awake for 20 ms; 0: one
 * has left its call; negative: that cannot be said so, as one did not sleep, or has not come to rest.
 */
int cf_still_asleep(struct cf_target *target, const int64_t *lwps, int n) CF_WARN_UNUSED;
/** Also resumes. NULL is allowed. */
void cf_close(struct cf_target *target);

/**
 * insp_take for this target, and cf_resume as soon as its memory has been read, before anything is named: the
 * process stands still for a few milliseconds. SESSION has the target for its host. With no_stop the snapshot
 * is INSP_MOVING. With INSP_UNNAMED and without stacks a live process is read once, and nothing at all is
 * named.
 */
struct insp_snapshot *cf_take(struct cf_target *target, struct insp_session *session, unsigned want,
                              char **error) CF_WARN_UNUSED;

/** Fills the host for insp_open; its ctx is the target, which must live until insp_close. */
void cf_host(struct cf_target *target, struct insp_host *ret);

/** What is known of the process as a whole. Strings live as long as the target; NULL unknown. */
struct cf_info {
    int64_t pid;      /**< the host's number; in a core: the target's own */
    int64_t parent;   /**< of a core: the process from which it was forked; 0 unknown */
    int32_t forked;   /**< of a core: 1 it was forked and has begun no program since, -1 not so, 0 unknown */
    const char *exe;  /**< path of the executable as the target names it */
    const char *core; /**< path of the core as the user named it; NULL live */
    const char *command;  /**< command line or its beginning, as the kernel noted it */
    const char *machine;  /**< "x86-64", "aarch64" */
    int32_t signal;       /**< that ended it; 0 none (gcore, live) */
    int32_t signal_known; /**< 1: the core says more of it than its number */
    int32_t signal_code;  /**< si_code of it */
    uint64_t signal_addr; /**< si_addr, meaningful for SIGSEGV, SIGBUS, SIGILL, SIGFPE */
    int64_t crashed_lwp;  /**< the thread that took the signal; 0 none */
    int32_t truncated;    /**< 1: the core's file ends before its contents do */
    int32_t moving;       /**< 1: read without stopping (no_stop): no moment in time, nothing is proved */
    uint64_t stopped_ns;  /**< how long the live process stood still; 0 until it was resumed */
};
void cf_info(const struct cf_target *target, struct cf_info *ret);

/** Can TEXT be cf_options.expression? 0; or negative, and *why says why not: "it is too long". */
int cf_check_expression(const char *text, const char **why) CF_WARN_UNUSED;

/** Processor time of a thread of a live process. */
struct cf_thread_time {
    int64_t lwp;
    uint64_t cpu_ns; /**< that it has used; to the nanosecond where the kernel counts so, else to its tick */
    uint64_t at_ns;  /**< CLOCK_MONOTONIC, when that was read */
    int32_t processor; /**< where it ran last, -1 not known */
    char state;        /**< as struct insp_kernel has it */
};
/** Those of all threads of PID, ascending by lwp, from /proc and without a stop. *ret is malloc'ed, for free;
 *  returns how many: 0 when it has ended or may not be asked, and out of memory. */
uint32_t cf_thread_times(int64_t pid, struct cf_thread_time **ret);

/** Something that is not as it should be, in the words of the report's "problems". */
struct cf_problem {
    const char *what;   /**< "The file /usr/bin/app is not the one of this core." */
    const char *why;    /**< "Its build-id is 12..., the core's is 34..." */
    const char *remedy; /**< "Name the right one with --executable, --sysroot or --debug-dir." */
};
/**
 * The index-th problem (0, 1, ...) found until now: files are looked for when a name, a stack or a page needs
 * them. Returns 1 after the last. Strings live as long as the target.
 */
int cf_problem(const struct cf_target *target, uint32_t index, struct cf_problem *ret);

/** A file mapped into the process, and the file that serves for it here. Strings live as long as the
 * target. */
struct cf_module {
    uint64_t base, end;   /**< its mappings */
    const char *path;     /**< as the target names it */
    const char *file;     /**< what is read for it; NULL: not found, not the same, or not looked for */
    const char *build_id; /**< hexadecimal, as found in the target's memory; NULL unknown */
    int32_t looked_for;   /**< 0: no answer has needed its file yet */
};
/** The index-th module. Returns 1 after the last. */
int cf_module(const struct cf_target *target, uint32_t index, struct cf_module *ret);

struct debuginfo;
/**
 * What serves for the module at BASE: its file, open, for close(), and its debug information, which may be a
 * file of its own and stays the target's; *info is NULL if there is none. Returns 1 if there is no file, or
 * one of which it could not be checked that it is the same.
 */
int cf_module_contents(struct cf_target *target, uint64_t base, int *fd,
                       struct debuginfo **info) CF_WARN_UNUSED;

/** One line of a call stack. Absent parts: NULL, 0. */
struct cf_frame {
    uint64_t pc;          /**< the address executed next in this frame; the same for inlined ones */
    uint64_t cfa;         /**< stack pointer of the caller at the call; 0 unknown */
    const char *function; /**< for people, as insp_function has it; else the symbol */
    const char *symbol;   /**< the linker's name, as insp_place has it */
    uint64_t offset;      /**< of pc from the symbol */
    const char *file;     /**< source file of the line table */
    int32_t line;         /**< of the call, or of pc in the innermost frame */
    int32_t inlined;      /**< 1: inlined into the next frame */
    const char *declared; /**< source file in which the debug information has the function */
    const char *module;   /**< path as the target names it */
    uint64_t module_base; /**< of its ELF header; 0 unknown */
};
/**
 * Calls EACH for the frames of thread LWP, innermost first, at most MAX (0: no limit), until it returns
 * non-zero. Returns 0 when the stack was shown to its end or EACH or MAX ended it, 1 when it breaks off (*why
 * says where and why), negative when there is no stack at all (*why says why). Strings in a frame are valid
 * during the call.
 */
int cf_stack(struct cf_target *target, int64_t lwp, uint32_t max,
             int (*each)(const struct cf_frame *frame, void *arg), void *arg,
             const char **why) CF_WARN_UNUSED;

/** A malloc'ed text; NULL out of memory. */
char *cf_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
