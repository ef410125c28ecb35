/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * ompd, the command: what its files share.
 *
 *   cmd_parse -> cmd_take (source.c) -> cmd_show (show.c) -> exit status
 *
 * Answers go to stdout or -o, everything else that is said to stderr. Functions return an exit status unless
 * they say otherwise.
 */
#ifndef COMMAND_CMD_H
#define COMMAND_CMD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "corefiles/corefiles.h"
#include "corefiles/layout/row.h"
#include "inspect/inspect.h"

#define CMD_VERSION "1.0.0" /* of the packages, as in VERSION */

/** Of --memory-limit; less is not enough for any answer. */
#define CMD_MEMORY_DEFAULT (UINT64_C(2) << 30)
#define CMD_MEMORY_LEAST   (UINT64_C(16) << 20)
/** Of --cpu-limit, in seconds: of a look, and of a report or a layout on the way to one. */
#define CMD_CPU_DEFAULT 300
#define CMD_CPU_SHORT   30

enum cmd_exit {
    CMD_ALL = 0,
    CMD_PARTLY = 1,
    CMD_NOTHING = 2,
    CMD_DEADLOCK = 3, /**< only with --check */
    CMD_USAGE = 64,   /**< EX_USAGE of sysexits(3) */
    /* `run` has those of timeout(1). */
    CMD_TIME_OVER = 124,
    CMD_CANNOT_RUN = 125,
    CMD_NOT_EXECUTABLE = 126,
    CMD_NOT_FOUND = 127,
};

/** Bits: which subcommands an option belongs to. */
enum cmd_of {
    CMD_THREADS = 1 << 0,
    CMD_PARALLEL = 1 << 1,
    CMD_TASKS = 1 << 2,
    CMD_WAITS = 1 << 3,
    CMD_ICVS = 1 << 4,
    CMD_STACKS = 1 << 5,
    CMD_REPORT = 1 << 6,
    CMD_STATUS = 1 << 7,
    CMD_RECORD = 1 << 8,
    CMD_RUN = 1 << 9,
    CMD_COMPLETION = 1 << 10,
    CMD_HELP = 1 << 11,
    CMD_VERSION_OF = 1 << 12,
    CMD_LAYOUT = 1 << 13,
    CMD_TOP = 1 << 14,
    CMD_PROFILE = 1 << 15,
    CMD_MERGE = 1 << 16,
    CMD_LOOPS = 1 << 17,
    CMD_NODE = 1 << 18,
    CMD_JOB = 1 << 19,
    CMD_PRINT = 1 << 20,
    CMD_BUGREPORT = 1 << 21,
    CMD_SHOWN = ((1 << 8) - 1) | CMD_LOOPS, /**< those that print a view */
    CMD_SAMPLING = CMD_TOP | CMD_PROFILE,   /**< those that look at a living process again and again */
    CMD_READING = CMD_SHOWN | CMD_RECORD | CMD_SAMPLING | CMD_PRINT | CMD_BUGREPORT,
    CMD_MANY = CMD_MERGE | CMD_NODE | CMD_JOB, /**< those that show many processes as one */
    CMD_EVERY = (1 << 22) - 1,
};

/** A subcommand: one row of the table in table.c. */
struct cmd_sub {
    const char *name;
    unsigned bit; /**< enum cmd_of */
    const char *argument;
    const char *summary;     /**< one line */
    const char *description; /**< paragraphs of `ompd help NAME` */
    int view;                /**< enum insp_view */
    unsigned want;           /**< of insp_take */
    unsigned formats;        /**< bits 1 << enum cmd_format */
};

enum cmd_format { CMD_TEXT, CMD_JSON, CMD_DOT, CMD_SVG, CMD_HTML, CMD_FOLDED, CMD_SPEEDSCOPE, CMD_FORMATS };
/** Their names, in that order, NULL at the end. */
extern const char *const cmd_format_names[];

/** What may follow an option, for shells. */
enum cmd_value { CMD_FLAG, CMD_NUMBER, CMD_SIZE, CMD_PID, CMD_FILE, CMD_DIRECTORY, CMD_WORDS, CMD_ANY };

