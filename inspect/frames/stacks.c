/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "inspect/frames/activity_words.h"
#include "inspect/frames/code.h"
#include "inspect/frames/stacks.h"
#include "inspect/model/phrases.h"

const char *stack_kind(const struct mdl_frame *frame)
{
    return code_is_users(frame->code) ? "user" : frame->code == INSP_CODE_OPENMP ? "runtime" : "system";
}

/* libm's own names (__sinf) are other functions than those that programs call. */
static bool is_libm(const struct mdl_frame *f)
{
    return f->module && !strncmp(mdl_base_name(f->module), "libm", 4);
}

/*
 * glibc's internal names of what a program calls by a plain one: `fgets` is _IO_fgets, `write` is __write or
 * __GI___libc_write. All others keep their underscores, for only with them a name can be looked up:
 * __cxa_throw,
 * __memcpy_avx_unaligned.
 */
static const char *plain_name(const struct mdl_frame *f)
{
    static const char *const prefixes[] = {"__GI_", "__libc_", "_IO_", "___", "__"};
    const char *plain = f->place.function;

    for (size_t i = 0; f->code == INSP_CODE_LIBC && !is_libm(f) && i < sizeof(prefixes) / sizeof(*prefixes);
         i++) {
        size_t n = strlen(prefixes[i]);

        if (!strncmp(plain, prefixes[i], n) && plain[n])
            plain += n;
    }
    return strchr(plain, '_') && strncmp(plain, "pthread_", 8) ? f->place.function : plain;
}

bool stack_known(const struct mdl_thread *t)
{
    for (int i = 0; i < t->frame_count; i++)
        if (code_is_users(t->frames[i].code))
            return true;
    return false;
}

/*
 * An entry of the procedure linkage table (PLT), on the way to another file's function: its caller stands for
 * it. GDB names it NAME@plt; without a name it is of the file of its caller.
 */
static bool is_plt_entry(const struct mdl_thread *t, int i)
{
    const struct mdl_frame *f = &t->frames[i];
    const char *name = f->place.function;

    if (i != 0 || t->frame_count < 2 || !code_is_users(f[1].code) || !f[1].place.function)
        return false;
    if (name)
        return strlen(name) > 4 && !strcmp(name + strlen(name) - 4, "@plt");
    return f->module && mdl_same(f->module, f[1].module);
}

/* What frame number USER has called, if that is not the user's code: its outermost frame with a name, or any.
 */
static const struct mdl_frame *called_by(const struct mdl_thread *t, int user)
{
    const struct mdl_frame *called = NULL;

    for (int i = user - 1; i >= 0; i--) {
        const struct mdl_frame *f = &t->frames[i];

        if (is_plt_entry(t, i))
            continue;
        if (f->place.function || f->code == INSP_CODE_OPENMP)
            return f;
        called = called ? called : f;
    }
    return called;
}

/* The user's function that stands for what a thread does; NULL: its stack says nothing of it. */
static const struct mdl_frame *users_frame(const struct mdl_thread *t, int *ret_index)
{
    int user = 0;

    while (user < t->frame_count && (!code_is_users(t->frames[user].code) || is_plt_entry(t, user)))
        user++;
    *ret_index = user;
    return user < t->frame_count ? &t->frames[user] : NULL;
}

/* " at io.c:12", of the user's code. */
static const char *at_line(struct arena *a, const struct mdl_place *p)
{
    const char *text = NULL;

    if (p && p->file && p->line > 0)
        text = arena_printf(a, " at %s:%d", mdl_base_name(p->file), p->line);
    return text ? text : "";
}

static const char *doer(const struct mdl_place *p)
{
    return !p ? NULL : p->function ? p->function : p->module ? mdl_base_name(p->module) : NULL;
}

/* Waits, sleeps or stands: its activity says in what. */
static const char *rests(struct arena *a, const struct mdl_thread *t)
{
    int user;
    const struct mdl_frame *f = users_frame(t, &user);
    const struct mdl_place *at = mdl_place_known(&t->activity.at) || !f ? &t->activity.at : &f->place;
    const char *verb = activity_verb(a, &t->activity), *line = at_line(a, at), *by = doer(at), *in = "";

    if (!verb)
        return NULL;
    if (by && !activity_names_object(&t->activity))
        in = ", called from ";
    else if (by && !*line)
        in = " in ";
    return arena_printf(a, "%s%s%s%s", verb, in, *in ? by : "", line);
}

/* Computes, or it is not known what it does: the stack says where. */
static const char *stands_in(struct arena *a, const struct mdl_thread *t)
{
    bool computes = t->activity.kind == MDL_ACTIVITY_COMPUTES && !t->activity.asleep;
    int user;
    const struct mdl_frame *f = users_frame(t, &user), *called;
    const struct mdl_place *place = f ? &f->place : &t->activity.at;
    const char *at = at_line(a, place),
               *by = f && !f->place.function && f->module ? mdl_base_name(f->module) : doer(place);

    if (!f && !mdl_place_known(place))
        return computes ? "computes" : "is at an unknown place";
    called = f ? called_by(t, user) : NULL;
    /* What the runtime calls is no news of the program: it wakes a team, or waits a moment. */
    if (called && called->code == INSP_CODE_OPENMP)
        return arena_printf(a, "is in the OpenMP runtime, called from %s%s", by ? by : "the program", at);
    if (called && called->place.function)
        return arena_printf(a, "is in %s%s, called from %s%s", plain_name(called),
                            strchr(called->place.function, '(') ? "" : "()", by ? by : "the program", at);
    if (called)
        return arena_printf(a, "is in %s, called from %s%s",
                            called->module ? mdl_base_name(called->module) : "a library",
                            by ? by : "the program", at);
    if (computes && !(f && f->code == INSP_CODE_UNKNOWN)) /* else perhaps a library's, in which it waits */
        return arena_printf(a, "computes%s%s%s", by ? " in " : "", by ? by : "", at);
    return by || *at ? arena_printf(a, "is%s%s%s", by ? " in " : "", by ? by : "", at)
                     : "is at an unknown place";
}

