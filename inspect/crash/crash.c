/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/crash/crash.h"

#include <signal.h>
#include <string.h>

#include "inspect/crash/exception.h"
#include "inspect/crash/signal_frame.h"
#include "inspect/crash/stack_bounds.h"
#include "inspect/model/crash.h"
#include "inspect/target/hostcall.h"

enum { PAGE = 4096 };
/* si_code: of SIGSEGV where nothing is mapped at the address; where the kernel has made the signal for a
   fault of which it has no address. */
enum { NOT_MAPPED = 1, CODE_KERNEL = 0x80 };
/* Registers by their place in struct user_regs_struct. */
enum { RIP = 16, RSP = 19 };

/* One crash under examination. */
struct find {
    insp_session *s;
    insp_snapshot *snap;
    const struct mdl_thread *t;
    struct mdl_crash *c;
    uint64_t pc, sp; /* sp: 0 not known */
    bool pc_known;
    struct insp_mapping at;
    bool at_known;
};

/* ---- full stacks ---------------------------------------------------------------- */

/* Memory in which no stack of another kind can be: nothing, without permission, or another thread's stack.
   (A coroutine or a signal handler has its stack in memory of its own.) */
static bool no_stack_at(struct find *f, uint64_t addr)
{
    struct stack_bounds bounds;
    struct insp_mapping m;

    if (host_mapping(f->s, addr, &m))
        return false;
    if (!m.mapped || m.access == 0)
        return true;
    for (int i = 0; i < f->snap->thread_count; i++) {
        const struct mdl_thread *t = &f->snap->threads[i];

        if (t != f->t && t->pthread >= m.start && t->pthread < m.end &&
            stack_bounds_of(f->s, f->snap, t, &bounds) && bounds.exact && addr >= bounds.low &&
            addr < bounds.high)
            return true;
    }
    return false;
}

/* By how much the stack pointer is below the stack. False: it is in memory that may be a stack of its own. */
static bool find_beyond(struct find *f, const struct stack_bounds *bounds)
{
    if (f->sp >= bounds->low)
        return true;
    if (f->sp < bounds->guard && !no_stack_at(f, f->sp))
        return false;
    f->c->stack_beyond = bounds->low - f->sp;
    return true;
}

/*
 * The address is below the stack, where nobody may write, and not below what the thread uses: a function has
 * moved the stack pointer there, or was about to. (Before that a call writes below it, and code that probes
 * the stack up to a page.)
 */
static bool is_stack_full(struct find *f, const struct stack_bounds *bounds)
{
    struct mdl_crash *c = f->c;
    const bool closed = f->at_known && (!f->at.mapped || f->at.access == 0);
    const bool in_guard = c->address >= bounds->guard && c->address < bounds->low;

    if (!f->sp || c->address >= bounds->low || f->sp >= bounds->high)
        return false;
    if (f->sp > PAGE && c->address < f->sp - PAGE)
        return false;
    if (!closed && !in_guard)
        return false;
    return find_beyond(f, bounds);
}

/*
 * Where the program has a handler for the signal, the kernel must put what the handler needs on the stack.
 * When that is full it gives the signal no address, and ends the process. The stack pointer says it then.
 */
static bool is_no_room_for_handler(struct find *f, const struct stack_bounds *bounds)
{
    enum { CALL = 256 };

    if (f->c->code != CODE_KERNEL || !f->sp || f->sp >= bounds->low + CALL)
        return false;
    return find_beyond(f, bounds);
}

static bool find_stack(struct find *f)
{
    struct mdl_crash *c = f->c;
    struct stack_bounds bounds;

    if (!stack_bounds_of(f->s, f->snap, f->t, &bounds))
        return false;
    c->stack_low = bounds.low;
    c->stack_high = bounds.high;
    c->stack_of = bounds.initial ? MDL_STACK_INITIAL : f->t->worker ? MDL_STACK_WORKER : MDL_STACK_OTHER;
    if (c->code == CODE_KERNEL ? !is_no_room_for_handler(f, &bounds) : !is_stack_full(f, &bounds))
        return false;
    c->kind = MDL_CRASH_STACK;
    return true;
}

/* ---- what lies at the address ---------------------------------------------------------------- */

static void find_mapped(struct find *f)
{
    struct mdl_crash *c = f->c;
    const int access = f->at.access;
    const int wanted = c->jump ? INSP_ACCESS_EXECUTE : INSP_ACCESS_READ | INSP_ACCESS_WRITE;

    c->file = arena_str(&f->snap->arena, f->at.path && f->at.path[0] == '/' ? f->at.path : NULL);
    if (access < 0)
        return;
    if (c->code == NOT_MAPPED || (access & wanted) == wanted)
        c->kind = MDL_CRASH_ALLOWED;
    else if (!access)
        c->kind = MDL_CRASH_NO_ACCESS;
    else if (c->jump)
        c->kind = MDL_CRASH_NO_EXECUTE;
    else if (access & INSP_ACCESS_READ)
        c->kind = MDL_CRASH_READ_ONLY;
}