enum cmd_option_id {
    CMD_O_PID = 1,
    CMD_O_CORE,
    CMD_O_SNAPSHOT,
    CMD_O_EXECUTABLE,
    CMD_O_SYSROOT,
    CMD_O_DEBUG_DIR,
    CMD_O_NO_STOP,
    CMD_O_WATCH,
    CMD_O_SAMPLES,
    CMD_O_JSON,
    CMD_O_FORMAT,
    CMD_O_OUTPUT,
    CMD_O_COLOR,
    CMD_O_ALL,
    CMD_O_ADDRESSES,
    CMD_O_FRAMES,
    CMD_O_LOCALS,
    CMD_O_ELEMENTS,
    CMD_O_STATE,
    CMD_O_SCOPE,
    CMD_O_STATS,
    CMD_O_CHECK,
    CMD_O_TIMEOUT,
    CMD_O_RUNTIME,
    CMD_O_MEMORY,
    CMD_O_CPU,
    CMD_O_LIBRARY,
    CMD_O_TRACE,
    CMD_O_QUIET,
    CMD_O_VERBOSE,
    CMD_O_LAYOUT,
    CMD_O_DEBUG,
    CMD_O_NAME,
    CMD_O_MADE_FROM,
    CMD_O_RANK,
    CMD_O_EVERY,
    CMD_O_COUNT,
    CMD_O_FOR,
    CMD_O_RATE,
    CMD_O_PER_THREAD,
    CMD_O_FORCE,
    CMD_O_STABLE,
    CMD_O_ZOOM,
    CMD_O_TREE,
    CMD_O_DIFF,
    CMD_O_CORES,
    CMD_O_FRAMED,
    CMD_O_JOB,
    CMD_O_PARALLEL,
    CMD_O_SLURM,
    CMD_O_HOSTS,
    CMD_O_ENGINE,
    CMD_O_ENGINES,
    CMD_O_LAUNCH,
    CMD_O_AGENT,
    CMD_O_TEAM,
    CMD_O_YES,
    CMD_O_HELP,
    CMD_O_VERSION,
};

/** An option: one row of the table in table.c. */
struct cmd_option {
    const char *name;
    char letter; /**< 0 none */
    int id;      /**< enum cmd_option_id */
    unsigned of; /**< bits of enum cmd_of */
    enum cmd_value kind;
    const char *value;        /**< what help calls its value; NULL: a flag */
    const char *const *words; /**< CMD_WORDS: what it may be, NULL at the end */
    const char *help;
};

/** Both end with a row without a name. */
extern const struct cmd_sub cmd_subs[];
extern const struct cmd_option cmd_options[];

enum cmd_when { CMD_AUTO, CMD_ALWAYS, CMD_NEVER };

/** The command line, understood. */
struct cmd_args {
    const struct cmd_sub *sub;
    /** icvs: NAME; print: EXPRESSION; help: SUBCOMMAND; completion: SHELL; layout: FILE; NULL */
    const char *argument;
    int64_t pid;
    const char *core, *snapshot;
    const char *executable, *sysroot;
    char *debug_dirs; /**< joined by colons */
    bool no_stop;
    double watch; /**< seconds, 0 no */
    int samples;
    double every;      /**< top: seconds between samples */
    int count;         /**< top: how many, 0 no end */
    double for_, rate; /**< profile: seconds, samples a second */
    bool per_thread;   /**< profile: each thread by itself, in the formats that can be merged */
    enum cmd_format format;
    const char *output; /**< NULL: stdout */
    enum cmd_when color;
    bool all, addresses, frames, locals, stats, check, quiet, verbose;
    uint64_t team; /**< print: id of a region, 0 all */
    int elements;  /**< of local variables: shown of an array or structure; 0: the default */
    const char *state, *scope;
    double timeout;        /**< seconds, 0 no */
    uint64_t memory_limit; /**< bytes, 0: the default */
    uint32_t cpu_limit;    /**< seconds, 0: the default */
    const char *library, *trace;
    const char *layout;              /**< a row to add */
    const char *debug, *name, *from; /**< layout: as struct ly_request */
    int64_t rank;                    /**< of --rank */
    bool rank_given, force, framed;
    bool stable;      /**< text that is the same in each run */
    bool yes;         /**< bugreport: write it unseen */
    bool own_runtime; /**< run: the program keeps its own */
    bool hold;        /**< run: the process stays stopped after it has been read */
    char **files;     /**< merge, node: malloc'ed list, NULL at the end */
    int file_count;
    int zoom;          /**< merge: 1 to 3, 0 what fits */
    const char *cores; /**< merge: a folder of core files */
    bool tree;         /**< merge: stacks as a tree */
    bool diff;         /**< merge: what differs between two files */
    const char *job;   /**< node, job: JOB or JOB.STEP */
    int parallel;      /**< node, job: how many at a time, 0 the default */
    const char *slurm, *hosts, *engine, *engines, *launch, *agent; /**< job */
    char **program;                                                /**< run: what to start, NULL at the end */
    const struct cf_shared_files *shared; /**< node, merge: that several processes have open; NULL none */
};

