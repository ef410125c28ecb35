/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/crash_words.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "inspect/model/crash.h"
#include "inspect/model/phrases.h"
#include "inspect/model/words.h"

/* "2 MB", "8188 kB". */
static const char *size_text(struct arena *a, uint64_t bytes)
{
    const char *text;

    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
        text = arena_printf(a, "%" PRIu64 " MB", bytes >> 20);
    else if (bytes >= UINT64_C(10) << 20)
        text = arena_printf(a, "%.1f MB", (double)bytes / (1 << 20));
    else if (bytes >= 1 << 10)
        text = arena_printf(a, "%" PRIu64 " kB", bytes >> 10);
    else
        text = arena_printf(a, "%" PRIu64 " bytes", bytes);
    return text ? text : "?";
}

/* ---- stacks ---------------------------------------------------------------- */

/* The function that a recursion is of: it has most of the innermost frames. NULL: none has. */
static const char *recursion(const struct mdl_thread *t)
{
    enum { LOOKED_AT = 256, MOST = 128, CYCLE = 8 };
    const int count = t && t->frame_count < LOOKED_AT ? t->frame_count : LOOKED_AT;

    for (int k = 0; t && k < CYCLE && k < count; k++) {
        const char *function = t->frames[k].place.function;
        int same = 0;

        for (int i = 0; function && i < count; i++)
            same += mdl_same(t->frames[i].place.function, function);
        if (same >= MOST / CYCLE && count == LOOKED_AT)
            return function;
    }
    return NULL;
}

static const char *full_stack(struct arena *a, const insp_snapshot *s, const struct mdl_crash *c)
{
    static const char *const remedies[] = {
        [MDL_STACK_OTHER] =
            "pthread_attr_setstacksize() sets the size of a thread's stack, else `ulimit -s`.",
        [MDL_STACK_WORKER] = "OMP_STACKSIZE sets the size of OpenMP threads' stacks.",
        [MDL_STACK_INITIAL] = "`ulimit -s` limits the stack of the first thread.",
    };
    /* What a call or two takes is no news: a recursion ends so. */
    enum { NEWS = 1 << 16 };
    const bool initial = c->stack_of == MDL_STACK_INITIAL, large = c->stack_beyond >= NEWS;
    const char *function = recursion(mdl_thread_by_lwp(s, c->lwp));
    const char *size = size_text(a, c->stack_high - c->stack_low), *more = "";

    if (large)
        more =
            arena_printf(a, "%s its stack pointer is %s below %s", initial ? ", and" : ":",
                         size_text(a, c->stack_beyond), initial ? "that, more than it may have" : "its end");
    else if (function)
        more = arena_printf(a, ": %s is called again and again", function);
    return arena_printf(a, " Its stack %s %s%s%s. %s", initial ? "has grown to" : "of", size,
                        !initial ? " is full"
                        : large  ? ""
                                 : " and is full",
                        more ? more : "", remedies[c->stack_of]);
}

/* ---- addresses ---------------------------------------------------------------- */

static const char *null_text(struct arena *a, const struct mdl_crash *c)
{
    const char *verb = c->jump ? "It jumped to a" : "The address is a";

    if (!c->address)
        return c->jump ? " It jumped to a null pointer." : " The address is null.";
    if ((int64_t)c->address < 0)
        return arena_printf(a, " %s null pointer minus %" PRIu64 ".", verb, -c->address);
    return arena_printf(a, " %s null pointer plus %" PRIu64 ".", verb, c->address);
}

static const char *in_file(struct arena *a, const struct mdl_crash *c)
{
    const char *text = c->file ? arena_printf(a, ", in the mapping of %s", mdl_base_name(c->file)) : "";

    return text ? text : "";
}

static const char *guard_text(struct arena *a, const insp_snapshot *s, const struct mdl_crash *c)
{
    if (c->other_lwp == c->lwp)
        return arena_printf(a,
                            " Address 0x%" PRIx64 " is in the guard pages below its own stack, which is not "
                            "full.",
                            c->address);
    return arena_printf(a, " Address 0x%" PRIx64 " is in the guard pages below the stack of %s.", c->address,
                        mdl_thread_name(a, s, c->other_lwp));
}