static void find_segment(struct find *f)
{
    struct mdl_crash *c = f->c;
    const struct mdl_thread *other;
    struct stack_bounds bounds;

    if (c->code == CODE_KERNEL) {
        c->address_known = false;
        if (!f->t || !find_stack(f))
            c->kind = MDL_CRASH_NO_ADDRESS;
        return;
    }
    c->jump = f->pc_known && f->pc == c->address;
    f->at_known = !host_mapping(f->s, c->address, &f->at);
    if (c->address < PAGE || c->address >= (uint64_t)-PAGE) {
        c->kind = MDL_CRASH_NULL;
        return;
    }
    if (f->t && find_stack(f))
        return;
    other = stack_guard_at(f->s, f->snap, c->address, &bounds);
    if (other) {
        c->kind = MDL_CRASH_GUARD;
        c->other_lwp = other->lwp;
    } else if (f->at_known && !f->at.mapped) {
        /* The kernel's word counts: a core may not have all that was mapped. */
        c->kind = c->code == NOT_MAPPED ? MDL_CRASH_UNMAPPED : MDL_CRASH_UNKNOWN;
    } else if (f->at_known) {
        find_mapped(f);
    }
}

static void find_bus(struct find *f)
{
    enum { ALIGNMENT = 1, NO_DATA = 2, MACHINE_CHECK = 4, MACHINE_CHECK_LATER = 5 };
    struct mdl_crash *c = f->c;

    if (c->code == CODE_KERNEL) {
        c->kind = MDL_CRASH_NO_ADDRESS;
        c->address_known = false;
        return;
    }
    f->at_known = !host_mapping(f->s, c->address, &f->at);
    if (f->at_known && f->at.mapped && f->at.path && f->at.path[0] == '/')
        c->file = arena_str(&f->snap->arena, f->at.path);
    if (c->code == ALIGNMENT)
        c->kind = MDL_CRASH_ALIGNMENT;
    else if (c->code == MACHINE_CHECK || c->code == MACHINE_CHECK_LATER)
        c->kind = MDL_CRASH_HARDWARE;
    else if (c->code == NO_DATA && c->file)
        c->kind = MDL_CRASH_FILE_END;
    else if (c->code == NO_DATA && f->at_known && f->at.mapped)
        c->kind = MDL_CRASH_NO_MEMORY;
}

/* ---- instructions, abort ---------------------------------------------------------------- */

static void find_illegal(struct find *f)
{
    static const uint8_t ud2[] = {0x0f, 0x0b};
    uint8_t code[2];
    const bool read = f->pc_known && f->pc == f->c->address && !host_read(f->s, f->pc, code, sizeof(code));

    f->c->kind = read && !memcmp(code, ud2, sizeof(ud2)) ? MDL_CRASH_TRAP : MDL_CRASH_ILLEGAL;
}

