/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The subcommands and options: one table for parsing, help and completion. docs/man/ompd.1 is compared with
 * it.
 */
#include "cmd.h"

#include <stddef.h>
#include <string.h>

const char *const cmd_format_names[] = {"text", "json", "dot", "svg", "html", "folded", "speedscope", NULL};

static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const frames[] = {"user", "all", NULL};
static const char *const runtimes[] = {"companion", "own", NULL};
static const char *const states[] = {"created",    "blocked",  "ready",     "running", "suspended",
                                     "completing", "detached", "cancelled", NULL};
static const char *const zooms[] = {"1", "2", "3", NULL};
static const char *const scopes[] = {"global", "address_space", "thread", "parallel", "implicit_task",
                                     "task",   "teams",         "target", NULL};

enum {
    PLAIN = 1 << CMD_TEXT | 1 << CMD_JSON,
    GRAPHS = PLAIN | 1 << CMD_DOT | 1 << CMD_SVG,
    WANT_WAITS = INSP_THREADS | INSP_REGIONS | INSP_TASKS | INSP_STACKS,
    WANT_REPORT = INSP_ALL | INSP_STACKS | INSP_LOOPS, /* loops: in which iteration it crashed */
};

const struct cmd_sub cmd_subs[] = {
    {"threads", CMD_THREADS, NULL, "list the threads with what each thread does",
     "One row for each thread: the OpenMP thread number and team, the region, and what it does: it computes, "
     "sleeps, is in a call, or waits, with what it waits for and who holds that. Threads that do the same "
     "share "
     "a row with their count.",
     INSP_VIEW_THREADS, WANT_WAITS, PLAIN},
    {"parallel", CMD_PARALLEL, NULL, "show the tree of parallel regions",
     "Each region of the process with its nesting level, team and place in the program, below the region "
     "that "
     "encloses it.",
     INSP_VIEW_PARALLEL, INSP_THREADS | INSP_REGIONS | INSP_STACKS, GRAPHS},
    {"tasks", CMD_TASKS, NULL, "show the tree of tasks, including those not yet running",
     "Each task with its state, function and place in the program, below the task that created it, and the "
     "tasks it "
     "depends on.",
     INSP_VIEW_TASKS, WANT_WAITS, GRAPHS},
    {"waits", CMD_WAITS, NULL, "say whether the program can proceed, and who waits for whom",
     "The verdict in a sentence, and the graph of those who wait: threads, locks and mutexes with their "
     "owners, "
     "barriers with those who are missing, threads and processes whose end is waited for, tasks with those "
     "they depend on.",
     INSP_VIEW_WAITS, WANT_WAITS, GRAPHS},
    {"loops", CMD_LOOPS, NULL, "show which iterations of a loop each thread has, and how many are left",
     "Each loop of each region with its schedule: what is left to be handed out, whose turn it is in an "
     "ordered "
     "loop, and for each member of the team the chunk in hand, the iteration as far as it is known, and how "
     "many "
     "it still gets. What a static loop gives each thread is in the compiler's code, so it is known only "
     "where "
     "clang's debug information tells it.",
     INSP_VIEW_LOOPS, WANT_WAITS | INSP_LOOPS, PLAIN},
    {"icvs", CMD_ICVS, "[NAME]", "show the internal control variables",
     "NAME is that of one variable, \"nthreads-var\" or \"nthreads\".", INSP_VIEW_ICVS, INSP_ALL, PLAIN},
    {"stacks", CMD_STACKS, NULL, "show call stacks as the source code has them",
     "The stack of a worker thread goes on in that of the thread which created its region. Frames of the "
     "OpenMP "
     "runtime and of the system are left out unless --frames=all is given. --format=folded is for flame "
     "graphs.",
     INSP_VIEW_STACKS, WANT_WAITS, PLAIN | 1 << CMD_FOLDED},
    {"print", CMD_PRINT, "EXPRESSION", "print a variable as each thread of a team has it",
     "EXPRESSION is a name, with members, indices and stars: n, grid->cell[3].value, *p, in Fortran a(2)%x. "
     "The value is that of the innermost frame of the program in which the name is a local variable, from a "
     "region on also in the thread that created it; else of the static variable of such a frame's source "
     "file. "
     "Threads with equal values share a row. --team=REGION is a number of `ompd parallel`; without it all "
     "regions are shown in which threads are. More than such expressions GDB's `ompd print -team` knows.",
     0, WANT_WAITS | INSP_LOCALS, PLAIN},
    {"report", CMD_REPORT, NULL, "show everything, the verdict first",
     "After a crash it begins with the signal, the thread, why it happened, the task, and who created that "
     "and where. This is also "
     "what is shown when no subcommand is named.",
     INSP_VIEW_REPORT, WANT_REPORT, GRAPHS | 1 << CMD_HTML},
    {"status", CMD_STATUS, NULL,
     "tell which OpenMP runtime the process has, and how much of its state can be read",
     "The runtime with its version, the OMPD library in use, what can be read, and what cannot and why.",
     INSP_VIEW_STATUS, INSP_THREADS | INSP_UNNAMED, PLAIN},
    {"record", CMD_RECORD, NULL, "write a snapshot to a file, to send it to somebody",
     "The file is named by -o; \"-\" is standard output. In its name %r stands for the rank in MPI, %h for "
     "the "
     "host, %p for the process id, %j for the job, %% for %. A file that exists is kept unless --force is "
     "given. "
     "`ompd report --snapshot FILE` and the other "
     "subcommands read "
     "it on any machine. It holds names, numbers and call stacks, and no memory of the process.",
     INSP_VIEW_REPORT, WANT_REPORT, 0},
    {"bugreport", CMD_BUGREPORT, NULL, "write what the maintainers of ompd need, and nothing private",
     "Versions of ompd, GDB, kernel, libc and compilers, what `ompd status` says, and the snapshot with its "
     "texts and addresses numbered: no name of a function, variable, file, user or machine is in it, no "
     "argument, no environment but the runtime's settings that are numbers, and no memory. Without -o it is "
     "printed. With -o FILE it is shown first, and you are asked; --yes writes it unseen, which is the only "
     "way without a terminal. `ompd report --snapshot FILE` reads it.",
     INSP_VIEW_REPORT, WANT_REPORT & ~(unsigned)INSP_LOOPS, 0},
    {"run", CMD_RUN, "[--] PROGRAM [ARGUMENT...]", "start a program on Companion, and report when it hangs",
     "The program gets Companion instead of libgomp or libomp, through the names of those, and "
     "OMP_DEBUG=enabled "
     "unless it is set already; with --runtime=own it keeps its own, which then tells less. After --timeout "
     "SECONDS the report is written, on each process that the program has started too, all of them are "
     "killed, "
     "and the status is 124. SIGUSR1 or SIGQUIT (Ctrl-\\) writes the report, and the program goes on. Ctrl-C "
     "holds the program until its report is written; then it gets the signal. A second Ctrl-C kills it. Else "
     "the status is the program's own, 128 + N after signal N. "
     "A program that is linked statically or runs with more rights than yours cannot be given a runtime: "
     "it is not started, and the status is 125.",
     INSP_VIEW_REPORT, WANT_REPORT, GRAPHS | 1 << CMD_HTML},
    {"top", CMD_TOP, NULL, "show what the threads of a living process do, again every second",
     "One row for each thread as in `ompd threads`, with the processor time that it uses, the busiest first; "
     "threads that look the same share a row. At a terminal it is a screen of its own, and h shows the keys. "
     "For each sample the process stands still for as long as the screen says; with --no-stop it does not, "
     "and then nobody knows where a running thread is. No sample is a proof: the verdict is `ompd waits`.",
     INSP_VIEW_THREADS, WANT_WAITS, PLAIN},
    {"profile", CMD_PROFILE, NULL, "say how the threads of a living process spend their time",
     "Takes samples at random moments, 10 a second for 10 seconds, by short stops of the process. As text it "
     "prints the time by activity, by region, by construct and by line. --format=folded is for "
     "flamegraph.pl, "
     "--format=speedscope for https://www.speedscope.app. How long the process stood still in all, and how "
     "many samples are lost, is in the file.",
     INSP_VIEW_STACKS, WANT_WAITS, 1 << CMD_TEXT | 1 << CMD_FOLDED | 1 << CMD_SPEEDSCOPE},
    {"merge", CMD_MERGE, "FILE...", "put the reports of many processes together, and show which differ",
     "FILE is what `ompd record`, `ompd report --json`, `ompd run --json` or `ompd merge --json` wrote of "
     "processes, "
     "in any order; \"-\" is standard input. Processes in the same state are one row, and those few that "
     "differ "
     "come first. Of several samples of one rank the newest counts. --json writes a document that `ompd "
     "merge` "
     "reads again; --format=html is a page with all of it, --format=dot and svg are the picture of --tree.",
     0, 0, GRAPHS | 1 << CMD_HTML},
    {"node", CMD_NODE, "[PID...]", "look at all ranks of one node, and show which differ",
     "The processes of this user (as root, of all) that have a rank in MPI, or those of --job, or those that "
     "are named. "
     "Several "
     "are looked at at a time, each for some milliseconds; one that cannot be looked at within --timeout "
     "seconds is a row in the answer and holds up no other. A rank in a container with a pid namespace of "
     "its "
     "own is seen from outside.",
     0, WANT_REPORT | INSP_LOOPS, GRAPHS | 1 << CMD_HTML},
    {"job", CMD_JOB, NULL, "look at all nodes of a job, and show which ranks differ",
     "Starts `ompd node` on each node of the job and merges what they answer. --slurm JOB asks Slurm for the "
     "nodes; --hosts NODES names them, and ClusterShell, pdsh or ssh starts; --launch says in full how to "
     "start. How each way works is a row of the file share/ompd/engines, to which a site can add its own in "
     "/etc/ompd/engines. Nodes that are down or do not answer are rows in the answer, and the status is 1. "
     "Ctrl-C ends what was started and shows what has come.",
     0, 0, GRAPHS | 1 << CMD_HTML},
    {"layout", CMD_LAYOUT, "FILE", "describe an OpenMP runtime that ompd does not know, for --layout",
     "FILE is a libgomp or libomp of any name. Its code says where threads wait, and its debug information, "
     "or that "
     "of --debug FILE, where the members of its structures lie; without any, less of a process can be told. "
     "The "
     "answer is JSON, a row as ompd has its own: for --layout, and worth sending in.",
     0, 0, 0},
    {"completion", CMD_COMPLETION, "bash|zsh|fish", "print the completion script for a shell",
     "For bash: source <(ompd completion bash).", 0, 0, 0},
    {"help", CMD_HELP, "[SUBCOMMAND]", "explain a subcommand and its options", "", 0, 0, 0},
    {"version", CMD_VERSION_OF, NULL, "print the version", "", 0, 0, 0},
    {0}};

