/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The interface that a host fills: GDB, lldb, or a process or core without a debugger.
 *
 * A host describes one process. Nothing here runs, continues or writes the target. Functions return 0 on
 * success and a negative number on failure (outputs are then unspecified) unless their comment says
 * otherwise; none may longjmp or let an exception out. `ctx` is the host's own and is passed back unchanged.
 * Strings a host returns stay valid until the next call of the same function or until the snapshot ends,
 * whichever is first; inspect copies what it keeps.
 */
#ifndef INSPECT_HOST_H
#define INSPECT_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INSP_HOST_VERSION 1

/**
 * Any function may return this instead of another negative number: the host itself broke (an exception in a
 * debugger's script, a lost connection), so asking again is no use. inspect then stops asking until the next
 * insp_take, and the snapshot says what the debugger failed at. Other negative numbers speak only of the
 * thing that was asked for.
 */
#define INSP_HOST_FAILED (-1000)

/** A file mapped into the process whose first page is an ELF header. */
struct insp_module {
    uint64_t base;    /**< address of its ELF header in memory */
    const char *path; /**< as the target names it; "" when unknown */
};

/** A thread as the host knows it. */
struct insp_thread {
    int64_t lwp;        /**< the host's kernel id */
    uint64_t pthread;   /**< pthread_t, 0 unknown */
    int32_t gdb_num;    /**< GDB's per-inferior thread number, 0 when the host has none */
    int32_t is_current; /**< 1 for the thread the user has selected */
    int32_t running;    /**< 1: not stopped; nothing may be claimed of it */
};

/** Where an address lies in the program. Absent parts: NULL, 0. */
struct insp_place {
    const char *symbol; /**< function or variable name */
    uint64_t offset;    /**< bytes from its start */
    const char *file;   /**< source file of the line table */
    int32_t line;
    const char *module; /**< path of the module */
};

struct insp_session;

/** One frame of a thread's call stack. */
struct insp_frame {
    /** Frame 0: where the thread stands. Others: the return address, as it lies on the stack. */
    uint64_t pc;
    /** Of the instruction, or of the call before the return address. `symbol` is the function as the linker
     * names it; of an inlined one as its debug information does, mangled where it can be. */
    struct insp_place place;
    int32_t inlined; /**< 1: the function was inlined into that of the next frame */
    /** Source file in which the debug information has the function. NULL: it is not known. */
    const char *declared;
};

/** The registers of a frame that a call keeps, of x86-64. */
struct insp_frame_registers {
    uint64_t pc, sp;
    uint64_t known; /**< bits of ompdx_register_t */
    uint64_t rbx, rbp, r12, r13, r14, r15;
    int32_t exact; /**< 1: `pc` is the instruction that comes next, not where a call returns to */
};

/** What a stopped thread wants of the kernel, as its registers have it. */
struct insp_system_call {
    int32_t machine; /**< e_machine of the ELF header (EM_X86_64, EM_AARCH64): whose numbers these are */
    int64_t number;  /**< orig_rax on x86-64, x8 on aarch64 */
    uint64_t arg[6];
    int64_t
        result; /**< rax, x0: -1 to -4095 an error, -512 to -516 the kernel's own for a call that goes on */
    int32_t inside; /**< 1: the thread is in it now (procfs says so, of a process that runs); result is 0 */
};

/** What the kernel says of a live thread. */
struct insp_kernel {
    char state; /**< as proc(5) has it, before a debugger stopped the thread: R, S, D, T, t, Z; 0 unknown */
    uint64_t cpu_ns;   /**< processor time that it has used */
    int32_t processor; /**< where it ran last, -1 unknown */
    /** Its number in the pid namespace that it lives in, as the program itself has it (the last one of NSpid
     * in /proc/PID/task/TID/status); 0 unknown. */
    int64_t target_tid;
    /** What CLOCK_REALTIME and CLOCK_MONOTONIC say to that thread, nanoseconds; 0 unknown. */
    int64_t realtime, monotonic;
};

/** A thread that has to do with an object, and from which of its frames on it is the user's code. */
struct insp_viewer {
    int64_t lwp;
    uint64_t pc; /**< return address as in insp_frame: that frame and those outside of it; 0: all */
};

