/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of corefiles/ share: the target and the pieces of which it consists.
 *
 * Functions return 0, 1 ("there is none") or a negative number, outputs untouched unless 0.
 */
#ifndef COREFILES_INTERNAL_H
#define COREFILES_INTERNAL_H

#include <elf.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdio.h>

#include "corefiles.h"
#include "debuginfo/debuginfo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CF_REGISTERS = 33, CF_ID_MAX = 64, CF_PAGE = 4096 };

/** Debug files without a build-id are gone through whole, for their CRC: up to this many bytes. */
enum { CF_CRC_MAX = 1 << 30 };

/**
 * What is believed of a target: docs/limits.md has these numbers. 2^20 mappings is 16 times the kernel's default limit
 * (vm.max_map_count), which 65536 mapped ELF files would use up; 2^22 is the most that kernel.pid_max can be.
 */
enum {
    CF_SEGMENTS_MAX = 1 << 20, /**< program headers, and mappings of files */
    CF_MODULES_MAX = 1 << 16,  /**< mapped ELF files */
    CF_THREADS_MAX = 1 << 22,  /**< thread numbers are below it */
    CF_PATH_MAX = 4096,        /**< bytes of the name of a mapped file (PATH_MAX) */
    CF_FREE_PART = 20, /**< one part of so many of a file system is kept free when a core is unpacked */
};
#define CF_UNPACKED_MAX (UINT64_C(1) << 40) /**< bytes of an unpacked core */

/** Where a machine's kernel and psABI put things. */
struct cf_arch {
    uint16_t machine; /**< e_machine */
    const char *name;
    uint32_t prstatus_size, prstatus_regs; /**< of struct elf_prstatus: its size, where pr_reg starts */
    uint32_t greg_count;                   /**< 8-byte registers in user_regs */
    uint32_t dwarf_count;                  /**< DWARF registers 0..dwarf_count-1 are known */
    const uint8_t *greg_of_dwarf;          /**< DWARF number -> index in user_regs */
    uint32_t pc, sp, fp;                   /**< DWARF numbers */
    bool pc_apart;                         /**< the pc has no column in the CFI */
    int32_t tp_greg;                       /**< thread pointer in user_regs; -1: in NT_ARM_TLS */
    bool tcb_at_tp;                        /**< pthread_t is the thread pointer; else it ends there */
};
/** NULL: not known. */
const struct cf_arch *cf_arch_of(uint16_t machine);

/** A loadable part of a core or of an ELF file. */
struct cf_segment {
    uint64_t vaddr, memsz, offset, filesz;
    uint32_t flags; /**< PF_* */
};

/** A mapping that the target's kernel has noted. */
struct cf_map {
    uint64_t start, end, offset;
    uint32_t flags; /**< PF_*, live only */
    char *path;     /**< of the file, "[heap]", "" */
};

/** What is known about the file that serves for a module. */
enum cf_check {
    CF_CHECK_NOT_YET,
    CF_CHECK_NONE,    /**< no file */
    CF_CHECK_UNSURE,  /**< a file, but nothing in the target to compare it with: names yes, memory no */
    CF_CHECK_MATCHES, /**< the same build-id, or without one the same first page */
};

/** A directory as seen from one that is not left: DIR below ROOT, "" for ROOT itself. */
struct cf_folder {
    int fd;           /**< of ROOT, -1 not there */
    const char *root; /**< its path here, "" for "/" */
    const char *dir;
};

struct cf_frames;
struct cf_pages;
struct cf_reach;
struct cf_unit_reach;
struct cf_types;
struct cf_units;

/** A mapped ELF file. */
struct cf_mod {
    uint64_t base, end, bias; /**< bias: address minus p_vaddr */
    const char *path;         /**< of its first mapping; owned by the map */
    bool elf;                 /**< its first page is there and is an ELF header's */
    bool lost;             /**< its first page is not there, but its name is that of a program or library */
    bool deleted;          /**< the live process maps a file that has no name any more */
    uint8_t id[CF_ID_MAX]; /**< build-id in the target's memory */
    uint32_t id_size;
    uint32_t listed; /**< modules before it that cf_module lists */
    char *id_text;
    uint64_t dynamic; /**< address of its dynamic section, 0 none */