static const char *address_text(struct arena *a, const insp_snapshot *s, const struct mdl_crash *c)
{
    const uint64_t at = c->address;

    switch (c->kind) {
    case MDL_CRASH_NULL:
        return null_text(a, c);
    case MDL_CRASH_NO_ADDRESS:
        return " The processor gives no address: the pointer was no possible one (not canonical), or the "
               "instruction is not allowed there (as an SSE access that is not aligned).";
    case MDL_CRASH_GUARD:
        return guard_text(a, s, c);
    case MDL_CRASH_UNMAPPED:
        return arena_printf(a,
                            c->jump ? " It jumped to 0x%" PRIx64 ", where nothing is mapped."
                                    : " Nothing is mapped at address 0x%" PRIx64 ".",
                            at);
    case MDL_CRASH_READ_ONLY:
        return arena_printf(a, " It wrote to read-only memory at 0x%" PRIx64 "%s.", at, in_file(a, c));
    case MDL_CRASH_NO_EXECUTE:
        return arena_printf(a, " It jumped to 0x%" PRIx64 ", which is not executable%s.", at, in_file(a, c));
    case MDL_CRASH_NO_ACCESS:
        return arena_printf(a, " Memory at 0x%" PRIx64 " is mapped without permission to access it%s.", at,
                            in_file(a, c));
    case MDL_CRASH_ALLOWED:
        return arena_printf(
            a,
            " The access to 0x%" PRIx64 " was refused, but what is mapped there allows it%s: "
            "another thread has perhaps changed that since, or it is a guard, which Linux 6.13 "
            "and newer do not list.",
            at, in_file(a, c));
    case MDL_CRASH_FILE_END:
        return arena_printf(a,
                            " Address 0x%" PRIx64 " is in the mapping of %s, at a place where the file has "
                            "no data: it is shorter than its mapping, or could not be read.",
                            at, mdl_base_name(c->file ? c->file : "?"));
    case MDL_CRASH_NO_MEMORY:
        return arena_printf(a, " The system had no memory for the page at 0x%" PRIx64 ".", at);
    case MDL_CRASH_ALIGNMENT:
        return arena_printf(a, " Address 0x%" PRIx64 " is not aligned as the instruction needs it.", at);
    case MDL_CRASH_HARDWARE:
        return arena_printf(a, " The machine reports broken memory at 0x%" PRIx64 ".", at);
    default:
        return "";
    }
}

/* ---- instructions, abort ---------------------------------------------------------------- */

static const char *arithmetic(const struct mdl_crash *c)
{
    switch (c->code) {
    case FPE_INTDIV:
        return " An integer was divided by zero, or the quotient is too large.";
    case FPE_INTOVF:
        return " An integer overflowed.";
    case FPE_FLTDIV:
        return " A floating-point number was divided by zero.";
    case FPE_FLTOVF:
        return " A floating-point number overflowed.";
    case FPE_FLTUND:
        return " A floating-point number underflowed.";
    case FPE_FLTRES:
        return " A floating-point result was inexact.";
    case FPE_FLTINV:
        return " A floating-point operation was invalid.";
    default:
        return "";
    }
}

static const char *exception_text(struct arena *a, const struct mdl_crash *c)
{
    const char *text = "";

    if (c->type && c->what)
        text = arena_printf(a, "%s, \"%s\"", c->type, c->what);
    else if (c->type && c->what_why)
        text = arena_printf(a, "%s (its text cannot be known: %s)", c->type, c->what_why);
    else if (c->type)
        text = c->type;
    return text ? text : "?";
}

/* An exception must not leave the region that has thrown it (OpenMP 5.2, section 1.2.2 "structured
   block"). */
static const char *uncaught(struct arena *a, const insp_snapshot *s, const struct mdl_crash *c)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(s, c->lwp);
    const char *rule = t && t->level > 0 ? " In OpenMP the thread must catch it in the same construct." : "";

    if (!c->type)
        return arena_printf(a, " An exception was not caught; its type cannot be known: %s.%s",
                            c->what_why ? c->what_why : "it is not found", rule);
    return arena_printf(a, " An exception was not caught: %s.%s", exception_text(a, c), rule);
}