/** Understands the command line; returns CMD_ALL, or the status to end with, having said why. */
int cmd_parse(int argc, char **argv, struct cmd_args *ret) __attribute__((warn_unused_result));

/** NULL: there is none. */
const struct cmd_sub *cmd_sub_named(const char *name);
/** The nearest of COUNT words, NULL when none is near; NEXT gives them and NULL at the end. */
const char *cmd_suggest(const char *wrong, const char *(*next)(unsigned index));
/** `ompd help [NAME]`. */
int cmd_help(const char *name);
int cmd_completion(const char *shell);

/** One sentence on stderr, "ompd: " before it. */
void cmd_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** The path of the installation's library or folder NAME, malloc'ed: in lib, lib64, lib/MULTIARCH or lib/ompd
 * beside the folder in which this command is, the first that has it; that in lib if none has. NULL: it is not
 * known where the command is. */
char *cmd_installed(const char *name);
/** The path of NAME in share/ompd of the installation, malloc'ed; NULL: it is not known where the command
 *  is. */
char *cmd_shared(const char *name);

/** Takes a snapshot of what ARGS name. *ret and CMD_ALL; or a status, having said why. */
int cmd_take(const struct cmd_args *args, unsigned want, insp_snapshot **ret)
    __attribute__((warn_unused_result));
/* What it is made of. */
/** The path of the OMPD library, malloc'ed; or a status, having said why. */
int cmd_find_library(const struct cmd_args *args, char **ret) __attribute__((warn_unused_result));
/** Are the files and directories there that ARGS name? A status, having said which not. */
int cmd_check_named(const struct cmd_args *args) __attribute__((warn_unused_result));
/** Opens the core or process. Negative with *error, malloc'ed. */
int cmd_open_target(const struct cmd_args *args, struct cf_target **ret, char **error)
    __attribute__((warn_unused_result));
/** What the host has found wrong belongs to the answer. */
void cmd_add_problems(const struct cf_target *t, insp_snapshot *snapshot);
/** Makes layouts of the runtimes that were not known in the snapshot that SESSION took last, of each file
 *  once. True: there is one that was not there before, so that another snapshot may tell more. */
bool cmd_rows_make(const struct cmd_args *args, struct cf_target *target, insp_session *session);
/** Hands all that were made to SESSION. */
void cmd_rows_give(insp_session *session);
/** Adds to SNAPSHOT why there is none of a runtime that is still not known. */
void cmd_rows_tell(insp_session *session, insp_snapshot *snapshot);
/** All of a file, "-" standard input, malloc'ed; NULL having said why. */
char *cmd_read_file(const char *path, size_t *size);
/** Has the user asked to stop? */
bool cmd_cancelled(void);
/** From now on the first Ctrl-C or the like lets work end in order, for half a second; the second ends at
 *  once. */
void cmd_catch_signals(void);
/** The first signal waits for work to end, however long that takes; BEFORE_END, which only calls what a
 *  handler may, is called before a second one ends this process. */