    enum cf_check check;
    struct cf_target *target;
    int fd;                        /**< of the file, -1 none */
    char *file;                    /**< its path here */
    int refused;                   /**< errno of its opening by the name that is tried first */
    const struct cf_folder *found; /**< where it is; NULL not known */
    const char *found_as;          /**< its path below that, as the target names it; NULL another */
    struct cf_segment *parts;      /**< PT_LOAD of the file */
    uint32_t part_count;
    Dwfl_Module *dwfl;
    const struct cf_folder *debug; /**< where its separate debug file is; NULL it has none */
    const char *debug_dir;         /**< the directory below that */
    struct debuginfo *debuginfo;   /**< NULL none */
    uint64_t debuginfo_bias;
    bool debuginfo_tried;
    struct debuginfo *alt; /**< what several debug files share (DWARF 5, 7.3.6); NULL none */
    int alt_fd;
    struct cf_units *units; /**< units.c; NULL not read yet */
    struct cf_types *types; /**< its variables, expr.c; NULL not read yet */
    bool types_tried;
};

/** A thread, its registers by DWARF number. */
struct cf_thread {
    int64_t lwp;
    int64_t tid; /**< its own number: inside a container not the lwp */
    uint64_t pthread, tp;
    bool has_regs, running;
    int pending; /**< live: signal that the stop has held back, given back by the detach */
    uint64_t reg[CF_REGISTERS];
};

/** What cf_symbol_at has found at an address. */
struct cf_symbol {
    uint64_t addr, offset;
    const char *name; /**< NULL: there is none */
    bool tried;
};

/** Functions inlined at an address, innermost first, then the one around them (stack.c). */
struct cf_scopes {
    uint64_t addr;
    struct die *dies; /**< malloc'ed */
    int count;
    bool tried;
};

/** What can be wrong with the files of hundreds of modules. */
enum cf_file_kind { CF_FILE_UNSURE, CF_FILE_OTHER, CF_FILE_MISSING, CF_FILE_DEBUG, CF_FILE_KINDS };

/** Problems of one kind: some are listed, the others are counted in one. */
struct cf_alike {
    uint32_t count;
    uint32_t more; /**< index of the one that counts them */
};

struct cf_target {
    struct cf_options options; /**< strings owned */
    struct cf_info info;
    const struct cf_arch *arch;
    struct cf_problem *problems;
    uint32_t problem_count;
    struct cf_alike alike[CF_FILE_KINDS]; /**< problems with files of modules */
    void **kept;                          /**< strings that live as long as the target */
    uint32_t kept_count;

    int core_fd; /**< -1 live */
    uint64_t core_size;
    struct cf_segment *segments; /**< sorted by vaddr */
    uint32_t segment_count;

    int64_t live_pid;       /**< 0 core */
    int64_t live_task;      /**< one of its threads: a first thread that has ended has no memory any more */
    bool stopped;           /**< we hold it */
    bool resumed;           /**< its moment is over: no more memory than what has been read */
    bool nameless;          /**< nothing is named now, see cf_take */
    struct cf_pages *pages; /**< what has been read of a stopped process; NULL nothing */
    uint64_t stop_start;

    struct cf_map *maps; /**< sorted by start */
    uint32_t map_count;
    struct cf_thread *threads;
    uint32_t thread_count;
    uint32_t *by_lwp; /**< indices of threads, sorted by lwp */
    uint32_t *by_sp;  /**< of those with registers, sorted by stack pointer, names.c; NULL not yet */
    uint32_t by_sp_count;
    struct cf_mod *modules;
    uint32_t module_count;
    uint64_t at_phdr, at_phnum, at_entry, at_vdso;

    struct cf_folder home;     /**< the root of what the target names: the sysroot, the process's own, ours */
    struct cf_folder host;     /**< our own root */
    struct cf_folder own;      /**< outside the sysroot, of the executable that the user names; fd -1 none */
    struct cf_folder *folders; /**< directories with debug files */
    uint32_t folder_count;
    uint64_t summed; /**< bytes of which the CRC was needed */
    int no_openat2; /**< why the kernel refuses openat2, so that nothing is opened that the target names; 0 it does not */

