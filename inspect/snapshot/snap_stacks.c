/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_stacks.h"

#include <string.h>

#include "inspect/activity/activity.h"
#include "inspect/activity/in_force.h"
#include "inspect/activity/libc_call.h"
#include "inspect/base/hash.h"
#include "inspect/crash/signal_frame.h"
#include "inspect/frames/code.h"
#include "inspect/frames/function.h"
#include "inspect/frames/places.h"
#include "inspect/target/hostcall.h"
#include "inspect/snapshot/snap_bodies.h"
#include "inspect/snapshot/snap_calls.h"
#include "inspect/snapshot/snap_locals.h"

/* A recursion that ran away has millions of frames; these tell it as well. */
enum { MAX_FRAMES = 1024 };
/* As far as what a thread does is looked for, if not all of its stack is wanted. */
enum { ACTIVITY_FRAMES = 64 };

/* The line of a call is that of the function whose source has it. Where that was inlined, only a stack knows
 * its name: the innermost of several frames with the return address. A function with a frame of its own keeps
 * the name that it has; a body of a construct without one (snap_bodies) has that of its frame. */
static void place_wait(struct mdl_thread *t)
{
    for (int i = 0; t->wait.kind && t->wait.codeptr && i < t->frame_count; i++) {
        const struct mdl_place *p = &t->frames[i].place;

        if (t->frames[i].pc != t->wait.codeptr)
            continue;
        if (p->function && p->line == t->wait.at.line && mdl_same(p->file, t->wait.at.file) &&
            (!t->wait.at.function || (i + 1 < t->frame_count && t->frames[i + 1].pc == t->wait.codeptr)))
            t->wait.at.function = p->function;
        return;
    }
}

/* A worker's outermost frames are libc's, which has begun the thread for the runtime: also in a static
 * program without
   symbols, where nothing else says so. */
static void mark_beginning(struct mdl_thread *t)
{
    int last = t->frame_count - 1;

    while (t->worker && last >= 0 && t->frames[last].code == INSP_CODE_UNKNOWN)
        last--;
    for (int i = last + 1; last >= 0 && t->frames[last].code == INSP_CODE_OPENMP && i < t->frame_count; i++)
        t->frames[i].code = INSP_CODE_LIBC;
}

/* The user's code, told by its lines: without them it may be a library's that is linked into the program. */
static bool is_users_line(const struct mdl_frame *f)
{
    return f->code == INSP_CODE_USER && f->place.file && f->place.line > 0 && frame_is_users(f);
}

/* Is the innermost of the user's code there, and all frames of its body, where only the last one says whose
 * that is? */
static bool is_far_enough(const struct mdl_thread *t)
{
    const int last = t->frame_count - 1;

    if (last > 0 && is_users_line(&t->frames[last - 1]))
        return !function_same_body(t->frames[last - 1].symbol, t->frames[last].symbol);
    return is_users_line(&t->frames[last]) && !function_is_nameless(t->frames[last].symbol);
}

/* Has the last frame the call of what the thread waits in, by whomever that was made for it? */
static bool is_behind_wait(const struct mdl_thread *t)
{
    int at = 0;

    while (at < t->frame_count && t->frames[at].pc != t->wait.codeptr)
        at++;
    return at + 1 < t->frame_count && !snap_is_wrapper(&t->frames[t->frame_count - 1]);
}

/* Whose code called libc, or is innermost; unknown where that is not seen. */
static enum insp_code code_behind_libc(const struct mdl_thread *t)
{
    int at = 0;

    while (at < t->frame_count && t->frames[at].code == INSP_CODE_LIBC)
        at++;
    return at < t->frame_count ? t->frames[at].code : INSP_CODE_UNKNOWN;
}

static bool is_enough(const struct mdl_thread *t)
{
    if (t->wait.kind)
        return is_behind_wait(t);
    return (t->state == MDL_STATE_IDLE && code_behind_libc(t) == INSP_CODE_OPENMP) || is_far_enough(t);
}