/** What a part of memory is. */
enum insp_memory {
    INSP_MEMORY_NONE,      /**< nothing is mapped */
    INSP_MEMORY_ANONYMOUS, /**< mapped without a file */
    INSP_MEMORY_FILE,      /**< of a mapped file, .bss included, for which the kernel names no file */
    INSP_MEMORY_HEAP,      /**< what brk(2) has grown */
    INSP_MEMORY_STACK      /**< a thread's stack, at or above its stack pointer */
};
struct insp_region {
    uint64_t start, end; /**< mapped in one go, or a gap between what is mapped */
    int32_t memory;      /**< enum insp_memory */
    int64_t lwp;         /**< of a stack: its thread */
};

/** What the process has at an address: one mapping, or the gap between two. */
enum insp_access { INSP_ACCESS_EXECUTE = 1, INSP_ACCESS_WRITE = 2, INSP_ACCESS_READ = 4 };
struct insp_mapping {
    uint64_t start, end;
    int32_t mapped;   /**< 0: nothing is mapped there */
    int32_t access;   /**< bits of enum insp_access; -1 not known */
    const char *path; /**< of the mapped file; NULL none, or not known */
};

/** The signal that has ended a process, or at which a thread of a living one stands. */
struct insp_signal {
    int64_t lwp;    /**< whose */
    int32_t number; /**< as signal(7) has it */
    int32_t known;  /**< 1: `code` and `address` are the kernel's (siginfo_t), 0: only the number is known */
    int32_t code;   /**< si_code */
    uint64_t address; /**< si_addr, where signal and code have one */
};

/** Variables that can be seen from somewhere. */
enum insp_scope {
    INSP_SCOPE_UNIT, /**< what a compilation unit defines or declares outside of functions */
    INSP_SCOPE_FRAME /**< those of the function of one frame, which may be an inlined one */
};
struct insp_variable {
    const char *name;     /**< with namespaces and classes, or the Fortran module: "ns::Grid::table" */
    const char *function; /**< whose local or static variable it is; NULL none */
    const char *symbol;   /**< only declared here: the linker's name, and `address` is 0; else NULL */
    const char *file;     /**< where it is declared; NULL not known */
    int32_t line;
    uint64_t type;    /**< for `type` */
    uint64_t address; /**< where it lies */
    /** 1: `address` is what the variable holds: a pointer's value, or where an array's elements begin. Where
     * the variable itself lies is not known, or it is in a register. */
    int32_t is_value;
    int32_t depth; /**< of a frame's: blocks that are left from the innermost one to its own */
};

enum insp_type_kind {
    INSP_TYPE_OTHER,
    INSP_TYPE_INTEGER, /**< signed */
    INSP_TYPE_ALIAS,   /**< typedef, const, volatile, ...; target: of what */
    INSP_TYPE_POINTER,
    INSP_TYPE_REFERENCE, /**< written like what it refers to: C++'s references, Fortran's scalar pointers */
    INSP_TYPE_ARRAY,
    INSP_TYPE_STRUCT, /**< class or structure */
    INSP_TYPE_UNION
};
enum { INSP_DIMENSIONS = 16 };
struct insp_type {
    int32_t kind;     /**< enum insp_type_kind */
    int32_t fortran;  /**< 1: indices and members as in Fortran */
    const char *name; /**< NULL: it has none */
    uint64_t size;    /**< bytes; 0 not known (it is only declared, a function, void) */
    uint64_t target;  /**< of a pointer, reference, alias, or an array's elements; 0 none */
    /** 1: an array whose objects are descriptors, which `array` reads; it has no dimensions here. */
    int32_t described;
    uint32_t dimensions;
    /** In the order of the source: C's last one varies fastest, Fortran's first one. */
    struct {
        int64_t lower;
        uint64_t count; /**< 0 not known (a flexible array) */
    } dimension[INSP_DIMENSIONS];
};
struct insp_field {
    const char *name; /**< NULL: anonymous */
    uint64_t type;
    uint64_t offset;   /**< bytes */
    uint32_t bit_size; /**< of a bit-field, else 0 */
    int32_t base;      /**< 1: a base class */
};

/** An argument or a local variable of a frame, as text. */
struct insp_local {
    const char *name;
    const char *type;  /**< as the source writes it; NULL not known */
    const char *value; /**< for people, one line; NULL: `why` says why there is none */
    const char *why;   /**< "optimised out" */
    int32_t argument;  /**< 1: an argument of the function */
    int32_t depth;     /**< blocks that are left from the innermost one to its own */
};

struct insp_host {
    uint32_t version; /**< INSP_HOST_VERSION */
    uint32_t size;    /**< sizeof(struct insp_host) of what the host was compiled with */
    void *ctx;