    Dwfl *dwfl;
    Dwfl_Callbacks dwfl_callbacks;
    Elf *machine_elf;
    struct cf_thread unwind_state;
    struct cf_frames *frames;          /**< of the thread asked for last, frames.c; NULL none yet */
    struct cf_reach *reach;            /**< from all global variables, pointed.c; NULL not looked yet */
    uint32_t reach_reads, reach_walks; /**< pointers read and stacks gone through for it */
    struct cf_unit_reach *seen_of;     /**< from those of single units, pointed.c */
    struct cf_symbol symbols[256];     /**< by a hash of the address */
    struct cf_scopes scopes[256];      /**< the same: threads that wait stand at few places */
    uint8_t *seen;     /**< a bit for each thread number while threads are collected, live.c and notes.c */
    bool note_skipped; /**< the notes that follow belong to a thread that is left out */
    uint32_t double_threads, odd_threads, odd_files; /**< left out, notes.c */
    bool thread_db_tried, heap_tried;
    uint64_t heap_end;         /**< of a core, names.c; 0 not known */
    uint64_t heap_asked;       /**< an address in allocated memory that is to be named later; 0 none */
    uint32_t thread_db[16][3]; /**< libc's descriptors, tls.c */
    char *text[8];             /**< what the functions have handed out last, see cf_say */
};

/* text.c */
/** Keeps TEXT (malloc'ed, may be NULL) until the target is closed; returns it. */
const char *cf_keep(struct cf_target *t, char *text);
/** Takes over malloc'ed strings; a problem with the same `what` is there once. */
void cf_add_problem(struct cf_target *t, char *what, char *why, char *remedy);
/** Slots of cf_target.text. */
enum {
    CF_SAY_PLACE,
    CF_SAY_PLACE_FILE,
    CF_SAY_NAME,
    CF_SAY_NAME_FUNCTION,
    CF_SAY_NAME_TYPE,
    CF_SAY_NAME_FILE,
    CF_SAY_WHY,
    CF_SAY_OBJECT
};
/** Keeps TEXT until the next one in the same slot; returns it. */
const char *cf_say(struct cf_target *t, int slot, char *text);
/** *ret to an array with room for one more of SIZE bytes; false out of memory. Arrays grow by powers of two. */
bool cf_grow(void *array, uint32_t count, size_t size);
/** The name as a person writes it, malloc'ed: C++ demangled, Fortran as module::procedure. */
char *cf_demangle(const char *symbol);

/* file.c */
/** Opens what the user has named: a regular file, read-only. -1 with errno, EINVAL: it is none. Also what the kernel
 *  names: /proc/PID/exe and /proc/PID/map_files. */
int cf_open_own(const char *path);
/** The same for what a target names, in ROOT (cf_open_folder), which neither PATH nor a link leads out of. errno EXDEV: a
 *  link to what is not in ROOT. The only way to open such a file: everything else opens it unchecked. */
int cf_open_file(int root, const char *path);
/** Why openat2, without which cf_open_file cannot do this, is refused; 0 it is not. */
int cf_open_refused(void);
/** A directory, to look in only. */
int cf_open_folder(const char *path);
/** Reads exactly SIZE bytes at OFFSET. */
bool cf_pread(int fd, void *buf, uint64_t size, uint64_t offset);

/* elffile.c: an ELF file on disk or mapped, as far as modules need it. */
typedef bool cf_reader(void *arg, uint64_t at, void *buf, uint64_t size);
struct cf_elf {
    uint16_t type, machine;
    struct cf_segment *parts; /**< PT_LOAD; owned by the caller */
    uint32_t part_count;
    uint64_t first_vaddr; /**< address of file offset 0 */
    uint64_t dynamic;     /**< p_vaddr of PT_DYNAMIC, 0 none */
    uint8_t id[CF_ID_MAX];
    uint32_t id_size;
};
/** READ gives bytes by file offset, or, when MAPPED, by offset from the header in memory. */
int cf_elf_read(cf_reader *read, void *arg, bool mapped, struct cf_elf *ret);

/** True if FD is an ELF file, also a debug file, with that build-id. */
bool cf_elf_has_id(int fd, const void *id, size_t size);

/* decompress.c */
/** FD if it is not compressed, else a temporary file of the contents. Negative: *error. *cut: the file ends early. */
int cf_decompress(struct cf_target *t, int fd, bool *cut, char **error);