/* What one stack tells of others. */
struct known {
    struct hash calls; /* struct call, by address */
    struct hash lines; /* struct mdl_place, by address and symbol: line 0, there is none better */
    struct snap_functions functions;
};

/* The file in which the code around ADDR begins, which is *offset bytes before; NULL: it is not known. */
static const char *file_around(insp_session *s, struct arena *arena, uint64_t addr, uint64_t *offset)
{
    struct insp_place place;

    if (host_place(s, addr, &place) || place.offset > addr)
        return NULL;
    *offset = place.offset;
    return host_place(s, addr - *offset, &place) ? NULL : arena_str(arena, place.file);
}

/* The place of the user's FRAME at ADDR, where the line is a header's of something that is inlined there.
   What is inlined into code of the same file has no lines that tell the two apart. */
static void own_line(insp_session *s, struct arena *arena, struct known *known, uint64_t addr,
                     const char *declared, struct mdl_frame *frame)
{
    bool header = code_is_system_header(frame->place.file);
    uint64_t *at = header ? hash_add(&known->lines, addr, frame->symbol) : NULL;
    struct mdl_place *found = at ? (struct mdl_place *)(uintptr_t)*at : NULL;

    if (at && !found) {
        uint64_t offset;
        const char *around = file_around(s, arena, addr, &offset);

        found = arena_alloc(arena, sizeof(*found));
        if (!found)
            return;
        *at = (uintptr_t)found;
        if (around && !(frame->inlined && (!declared || !strcmp(around, declared))))
            found->line = places_own_line(s, arena, addr, offset, declared, &found->file);
    }
    if (found && found->line) {
        frame->place.file = found->file;
        frame->place.line = found->line;
    }
}

/* Does a handler, the frame before number I of ROWS, return there? libc may have no names. */
static bool is_signals(insp_session *s, const struct mdl_frame *rows, uint32_t i)
{
    const char *symbol = rows[i].symbol;

    if (!i || rows[i].inlined || (rows[i].code != INSP_CODE_LIBC && rows[i].code != INSP_CODE_UNKNOWN))
        return false;
    return (symbol ? !strcmp(symbol, "__restore_rt") : code_is_users(rows[i - 1].code)) &&
           signal_frame_ends_handler(s, rows[i].pc);
}

/* ALL: the whole stack; else as much as tells what the thread does, where it waits in OpenMP, or whose code
 * it is idle in. */
static void take_stack(insp_session *s, insp_snapshot *snap, struct known *known, struct mdl_thread *t,
                       bool all)
{
    const uint32_t most = all ? MAX_FRAMES : ACTIVITY_FRAMES;

    for (uint32_t i = 0; i < most; i++) {
        struct insp_frame frame;
        struct mdl_frame *rows;
        const char *module;
        enum insp_code code;
        uint64_t addr;
        int rc = host_frame(s, t->lwp, i, &frame);

        if (rc < 0 && rc != INSP_HOST_FAILED && i == 0)
            mdl_unknown(snap, &t->unknown, &t->unknown_count, "stack", "it cannot be unwound");
        if (rc)
            break;
        rows = arena_grow(&snap->arena, t->frames, (size_t)t->frame_count, sizeof(*rows));
        if (!rows)
            return;
        t->frames = rows;
        /* Functions that are inlined at the newest pc have it too; all other pcs are return addresses. */
        addr = i == 0 || frame.pc == rows[0].pc ? frame.pc : frame.pc - 1;
        code = code_of_frame(s, addr, &frame);
        /* GDB names libraries only. */
        module = frame.place.module && *frame.place.module ? frame.place.module : code_file(s, addr, NULL);
        rows[t->frame_count++] = (struct mdl_frame){
            .pc = frame.pc,
            .place = {.function = function_name(&snap->arena, frame.place.symbol, frame.place.file),
                      .file = arena_str(&snap->arena, frame.place.file),
                      .line = frame.place.line},
            .module = arena_str(&snap->arena, module),
            .code = code,
            .symbol = arena_str(&snap->arena, frame.place.symbol),
            .inlined = frame.inlined != 0,
        };
        rows[i].signal = is_signals(s, rows, i);
        if (code_is_users(code))
            own_line(s, &snap->arena, known, addr, frame.declared, &rows[t->frame_count - 1]);
        if (all && snap->want & INSP_LOCALS && code_is_users(rows[t->frame_count - 1].code))
            snap_locals(s, snap, t->lwp, i, &rows[t->frame_count - 1]);
        if (!all && is_enough(t))
            break;
    }
    if (all) {
        mark_beginning(t);
        snap_calls(s, snap, t);
    }
    snap_bodies(s, snap, &known->functions, t);
    place_wait(t);
}