    /** The process: pid, executable, core file (NULL live), host name; signal number that ended it or 0, and
     * its thread. */
    int (*process)(void *ctx, int64_t *pid, const char **exe, const char **core, const char **hostname,
                   int32_t *signal, int64_t *crashed_lwp);
    /** The index-th module (0, 1, ...). Returns 1 after the last. Required. */
    int (*module)(void *ctx, uint32_t index, struct insp_module *ret);
    /** Read exactly SIZE bytes at ADDR. Negative when any byte is absent: a page that is not in the core is
     * an error, never zeros. Required. */
    int (*read)(void *ctx, uint64_t addr, void *buf, uint64_t size);
    /** The index-th thread. Returns 1 after the last. Required. */
    int (*thread)(void *ctx, uint32_t index, struct insp_thread *ret);
    /** Address of a symbol; `module` is a path hint or NULL. Returns 1 when there is no such symbol. May be
     * NULL. */
    int (*lookup)(void *ctx, const char *symbol, const char *module, uint64_t *addr);
    /** Thread-local address of a symbol for a thread. Returns 1 when not found. May be NULL. */
    int (*lookup_tls)(void *ctx, int64_t lwp, const char *symbol, const char *module, uint64_t *addr);
    /** Name the place of ADDR; of a stripped library that is its module. Returns 1 when nothing is known. May
     * be NULL. */
    int (*place)(void *ctx, uint64_t addr, struct insp_place *ret);
    /** Registers for stack work, by DWARF number; returns 1 when not available. May be NULL. */
    int (*reg)(void *ctx, int64_t lwp, uint32_t dwarf_reg, uint64_t *value);
    /** DONE of TOTAL steps of a long work; return non-zero to cancel (the user pressed Ctrl-C). May be
     * NULL. */
    int (*progress)(void *ctx, const char *what, uint64_t done, uint64_t total);
    /** A message of libompd's (print_string). May be NULL. */
    void (*print)(void *ctx, const char *text);
    /* From here on members that a host of an earlier day does not have: its `size` ends before them. */
    /** The index-th frame (0 innermost) of a thread's user stack. Returns 1 after the last. May be NULL. */
    int (*frame)(void *ctx, int64_t lwp, uint32_t index, struct insp_frame *ret);
    /** Not asked any more (`object` and `object_from` of an earlier day). NULL. */
    void *unused[2];
    /*
     * What names of objects in memory are made of: facts about types and variables, from the program's debug
     * information. The host gives types and units numbers, not 0: until the next insp_take, one type always
     * has the same number and no two types share one. Each function returns 1 when nothing is known. All
     * NULL: objects are named by `place` only.
     */
    /** The memory around ADDR. */
    int (*region)(void *ctx, uint64_t addr, struct insp_region *ret);
    /** The INDEX-th part of memory, by address, that holds variables of a mapped file. *module: the file's
     * path, NULL the program itself. Returns 1 after the last. */
    int (*data)(void *ctx, uint32_t index, uint64_t *start, uint64_t *end, const char **module);
    /** The INDEX-th variable of static storage that covers ADDR (a Fortran COMMON block has several), the one
     * that starts nearest first. Returns 1 after the last. A host that cannot find all of them finds at least
     * those of the units that were asked for. */
    int (*variable_at)(void *ctx, uint64_t addr, uint32_t index, struct insp_variable *ret);
    /** The compilation unit whose code is at PC. */
    int (*unit)(void *ctx, uint64_t pc, uint64_t *ret);
    /** The INDEX-th variable of SCOPE: of the unit OF, or of the FRAME-th frame (see `frame`) of the thread
     * OF. Returns 1 after the last. */
    int (*variable)(void *ctx, int scope, uint64_t of, uint32_t frame, uint32_t index,
                    struct insp_variable *ret);
    int (*type)(void *ctx, uint64_t type, struct insp_type *ret);
    /** The INDEX-th member or base class of a structure or union, of those that lie at a fixed offset.
     * Returns 1 after the last. */
    int (*field)(void *ctx, uint64_t type, uint32_t index, struct insp_field *ret);
    /** The array whose descriptor, of TYPE, is at ADDR: its bounds, and where its elements begin. Returns 1
     * when it has no elements now, or they do not lie side by side. */
    int (*array)(void *ctx, uint64_t type, uint64_t addr, struct insp_type *ret, uint64_t *start);
    /** The system call in which thread LWP was stopped, or is. Returns 1 when it is in none, negative when
     * that cannot be known. May be NULL: it cannot be known of any. */
    int (*system_call)(void *ctx, int64_t lwp, struct insp_system_call *ret);
    /** What the kernel says of thread LWP. Returns 1 for a core, and where nobody can be asked. May be
     * NULL. */
    int (*kernel)(void *ctx, int64_t lwp, struct insp_kernel *ret);
    /** What descriptor FD of a live process is: "/dev/pts/0", "pipe:[4711]". Returns 1 when that is not
     * known. May be NULL. */
    int (*descriptor)(void *ctx, int32_t fd, const char **ret);
    /** Whose thread TID is, in the numbers of the process' own pid namespace, when it is none of this
     * process: *pid is that process (0 not known), *parent 1 if it is the one from which this one was forked.
     * Returns 1 when there is no such thread, negative when that cannot be known: a core knows of others but
     * the number of its parent. May be NULL. */
    int (*task)(void *ctx, int64_t tid, int64_t *pid, int32_t *parent);
    /** The INDEX-th string ("NAME=VALUE") of the environment that the process was started with. Returns 1
     * after the last, negative when it is not known. May be NULL: then it is looked for in memory. */
    int (*environment)(void *ctx, uint32_t index, const char **ret);
    /** The registers of a stopped thread as the kernel has them: those of x86-64 in the order of struct
     * user_regs_struct (ompdx_register_t). Bit N of *known: reg[N] is known. Returns 1 when there are none,
     * or the machine is another one. May be NULL. */
    int (*registers)(void *ctx, int64_t lwp, uint64_t reg[27], uint64_t *known);
    /** The INDEX-th frame that is no inlined one, with the registers that its function had there. Returns 1
     * after the last. A register that the unwinder has no rule for has the value of the inner frame if calls
     * keep it. May be NULL. */
    int (*frame_registers)(void *ctx, int64_t lwp, uint32_t index, struct insp_frame_registers *ret);
    /** What is mapped at ADDR, or the gap that it is in. Returns 1 when that is not known. May be NULL. */
    int (*mapping)(void *ctx, uint64_t addr, struct insp_mapping *ret);
    /** The signal that ended the process. Of a living one: at which one of its threads has been stopped by
     * the debugger, if its default action is to end the process with a core. Returns 1 when there is none.
     * May be NULL: only `process` tells. */
    int (*signal)(void *ctx, struct insp_signal *ret);
    /** On which processors thread LWP may run, as the kernel writes it: "0-3,8". Returns 1 where that is not
     * known, as for a core. May be NULL. */
    int (*allowed)(void *ctx, int64_t lwp, const char **ret);
    /** What tells the process from others that have had its pid: the kernel's random number of this boot, and
     * when the process began, in clock ticks after the boot; NULL and 0 where that is not known. *taken: when
     * what is seen of it was so, in nanoseconds since 1970, of a core file its time; 0 not known. May be
     * NULL. */
    int (*identity)(void *ctx, const char **boot_id, uint64_t *start, int64_t *taken);
    /** The INDEX-th argument or local variable of the FRAME-th frame (see `frame`) of thread LWP: arguments
     * first, then those of the innermost block. How much of a value is shown is the host's choice; it is
     * bounded. Returns 1 after the last. May be NULL. */
    int (*local)(void *ctx, int64_t lwp, uint32_t frame, uint32_t index, struct insp_local *ret);
    /** Tells which session has this host: SESSION from insp_open on, NULL once it is closed. For hosts that
     * ask insp_caller while they unwind. May be NULL. */
    void (*opened)(void *ctx, struct insp_session *session);
    /** Where the process comes from. *forked: 1 if it was made by fork() and has begun no program since, else
     * 0. *parent: the pid of the process that forked it, as the host numbers it; 0 not known. Returns 1 when
     * neither is known. May be NULL. */
    int (*origin)(void *ctx, int32_t *forked, int64_t *parent);
    /** How often the host has read memory of the target so far, and how many bytes: what it keeps is read
     * once. May be NULL: each call of `read` is one. */
    int (*reads)(void *ctx, uint64_t *count, uint64_t *bytes);
    /** Of the code from START to ADDR: the last line that is in the file IN, or, with NULL, in that of the
     * first line. So the place of a function is found where the line of ADDR is of something that is inlined.
     * Lines at which no instruction begins count too. Returns 1 when there is none. May be NULL. */
    int (*own_line)(void *ctx, uint64_t start, uint64_t addr, const char *in, const char **file,
                    int32_t *line);
};

#ifdef __cplusplus
}
#endif
#endif