const struct cmd_option cmd_options[] = {
    {"pid", 'p', CMD_O_PID, CMD_READING, CMD_PID, "PID", NULL, "look at the living process PID"},
    {"core", 'c', CMD_O_CORE, CMD_READING & ~CMD_SAMPLING, CMD_FILE, "FILE", NULL,
     "look at a core file; coredumpctl:PID is one that systemd has kept"},
    {"snapshot", 0, CMD_O_SNAPSHOT, CMD_SHOWN | CMD_BUGREPORT, CMD_FILE, "FILE", NULL,
     "look at a snapshot that `ompd record` wrote; \"-\" is standard input"},
    {"executable", 'e', CMD_O_EXECUTABLE, CMD_READING | CMD_MERGE, CMD_FILE, "FILE", NULL,
     "the program, if it is not where the core names it"},
    {"sysroot", 0, CMD_O_SYSROOT, CMD_READING | CMD_MERGE, CMD_DIRECTORY, "DIR", NULL,
     "look for the process's files under DIR, and nowhere else"},
    {"debug-dir", 0, CMD_O_DEBUG_DIR, CMD_READING | CMD_NODE | CMD_MERGE, CMD_DIRECTORY, "DIR", NULL,
     "look for debug files and build-ids in DIR before the system's; may be repeated"},
    {"no-stop", 0, CMD_O_NO_STOP, CMD_READING & ~(CMD_PROFILE | CMD_PRINT), CMD_FLAG, NULL, NULL,
     "do not stop the process: rows may show different moments; no stacks, and nothing is proved"},
    {"watch", 0, CMD_O_WATCH, (CMD_SHOWN & ~CMD_STATUS) | CMD_JOB, CMD_NUMBER, "SECONDS", NULL,
     "look again after SECONDS, and mark what moves and what is stuck"},
    {"samples", 0, CMD_O_SAMPLES, CMD_SHOWN & ~CMD_STATUS, CMD_NUMBER, "NUMBER", NULL,
     "with --watch: how many samples to take, 2 by default"},
    {"every", 0, CMD_O_EVERY, CMD_TOP, CMD_NUMBER, "SECONDS", NULL, "time between two samples, 1 by default"},
    {"count", 0, CMD_O_COUNT, CMD_TOP, CMD_NUMBER, "NUMBER", NULL,
     "print so many samples and end; without it until the process ends or q is pressed"},
    {"for", 0, CMD_O_FOR, CMD_PROFILE, CMD_NUMBER, "SECONDS", NULL,
     "how long to take samples, 10 by default; Ctrl-C ends it before"},
    {"rate", 0, CMD_O_RATE, CMD_PROFILE, CMD_NUMBER, "NUMBER", NULL, "samples a second, 10 by default"},
    {"per-thread", 0, CMD_O_PER_THREAD, CMD_PROFILE, CMD_FLAG, NULL, NULL,
     "text and folded: each thread by itself; speedscope's file has both"},
    {"json", 'j', CMD_O_JSON, CMD_SHOWN | CMD_RUN | CMD_TOP | CMD_MANY | CMD_PRINT, CMD_FLAG, NULL, NULL,
     "the same as --format=json"},
    {"format", 0, CMD_O_FORMAT, CMD_SHOWN | CMD_RUN | CMD_SAMPLING | CMD_MANY | CMD_PRINT, CMD_WORDS,
     "FORMAT", cmd_format_names, "how to write the answer"},
    {"output", 'o', CMD_O_OUTPUT, (CMD_READING & ~CMD_TOP) | CMD_RUN | CMD_LAYOUT | CMD_MANY, CMD_FILE,
     "FILE", NULL, "write the answer to FILE instead of standard output"},
    {"force", 'f', CMD_O_FORCE, CMD_RECORD | CMD_RUN | CMD_PROFILE | CMD_BUGREPORT, CMD_FLAG, NULL, NULL,
     "overwrite the file of -o if it exists"},
    {"yes", 0, CMD_O_YES, CMD_BUGREPORT, CMD_FLAG, NULL, NULL, "write the file of -o without asking"},
    {"rank", 0, CMD_O_RANK, CMD_RECORD | CMD_RUN | CMD_MANY, CMD_NUMBER, "NUMBER", NULL,
     "the rank of the process, where it does not tell it itself; merge, node, job: show this rank"},
    {"framed", 0, CMD_O_FRAMED, CMD_MERGE | CMD_NODE, CMD_FLAG, NULL, NULL,
     "JSON in short lines with checksums, which srun and the like do not break; `ompd merge` reads them"},
    {"cores", 0, CMD_O_CORES, CMD_MERGE, CMD_DIRECTORY, "DIR", NULL,
     "also the core files in DIR, such as those that the ranks of a job have left"},
    {"tree", 0, CMD_O_TREE, CMD_MANY, CMD_FLAG, NULL, NULL,
     "the stacks of all threads as one tree, with the ranks of each branch"},
    {"diff", 0, CMD_O_DIFF, CMD_MERGE, CMD_FLAG, NULL, NULL,
     "compare two samples, FILE and FILE: which ranks are in another state"},
    {"slurm", 0, CMD_O_SLURM, CMD_JOB, CMD_ANY, "JOB[.STEP]", NULL,
     "the nodes of this job, as Slurm tells them: --engine=slurm --job JOB[.STEP]"},
    {"hosts", 0, CMD_O_HOSTS, CMD_JOB, CMD_ANY, "NODES", NULL,
     "these nodes: n[1-4,7],login; by ClusterShell, pdsh or ssh unless --engine names another way"},
    {"job", 0, CMD_O_JOB, CMD_NODE | CMD_JOB, CMD_ANY, "JOB[.STEP]", NULL,
     "only ranks of this job of the batch system"},
    {"engine", 0, CMD_O_ENGINE, CMD_JOB, CMD_ANY, "NAME", NULL,
     "how to reach the nodes: a row of the file of engines"},
    {"engines", 0, CMD_O_ENGINES, CMD_JOB, CMD_FILE, "FILE", NULL,
     "read rows from FILE, too; they count before those that are installed"},
    {"launch", 0, CMD_O_LAUNCH, CMD_JOB, CMD_ANY, "COMMAND", NULL,
     "start the nodes by COMMAND, in which %A stands for what is started and %N for the nodes of --hosts"},
    {"agent", 0, CMD_O_AGENT, CMD_JOB, CMD_ANY, "PATH", NULL,
     "where ompd is on the nodes; by default where it is here"},
    {"parallel", 0, CMD_O_PARALLEL, CMD_MANY, CMD_NUMBER, "NUMBER", NULL,
     "how many processes or cores to look at at a time; by default one for each processor, 16 at most"},
    {"zoom", 0, CMD_O_ZOOM, CMD_MANY, CMD_WORDS, "LEVEL", zooms,
     "how much two processes may differ in one row; by default the finest level that is short"},
    {"color", 0, CMD_O_COLOR, CMD_SHOWN | CMD_RUN | CMD_TOP | CMD_MANY, CMD_WORDS, "WHEN", colors,
     "whether to use colours; auto follows the terminal and NO_COLOR, CLICOLOR, CLICOLOR_FORCE"},
    {"all", 'a', CMD_O_ALL,
     CMD_THREADS | CMD_PARALLEL | CMD_TASKS | CMD_WAITS | CMD_STACKS | CMD_REPORT | CMD_RUN | CMD_TOP,
     CMD_FLAG, NULL, NULL, "a row for each thread, not one for those that are alike"},
    {"addresses", 0, CMD_O_ADDRESSES, CMD_SHOWN | CMD_RUN | CMD_TOP, CMD_FLAG, NULL, NULL,
     "addresses beside names"},
    {"stable", 0, CMD_O_STABLE, (CMD_SHOWN & ~CMD_STATUS) | CMD_RUN, CMD_FLAG, NULL, NULL,
     "text that is the same in each run: OpenMP's thread numbers, no numbers of the system, no addresses"},
    {"frames", 0, CMD_O_FRAMES, CMD_STACKS | CMD_REPORT | CMD_RUN, CMD_WORDS, "WHICH", frames,
     "which frames of stacks: the user's, or also those of the runtime and the system"},
    {"locals", 0, CMD_O_LOCALS, CMD_STACKS, CMD_FLAG, NULL, NULL,
     "the arguments and local variables of the user's frames too, with their values"},
    {"team", 0, CMD_O_TEAM, CMD_PRINT, CMD_NUMBER, "REGION", NULL,
     "only threads that are in this region, by its number in `ompd parallel`"},
    {"elements", 0, CMD_O_ELEMENTS, CMD_STACKS | CMD_PRINT, CMD_NUMBER, "NUMBER", NULL,
     "with --locals, or of print: how many elements or members of one value, 8 by default, 200 at most"},
    {"state", 0, CMD_O_STATE, CMD_TASKS, CMD_WORDS, "STATE", states, "only tasks in this state"},
    {"scope", 0, CMD_O_SCOPE, CMD_ICVS, CMD_WORDS, "SCOPE", scopes, "only variables of this scope"},
    {"stats", 0, CMD_O_STATS, CMD_STATUS, CMD_FLAG, NULL, NULL, "also how much was looked up and read"},
    {"check", 0, CMD_O_CHECK, CMD_REPORT | CMD_WAITS | CMD_RUN | CMD_MANY, CMD_FLAG, NULL, NULL,
     "end with status 3 when a deadlock is proved"},
    {"timeout", 0, CMD_O_TIMEOUT, CMD_RUN | CMD_NODE | CMD_JOB, CMD_NUMBER, "SECONDS", NULL,
     "run: how long the program may take; node, job: how long all of it may take, 60 by default"},
    {"runtime", 0, CMD_O_RUNTIME, CMD_RUN, CMD_WORDS, "WHICH", runtimes,
     "the OpenMP runtime that the program gets: Companion by default, or its own"},
    {"memory-limit", 0, CMD_O_MEMORY, CMD_READING | CMD_RUN | CMD_MANY | CMD_LAYOUT, CMD_SIZE, "SIZE", NULL,
     "how much memory ompd itself may take: 512M, 4G; 2G by default"},
    {"cpu-limit", 0, CMD_O_CPU, CMD_READING | CMD_RUN | CMD_MANY | CMD_LAYOUT, CMD_NUMBER, "SECONDS", NULL,
     "how much processor time ompd itself may take for one look: 300 by default, for layout and a report of "
     "run 30"},
    {"ompd-library", 0, CMD_O_LIBRARY, CMD_READING | CMD_RUN | CMD_NODE | CMD_MERGE, CMD_FILE, "FILE", NULL,
     "the OMPD library to use; by default libompd.so.1 of this installation"},
    {"layout", 0, CMD_O_LAYOUT, CMD_READING | CMD_RUN | CMD_NODE | CMD_MERGE, CMD_FILE, "FILE", NULL,
     "what `ompd layout` wrote of an OpenMP runtime; it counts before what ompd knows itself"},
    {"debug", 0, CMD_O_DEBUG, CMD_LAYOUT, CMD_FILE, "FILE", NULL,
     "debug information of the runtime, or of a file that was compiled with its own headers"},
    {"name", 0, CMD_O_NAME, CMD_LAYOUT, CMD_ANY, "NAME", NULL, "what to call the row: gomp-12.2.0"},
    {"source", 0, CMD_O_MADE_FROM, CMD_LAYOUT, CMD_ANY, "TEXT", NULL, "what the row is made from, in words"},
    {"trace", 0, CMD_O_TRACE, CMD_READING | CMD_RUN, CMD_FILE, "FILE", NULL,
     "write each call of the OMPD library to FILE"},
    {"quiet", 'q', CMD_O_QUIET, CMD_READING | CMD_RUN | CMD_NODE | CMD_JOB, CMD_FLAG, NULL, NULL,
     "say nothing on standard error but errors"},
    {"verbose", 'v', CMD_O_VERBOSE, CMD_READING | CMD_RUN, CMD_FLAG, NULL, NULL,
     "say on standard error which files are read and how long the process was stopped; with threads, show "
     "also what each thread holds and where it runs"},
    {"help", 'h', CMD_O_HELP, CMD_EVERY, CMD_FLAG, NULL, NULL, "explain the subcommand"},
    {"version", 'V', CMD_O_VERSION, CMD_EVERY, CMD_FLAG, NULL, NULL, "print the version"},
    {0}};

const struct cmd_sub *cmd_sub_named(const char *name)
{
    for (const struct cmd_sub *s = cmd_subs; s->name; s++)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}