/* glibc keeps what it has said before it called abort(): its size, then the text. */
static const char *abort_message(struct find *f)
{
    enum { MESSAGE_MAX = 1024, LIMIT = 1 << 20 };
    char text[MESSAGE_MAX + 1];
    uint64_t at, message;
    uint32_t size;
    size_t length;

    if (host_lookup(f->s, "__abort_msg", NULL, &at) || host_read(f->s, at, &message, sizeof(message)) ||
        !message || host_read(f->s, message, &size, sizeof(size)) || !size || size > LIMIT ||
        host_read_string(f->s, message + sizeof(size), text, MESSAGE_MAX) < 0)
        return NULL;
    text[MESSAGE_MAX] = '\0';
    length = strlen(text);
    while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = '\0';
    return length ? arena_str(&f->snap->arena, text) : NULL;
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* SYMBOL is the linker's, or a debugger's for people. */
static bool is_function(const struct mdl_frame *frame, const char *linkers, const char *peoples)
{
    const char *symbol = frame->symbol ? frame->symbol : "";
    const size_t n = strlen(peoples);

    return !strcmp(symbol, linkers) || (!strncmp(symbol, peoples, n) && (!symbol[n] || symbol[n] == '('));
}

/* The frame of std::terminate, -1 none: the outermost, where the functions that it is made of have names. */
static int terminate_frame(const struct mdl_thread *t)
{
    enum { INNERMOST = 24 };
    int found = -1;

    for (int i = 0; i < t->frame_count && i < INNERMOST; i++)
        if (is_function(&t->frames[i], "_ZSt9terminatev", "std::terminate") ||
            is_function(&t->frames[i], "_ZN10__cxxabiv111__terminateEPFvvE", "__cxxabiv1::__terminate"))
            found = i;
    return found;
}

/* The machinery of exceptions, which calls std::terminate when it has found nobody who would catch one. */
static bool is_machinery(const struct mdl_frame *frame)
{
    static const char *const functions[] = {
        "__cxa_throw",          "__cxa_rethrow",         "__cxa_call_terminate",  "__clang_call_terminate",
        "__gxx_personality_v0", "__cxa_call_unexpected", "_Unwind_RaiseException"};

    for (size_t i = 0; frame->symbol && i < sizeof(functions) / sizeof(*functions); i++)
        if (!strcmp(frame->symbol, functions[i]))
            return true;
    return frame->symbol && (starts(frame->symbol, "_ZSt17rethrow_exception") ||
                             starts(frame->symbol, "std::rethrow_exception"));
}

/*
 * The personality routine calls an inner form of std::terminate, which has no name in a stripped libstdc++:
 * then abort() has been called in the C++ runtime, in a function that the machinery has called. (libgcc's
 * part of it calls abort() by itself when it is in trouble.)
 */
static bool is_inner_terminate(const struct mdl_thread *t)
{
    int i = 0;

    while (i < t->frame_count && t->frames[i].code == INSP_CODE_LIBC)
        i++;
    if (i == t->frame_count || t->frames[i].code != INSP_CODE_CXX || !t->frames[i].module ||
        starts(mdl_base_name(t->frames[i].module), "libgcc"))
        return false;
    for (; i < t->frame_count && t->frames[i].code == INSP_CODE_CXX; i++)
        if (is_machinery(&t->frames[i]))
            return true;
    return false;
}

static void find_abort(struct find *f)
{
    struct mdl_crash *c = f->c;
    const int frame = f->t ? terminate_frame(f->t) : -1;
    const bool inner = f->t && frame < 0 && is_inner_terminate(f->t);
    const char *why = NULL;

    c->kind = MDL_CRASH_ABORT;
    if (frame >= 0 || inner)
        exception_find(f->s, f->snap, f->t, c, &why);
    if (frame >= 0)
        c->kind = frame + 1 < f->t->frame_count && is_machinery(&f->t->frames[frame + 1])
                      ? MDL_CRASH_EXCEPTION
                      : MDL_CRASH_TERMINATE;
    else if (inner && (c->type || why))
        c->kind = MDL_CRASH_EXCEPTION;
    else
        c->message = abort_message(f);
    if (!c->type)
        c->what_why = why;
}

/* ---- the signal ---------------------------------------------------------------- */

static bool ask_signal(struct find *f)
{
    const struct mdl_process *p = &f->snap->process;
    struct insp_signal signal;
    struct mdl_crash *c = f->c;

    if (!host_signal(f->s, &signal)) {
        *c = (struct mdl_crash){
            .lwp = signal.lwp,
            .signal = signal.number,
            .live = !p->signal,
            .code_known = signal.known,
            .code = signal.known ? signal.code : 0,
            .address = signal.known ? signal.address : 0,
        };
        return true;
    }
    *c = (struct mdl_crash){.lwp = p->crashed_lwp, .signal = p->signal};
    return p->signal > 0;
}

static bool has_address(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

/* A handler of the program's has raised the signal again: then the first one is what counts. */
static bool find_first(struct find *f)
{
    struct signal_frame first;
    struct mdl_crash *c = f->c;

    if (!f->t || !signal_frame_find(f->s, f->t, c->signal, &first))
        return false;
    c->raised_again = true;
    c->code = first.code;
    c->address = first.address;
    f->pc = first.pc;
    f->sp = first.sp;
    f->pc_known = true;
    return true;
}

static void judge(struct find *f)
{
    struct mdl_crash *c = f->c;
    uint64_t reg[27], known = 0;

    if (!host_registers(f->s, c->lwp, reg, &known)) {
        f->pc = reg[RIP];
        f->pc_known = known >> RIP & 1;
        f->sp = known >> RSP & 1 ? reg[RSP] : 0;
    }
    if (c->signal == SIGABRT) {
        find_abort(f);
        return;
    }
    if (!c->code_known || !has_address(c->signal))
        return;
    if (c->code <= 0 && !find_first(f)) {
        c->kind = MDL_CRASH_SENT;
        return;
    }
    c->address_known = true;
    switch (c->signal) {
    case SIGSEGV:
        find_segment(f);
        return;
    case SIGBUS:
        find_bus(f);
        return;
    case SIGFPE:
        c->kind = MDL_CRASH_ARITHMETIC;
        return;
    default:
        find_illegal(f);
    }
}

void crash_find(insp_session *s, insp_snapshot *snap)
{
    struct mdl_crash crash = {0};
    struct find f = {.s = s, .snap = snap, .c = &crash};

    if (!ask_signal(&f))
        return;
    f.t = mdl_thread_by_lwp(snap, crash.lwp);
    judge(&f);
    snap->process.crash = arena_alloc(&snap->arena, sizeof(crash));
    if (snap->process.crash)
        *snap->process.crash = crash;
}