/* notes.c, elfcore.c, systemd.c, live.c, tracees.c, procfs.c */
int cf_core_load(struct cf_target *t, char **error);
int cf_core_note(struct cf_target *t, uint32_t type, uint8_t *desc, uint64_t size, bool *out_of_memory);
/** All notes have been read: what was left out becomes problems. */
void cf_core_notes_end(struct cf_target *t);
int cf_coredumpctl(const char *pid, char **error);
/** An open temporary file without a name; -1 with *error. */
int cf_temporary(char **error);
int cf_live_stop(struct cf_target *t, char **error);
void cf_live_detach(struct cf_target *t);
/** Thread TID is seized and has not stopped: it is let go as soon as it does. */
void cf_tracee_leave(struct cf_target *t, int64_t tid);
/** True when TID is such a thread: it is the caller's again, and still seized. */
bool cf_tracee_take(int64_t tid);
int cf_proc_maps(struct cf_target *t);
int cf_proc_auxv(struct cf_target *t);
/** The last number of "NSpid:" of a task, its own name for itself; TID itself when there is no such line. */
int64_t cf_proc_inner_tid(int64_t pid, int64_t tid);
/** False when the process is in our own PID namespace, so that its tasks have the same numbers for it as for us. */
bool cf_proc_renumbered(int64_t pid);
/** A number after "KEY:" in /proc/PID/status; -1. */
int64_t cf_proc_status(int64_t pid, const char *key);
/** It has ended, and its parent does not know yet. */
bool cf_proc_zombie(int64_t pid);
bool cf_proc_ended(int64_t pid, int64_t tid);
/** The command line, malloc'ed; NULL when it has none. */
char *cf_proc_command(int64_t pid);
void cf_auxv_entry(struct cf_target *t, uint64_t type, uint64_t value);
void cf_registers(const struct cf_arch *arch, const uint64_t *gregs, struct cf_thread *th);

/* memory.c */
int cf_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size);
/** Without the help of files. */
int cf_read_target(struct cf_target *t, uint64_t addr, void *buf, uint64_t size);
const struct cf_segment *cf_segment_at(const struct cf_target *t, uint64_t addr);
const struct cf_map *cf_map_at(const struct cf_target *t, uint64_t addr);

/* names.c */
/** [start, end) of the memory around ADDR that was mapped at one go. */
bool cf_region(const struct cf_target *t, uint64_t addr, uint64_t *start, uint64_t *end);

/** The thread whose stack it is, in a region from START: the nearest stack pointer below; NULL none. */
struct cf_thread *cf_stack_owner(struct cf_target *t, uint64_t addr, uint64_t start);

/* malloc.c */
/** How many objects of SIZE bytes lie at ADDR for certain: 1 if nothing is known. *several: there is room for more than
 *  malloc's rounding explains. */
uint64_t cf_allocated_count(struct cf_target *t, uint64_t addr, uint64_t size, bool *several);

/* pointed.c, reach.c */
/** The expression, malloc'ed, of the lock at ADDR that pointers lead to from a global variable; 1 none. */
int cf_reach(struct cf_target *t, uint64_t addr, char **ret);
/** The same from what the functions of the viewers see: global variables of their units, then their own. */
int cf_reach_from(struct cf_target *t, const struct insp_viewer *viewers, uint32_t count, uint64_t addr,
                  char **ret);
/** What was found belongs to an earlier moment. */
void cf_reach_forget(struct cf_target *t);

/* keep.c: what a name needs of a process that goes on before it is named. */
/** ADDR is to be named later. */
void cf_heap_note(struct cf_target *t, uint64_t addr);
/** Copies the memory through which pointers lead to what was noted, as far as there is not too much of it. */
void cf_heap_keep(struct cf_target *t);

/* pages.c */
/** The memory of a process that is or was stopped. Negative: a byte is not mapped or, after its stop, was not read. */
int cf_pages_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size);
/** Reads without giving: so that it can be read later. */
int cf_pages_keep(struct cf_target *t, uint64_t addr, uint64_t size);
void cf_pages_free(struct cf_pages *pages);

/* folders.c */
int cf_folders_load(struct cf_target *t);
void cf_folders_free(struct cf_target *t);
/** cf_open_file in FOLDER. *name, malloc'ed, also when it fails: the path here; NULL out of memory. */
int cf_open_in(struct cf_target *t, const struct cf_folder *folder, const char *path, char **name);
/** The directory that FD, a file that the user has named, may refer to others from; NULL none. */
const struct cf_folder *cf_folder_of_own(struct cf_target *t, int fd);
/** The path of FD below the directory ROOT, malloc'ed; NULL when it is not there. */
char *cf_path_below(int root, int fd);

/* debugfile.c */
/** The separate debug file of M, by build-id or by LINK with its CRC; -1 none. */
int cf_debug_file(struct cf_mod *m, const char *link, GElf_Word crc);
/** The debug information of M with its alternate file, opened once; NULL none. BIAS: address minus that in the file. */
struct debuginfo *cf_debuginfo(struct cf_mod *m, uint64_t *bias);
void cf_debuginfo_free(struct cf_mod *m);