/* A call that waits: whether it is in a wrapper is the same for all threads that wait there. */
struct call {
    const struct mdl_thread *first;
    const char *before; /* its function without a stack */
    bool wrapped;
};

/* Where T waits in OpenMP, when whole stacks are not wanted: one stack for each call, and one for each thread
 * whose call is in a wrapper, for that may be called from anywhere. */
static void place_wait_alone(insp_session *s, insp_snapshot *snap, struct known *known, struct mdl_thread *t)
{
    uint64_t *at = hash_add(&known->calls, t->wait.codeptr, NULL);
    struct call *call = at ? (struct call *)(uintptr_t)*at : NULL;

    if (!at)
        return;
    if (call && !call->wrapped) {
        if (mdl_same(t->wait.at.function, call->before))
            t->wait.at.function = call->first->wait.at.function;
        return;
    }
    if (!call) {
        call = arena_alloc(&snap->arena, sizeof(*call));
        if (!call)
            return;
        *call = (struct call){.first = t, .before = t->wait.at.function};
        *at = (uintptr_t)call;
    }
    take_stack(s, snap, known, t, false);
    call->wrapped |= snap_waits_in_wrapper(t);
    t->frames = NULL;
    t->frame_count = 0;
}

/* The runtime takes the thread for idle: is it in the runtime's code? Mostly its pc says so alone. */
static void look_where_idle(insp_session *s, insp_snapshot *snap, struct known *known, struct mdl_thread *t)
{
    enum { DWARF_X86_64_RIP = 16 };
    uint64_t pc;

    if (!t->frame_count) {
        if (host_reg(s, t->lwp, DWARF_X86_64_RIP, &pc) || code_at(s, pc, NULL) == INSP_CODE_OPENMP)
            return;
        take_stack(s, snap, known, t, false);
    }
    t->strays = code_behind_libc(t) != INSP_CODE_OPENMP && code_behind_libc(t) != INSP_CODE_UNKNOWN;
    if (t->strays || snap->want & INSP_STACKS)
        return;
    t->frames = NULL;
    t->frame_count = 0;
}

bool snap_stacks(insp_session *s, insp_snapshot *snap)
{
    struct known known = {
        .calls.arena = &snap->arena, .lines.arena = &snap->arena, .functions.by_entry.arena = &snap->arena};

    for (int i = 0; i < snap->thread_count; i++) {
        struct mdl_thread *t = &snap->threads[i];

        if (t->running)
            continue;
        if (snap->want & INSP_STACKS || (snap->want & INSP_ACTIVITY && !activity_is_openmp(t))) {
            if (host_progress(s, "stacks", (uint64_t)i, (uint64_t)snap->thread_count))
                return false;
            take_stack(s, snap, &known, t, snap->want & INSP_STACKS);
        } else if (snap->want & INSP_ACTIVITY && !snap->moving && t->wait.kind && t->wait.codeptr) {
            place_wait_alone(s, snap, &known, t);
        }
        if (snap->want & INSP_ACTIVITY && !snap->moving && t->state == MDL_STATE_IDLE && !t->wait.kind)
            look_where_idle(s, snap, &known, t);
        /* A thread that holds what it waits for, or has not arrived where it waits: in a moment it may look
         * otherwise. */
        if (t->wait.kind &&
            ((t->wait.owner == MDL_OWNER_THREAD && t->wait.owner_lwp == t->lwp) || mdl_misses_itself(t)))
            t->asleep = call_in_force(s, t->lwp);
    }
    return true;
}