static const char *terminated(struct arena *a, const struct mdl_crash *c)
{
    if (!c->type)
        return " It called std::terminate.";
    return arena_printf(a, " It called std::terminate while it handled an exception: %s.",
                        exception_text(a, c));
}

static const char *cause(struct arena *a, const insp_snapshot *s, const struct mdl_crash *c)
{
    const char *text;

    switch (c->kind) {
    case MDL_CRASH_SENT:
        text = " The signal was sent by a process, perhaps by the program itself (kill, raise).";
        break;
    case MDL_CRASH_STACK:
        text = full_stack(a, s, c);
        break;
    case MDL_CRASH_ARITHMETIC:
        text = arithmetic(c);
        break;
    case MDL_CRASH_TRAP:
        text = " It came to a trap (ud2): compilers put one where a program must not come, and for "
               "__builtin_trap().";
        break;
    case MDL_CRASH_ILLEGAL:
        text =
            arena_printf(a,
                         " The processor refuses the instruction at 0x%" PRIx64 ": the program was perhaps "
                         "compiled for another one.",
                         c->address);
        break;
    case MDL_CRASH_ABORT:
        text = c->message ? arena_printf(a, " libc said: \"%s\".", c->message) : "";
        break;
    case MDL_CRASH_EXCEPTION:
        text = uncaught(a, s, c);
        break;
    case MDL_CRASH_TERMINATE:
        text = terminated(a, c);
        break;
    default:
        text = address_text(a, s, c);
    }
    return text ? text : "";
}

const char *crash_cause(struct arena *a, const insp_snapshot *s)
{
    const struct mdl_crash *c = s->process.crash;
    const char *text = c ? cause(a, s, c) : "";

    if (c && c->raised_again)
        text = arena_printf(a, "%s A handler of the program's has raised the signal again.", text);
    return text ? text : "";
}

/* ---- the iteration ------------------------------------------------------------ */

static bool is_known(const struct mdl_loop *l, const char *fact)
{
    return !mdl_unknown_reason(l->unknown, l->unknown_count, fact);
}

/* "a loop with schedule(dynamic)" */
static const char *loop_words(struct arena *a, const struct mdl_loop *l)
{
    const char *schedule = mdl_word(&mdl_schedule_words, (int)l->schedule), *text;

    if (l->schedule == MDL_SCHEDULE_SECTIONS)
        return "a sections construct, counted from 0";
    if (l->schedule == MDL_SCHEDULE_TASKLOOP)
        return "a taskloop construct";
    if (l->schedule == MDL_SCHEDULE_UNKNOWN || !is_known(l, "schedule"))
        return "a loop";
    text = arena_printf(a, "%sa loop with schedule(%s)",
                        l->flags & MDL_LOOP_OR_SECTIONS ? "sections, or of " : "", schedule);
    return text ? text : "a loop";
}

const struct mdl_loop *crash_loop_of(const insp_snapshot *s, const struct mdl_task *task)
{
    for (int i = 0; i < s->loop_count; i++)
        if (s->loops[i].runtime == task->runtime && s->loops[i].task == task->id)
            return &s->loops[i];
    return NULL;
}

const char *crash_loop(struct arena *a, const insp_snapshot *s, const struct mdl_task *task)
{
    const struct mdl_loop *l = crash_loop_of(s, task);
    const char *one, *text = "";

    if (!l)
        return "";
    one = l->schedule == MDL_SCHEDULE_SECTIONS ? "section" : "iteration";
    if (!is_known(l, "has"))
        text = arena_printf(a, " Which %s of %s it was in cannot be known: %s.", one, loop_words(a, l),
                            mdl_unknown_reason(l->unknown, l->unknown_count, "has"));
    else if (l->has_count && is_known(l, "at"))
        text = arena_printf(a, " It was in %s %" PRId64 " of %s.", one, l->at, loop_words(a, l));
    else if (l->has_count == 1)
        text = arena_printf(a, " It was in %s %" PRId64 " of %s.", one, l->has_first, loop_words(a, l));
    else if (l->has_count)
        text = arena_printf(
            a, " It had %ss %" PRId64 " to %" PRId64 " of %s; which one it was in cannot be known: %s.", one,
            l->has_first, l->has_last, loop_words(a, l),
            mdl_unknown_reason(l->unknown, l->unknown_count, "at"));
    return text ? text : "";
}