/* modules.c */
/** Takes over the malloc'ed texts: a problem with a file of M, one of many of its kind. */
void cf_file_problem(struct cf_target *t, const struct cf_mod *m, enum cf_file_kind kind, char *what,
                     char *why, char *remedy);
int cf_modules_load(struct cf_target *t);
struct cf_mod *cf_module_at(struct cf_target *t, uint64_t addr);
/** Finds and checks the file of a module, once. */
void cf_module_file(struct cf_target *t, struct cf_mod *m);
/** The session of libdwfl with all modules that have files; NULL out of memory. */
Dwfl *cf_dwfl(struct cf_target *t);

/* debuginfod.c: callbacks of libdwfl (Dwfl_Callbacks), for modules of which cf_belongs_to has been told. */
/** Has the user named servers? */
bool cf_debuginfod(void);
int cf_find_elf(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, char **file, Elf **elf);
int cf_find_debuginfo(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, const char *file,
                      const char *link, GElf_Word crc, char **found);
void cf_belongs_to(Dwfl_Module *mod, struct cf_mod *m);

/* symbols.c */
int cf_lookup(struct cf_target *t, const char *symbol, const char *module, uint64_t *addr);
int cf_lookup_sym(struct cf_target *t, const char *symbol, const char *module, int type, GElf_Sym *sym,
                  struct cf_mod **mod, uint64_t *addr);
/** The linker's name around ADDR; 1 none. NAME lives as long as the target. */
int cf_symbol_at(struct cf_target *t, uint64_t addr, const char **name, uint64_t *offset);
int cf_place(struct cf_target *t, uint64_t addr, struct insp_place *ret);
/** Source line of ADDR; FILE malloc'ed. 1 none. */
int cf_line_at(struct cf_target *t, uint64_t addr, char **file, int *line);

/* units.c */
/** The compilation unit whose code is at ADDR; BIAS: address minus that in DWARF. 1 none. */
int cf_unit_at(struct cf_target *t, uint64_t addr, struct die *ret, uint64_t *bias);
void cf_units_free(struct cf_units *units);

/* tls.c */
int cf_lookup_tls(struct cf_target *t, int64_t lwp, const char *symbol, const char *module, uint64_t *addr);
/** Fills pthread of threads from their thread pointers, or from libc's lists when registers are not to be had. */
void cf_thread_handles(struct cf_target *t);
/** All threads are known: from now on they are found fast. False: out of memory. */
bool cf_threads_sort(struct cf_target *t);
struct cf_thread *cf_thread_of(struct cf_target *t, int64_t lwp);

/* expr.c */
struct cf_variable {
    char *text, *type, *function, *file; /**< malloc'ed; all but text may be NULL */
    int line;
    bool lock;       /**< its type is one of OpenMP's locks */
    uint64_t offset; /**< in the whole variable */
};
void cf_variable_free(struct cf_variable *v);
/** The static variable at ADDR as an expression; 1 none. */
int cf_expression(struct cf_target *t, uint64_t addr, struct cf_variable *ret);
void cf_types_free(struct cf_types *types);

/* locals.c */
/** The local variable at ADDR of the function of FRAME. */
struct cf_raw_frame;
int cf_local(struct cf_target *t, const struct cf_raw_frame *frame, uint64_t addr, struct cf_variable *ret);

/* frames.c */
int cf_host_frame(struct cf_target *t, int64_t lwp, uint32_t index, struct insp_frame *ret);
int cf_host_object(struct cf_target *t, uint64_t addr, const struct insp_viewer *viewers, uint32_t count,
                   const char **expression);
void cf_frames_free(struct cf_frames *frames);

/* unwind.c */
/** A frame of the stack, before it has names. */
struct cf_raw_frame {
    uint64_t pc, cfa, fp, sp;
    bool activation;     /**< pc is where it goes on, not where a call returns to */
    const uint64_t *reg; /**< by DWARF number, valid while the frame is told */
    uint64_t known;      /**< bit N: reg[N] is that of this frame */
};
/** An address in the instruction at which the frame stands. */
static inline uint64_t cf_frame_code(const struct cf_raw_frame *frame)
{
    return frame->pc - (frame->activation ? 0 : 1);
}
int cf_unwind(struct cf_target *t, struct cf_thread *th, uint32_t max,
              int (*each)(const struct cf_raw_frame *frame, void *arg), void *arg, const char **why);

#ifdef __cplusplus
}
#endif
#endif