void cmd_let_work_end(void (*before_end)(void));
/** The signal that is remembered, 0 none. */
int cmd_caught(void);
/** What it asked for has been done: it is forgotten. */
void cmd_heeded(void);
/** From now on the first signal ends this process at once. */
void cmd_end_at_once(void);
/** Puts the screen back, and ends the child that draws; a handler may call it. */
void cmd_leave_nothing(void);
/** Ends by SIG as if nobody had caught it; or by the one that was remembered, if there was one. */
void cmd_end_by(int sig) __attribute__((noreturn));
void cmd_end_by_signal(void);

/** A size as in "512M", in bytes; 0: none that can be a limit. */
uint64_t cmd_size(const char *text);
/** Bytes for one file that is unpacked, and for all that several processes share: a quarter of the limit. */
uint64_t cmd_room_of_one(const struct cmd_args *args);
/** From now on this process takes no more memory and processor time than ARGS allow. */
void cmd_limit(const struct cmd_args *args);
/** In seconds. */
uint32_t cmd_cpu_limit(const struct cmd_args *args, uint32_t by_default);
/** The next piece of work may take so much processor time from now on. */
void cmd_limit_processor(const struct cmd_args *args, uint32_t by_default);
/** A mapped file that gets shorter ends this process with a sentence. */
void cmd_catch_faults(void);
/** Says so, with the limit; CMD_NOTHING. */
int cmd_out_of_memory(void);
/** Says the sentence of a failed call, NULL out of memory; CMD_NOTHING. */
int cmd_failed(const char *error);
/** Ends the process, having said so. */
void cmd_no_memory(void) __attribute__((noreturn));
/** Ends the process with LINE on stderr and CMD_NOTHING; a handler may call it. */
void cmd_give_up(const char *line) __attribute__((noreturn));

/** Progress of long work on a terminal; returns non-zero when the user wants it to end. */
int cmd_progress(void *args, const char *what, uint64_t done, uint64_t total);
/** A line of progress, on a terminal, in place of the one before. */
void cmd_progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Wipes what it wrote. */
void cmd_progress_end(void);

/** Writes the view of ARGS; the status says how much could be shown. */
int cmd_show(const struct cmd_args *args, const insp_snapshot *snapshot);
/** Fills the options of insp_render, all but the pictures. */
void cmd_render_options(const struct cmd_args *args, struct insp_render_options *ret);
/** The view of ARGS as text, insp_string_free; NULL having said why. */
char *cmd_render(const struct cmd_args *args, const insp_snapshot *snapshot);
/** How much of it could be shown, or that a deadlock is proved. */
int cmd_status(const struct cmd_args *args, const insp_snapshot *snapshot);
/** Writes TEXT where ARGS say. */
int cmd_write(const struct cmd_args *args, const char *text);
/** The same of what is said of a process; %r and the like in the file's name stand for something of it. A
 *  file that is there already stays unless --force is given. */
int cmd_write_process(const struct cmd_args *args, const insp_snapshot *snapshot, const char *text);
/** Could that be written, as far as is known before there is a snapshot? */
int cmd_check_output(const struct cmd_args *args);

int cmd_watch(const struct cmd_args *args);
int cmd_record(const struct cmd_args *args);
int cmd_bugreport(const struct cmd_args *args);
int cmd_layout(const struct cmd_args *args);
/** ly_row in a child, which may take so much time and no more; CMD_ALL, or a status and *why, malloc'ed,
 *  NULL no memory. */
int cmd_layout_make(const struct cmd_args *args, const struct ly_request *request, char **ret, char **why)
    __attribute__((warn_unused_result));
int cmd_merge(const struct cmd_args *args);
int cmd_node(const struct cmd_args *args);
int cmd_job(const struct cmd_args *args);
int cmd_top(const struct cmd_args *args);
int cmd_profile(const struct cmd_args *args);
int cmd_print(const struct cmd_args *args);
int cmd_run(struct cmd_args *args);
struct program;
/** The report on PROGRAM and all that it has started; with args->hold they stay stopped (SIGSTOP). SHOWN
 *  is called after each process. */
int cmd_report_family(struct cmd_args *args, const struct program *program, void (*shown)(void *arg),
                      void *arg);

#endif
