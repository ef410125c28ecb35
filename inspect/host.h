/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The interface that a host fills: GDB, a process or core without a debugger, a recorded snapshot.
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

/** One frame of a thread's call stack. */
struct insp_frame {
    uint64_t pc; /**< frame 0: where the thread stands; others: the return address, as it lies on the stack */
    struct insp_place
        place; /**< of the instruction, or of the call before the return address; function in `symbol` */
};

/** A thread that has to do with an object, and from which of its frames on it is the user's code. */
struct insp_viewer {
    int64_t lwp;
    uint64_t pc; /**< return address as in insp_frame: that frame and those outside of it; 0: all */
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
     * an error,
     *  never zeros. Required. */
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
    /** The variable at ADDR as an expression of the program's own types ("grid.locks[17]"), or a phrase in
     * parentheses
     *  that says where it lies ("(in the heap)"). Returns 1 when nothing is known. May be NULL: `place` must
     *  do. */
    int (*object)(void *ctx, uint64_t addr, const char **expression);
    /** The same. An object that has no place of its own may be named by the variables of these threads'
     * functions that
     *  lead to it; the threads that stand first count more. May be NULL: `object` must do. */
    int (*object_from)(void *ctx, uint64_t addr, const struct insp_viewer *viewers, uint32_t count,
                       const char **expression);
};

#ifdef __cplusplus
}
#endif
#endif