const char *stack_doing(struct arena *a, const struct mdl_thread *t)
{
    const char *text = rests(a, t);

    text = text ? text : stands_in(a, t);
    return text ? text : "is at an unknown place";
}

/* "was in solve" for "computes in solve". */
static const char *in_the_past(struct arena *a, const char *text)
{
    static const char computes[] = "computes", is[] = "is ";
    const char *past = text;

    if (!strcmp(text, computes))
        past = "computed";
    else if (!strncmp(text, computes, sizeof(computes) - 1))
        past = arena_printf(a, "was%s", text + sizeof(computes) - 1);
    else if (!strncmp(text, is, sizeof(is) - 1))
        past = arena_printf(a, "was %s", text + sizeof(is) - 1);
    return past ? past : text;
}

const char *stack_was(struct arena *a, const struct mdl_thread *t)
{
    return in_the_past(a, stack_doing(a, t));
}

const char *stack_did(struct arena *a, const insp_snapshot *s, const struct mdl_thread *t)
{
    const char *text = stack_doing(a, t), *past;

    if (s->process.signal <= 0)
        return text;
    past = in_the_past(a, text);
    if (past != text)
        past = arena_printf(a, "%s when %s ended the process", past, mdl_signal_name(a, s->process.signal));
    return past ? past : text;
}

static void add_line(struct arena *a, struct stack *s, const struct mdl_frame *frame, int64_t lwp,
                     bool interrupted)
{
    struct stack_line *grown = arena_grow(a, s->line, (size_t)s->count, sizeof(*grown));

    if (!grown)
        return;
    s->line = grown;
    s->line[s->count++] = (struct stack_line){frame, lwp, interrupted};
}

/* The primary thread of a region is the one that met the construct. */
static int64_t creator(const struct mdl_region *r)
{
    return r->member_count ? r->members[0].lwp : 0;
}

/* Functions that were inlined into one another are frames with one pc: the innermost has the line of the
 * call. */
static int innermost(const struct mdl_thread *t, int frame)
{
    while (frame > 0 && t->frames[frame - 1].pc == t->frames[frame].pc)
        frame--;
    return frame;
}

/*
 * The frame of thread T to which the call that made region R returns. In a recursion several regions around R
 * have been made by the same call: the outermost frame is of the outermost region.
 */
static int call_frame(const insp_snapshot *s, const struct mdl_thread *t, const struct mdl_region *r)
{
    const struct mdl_region *up = mdl_region_by_id(s, r->runtime, r->parent);
    int outer = 0;

    if (!r->codeptr)
        return -1;
    for (int depth = 0; up && depth < STACK_SEGMENTS; depth++) {
        outer += up->codeptr == r->codeptr && creator(up) == t->lwp;
        up = mdl_region_by_id(s, up->runtime, up->parent);
    }
    for (int i = t->frame_count - 1; i >= 0; i--) {
        if (t->frames[i].pc != r->codeptr)
            continue;
        i = innermost(t, i);
        if (outer-- == 0)
            return i;
    }
    return -1;
}

int stack_segments(const insp_snapshot *s, const struct mdl_thread *t, struct stack_segment *ret)
{
    const struct mdl_region *r = mdl_region_by_id(s, t->runtime, t->region);
    int count = 0;

    ret[count++] = (struct stack_segment){t, 0};
    while (count < STACK_SEGMENTS) {
        int from;

        for (int depth = 0; r && creator(r) == t->lwp && depth < STACK_SEGMENTS; depth++)
            r = mdl_region_by_id(s, r->runtime, r->parent);
        t = r ? mdl_thread_by_lwp(s, creator(r)) : NULL;
        from = t ? call_frame(s, t, r) : -1;
        if (from < 0)
            return count;
        ret[count++] = (struct stack_segment){t, from};
        r = mdl_region_by_id(s, r->runtime, r->parent);
    }
    return count;
}

/* Not the program's, but it says how the rows above it came to be called: the process ends. */
static bool tells_why(const struct mdl_frame *f)
{
    static const char *const names[] = {"exit", "__GI_exit", "quick_exit", "__GI_quick_exit"};

    for (size_t i = 0; f->code == INSP_CODE_LIBC && f->symbol && i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(f->symbol, names[i]))
            return true;
    return false;
}

void stack_join(const insp_snapshot *s, const struct mdl_thread *t, bool all, struct arena *a,
                struct stack *ret)
{
    struct stack_segment segments[STACK_SEGMENTS];
    int count = stack_segments(s, t, segments);

    *ret = (struct stack){0};
    for (int k = 0; k < count; k++) {
        const struct mdl_thread *on = segments[k].thread;
        bool signal = false;

        for (int i = segments[k].from; i < on->frame_count; i++) {
            const struct mdl_frame *f = &on->frames[i];

            if (all || code_is_users(f->code) || tells_why(f)) {
                add_line(a, ret, f, on->lwp, signal);
                signal = false;
            }
            signal = signal || f->signal;
        }
    }
}
