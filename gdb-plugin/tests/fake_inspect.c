/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libompdinspect that knows nothing of OpenMP: insp_take asks the host everything that can be asked,
 * insp_render gives the answers back. So the plugin's host is tested without a runtime and without libompd.
 *
 * FAKE_ROUNDS: how often insp_take reads one word over and over (for Ctrl-C in a long listing).
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/frame_pointer.h"
#include "inspect/inspect.h"
#include "ompdx.h"

#define EXPORT __attribute__((visibility("default")))

struct insp_session {
    struct insp_host host;
    char *libompd;
    int takes;
    struct insp_stats stats;
};

struct insp_snapshot {
    char *text;
    size_t size;
    int broken;
};

static char *format(const char *form, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, form);
    if (vasprintf(&text, form, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return text;
}

EXPORT insp_session *insp_open(const struct insp_host *host, const char *libompd, char **error)
{
    insp_session *s = calloc(1, sizeof(*s));

    *error = NULL;
    if (host->version != INSP_HOST_VERSION || host->size < offsetof(struct insp_host, frame)) {
        *error = format("the host interface has another version");
        free(s);
        return NULL;
    }
    s->host = *host;
    s->libompd = strdup(libompd);
    return s;
}

EXPORT void insp_close(insp_session *s)
{
    free(s->libompd);
    free(s);
}

/* One question; after INSP_HOST_FAILED none is asked. */
#define ASK(call) \
    (snap->broken ? INSP_HOST_FAILED : (rc = (call)) == INSP_HOST_FAILED ? (snap->broken = 1, rc) : rc)

static void ask_places(insp_session *s, insp_snapshot *snap, FILE *out, int64_t lwp)
{
    struct insp_host *h = &s->host;
    struct insp_place place;
    const char *rounds = getenv("FAKE_ROUNDS");
    uint64_t held = 0, word = 0, tls = 0, pc = 0;
    int32_t number = 0;
    int rc = 0;

    if (ASK(h->lookup(h->ctx, "held", NULL, &held)) == 0)
        fprintf(out, " \"held\": \"0x%" PRIx64 "\",\n", held);
    fprintf(out, " \"no_such_symbol\": %d,\n", ASK(h->lookup(h->ctx, "no_such_symbol", NULL, &word)));
    fprintf(out, " \"no_identifier\": %d,\n", ASK(h->lookup(h->ctx, "x' + $_exit + 'y", NULL, &word)));
    s->stats.lookups += 3;
    for (uint64_t addr = held; held && addr; addr = addr == held ? word + 4 : 0) {
        if (addr == held && ASK(h->lookup(h->ctx, "global", NULL, &word)) != 0)
            break;
        memset(&place, 0, sizeof(place));
        if (ASK(h->place(h->ctx, addr, &place)) == 0)
            fprintf(out, " \"place_of_%s\": {\"offset\": %" PRIu64 ", \"file\": \"%s\", \"line\": %d},\n",
                    place.symbol, place.offset, place.file ? place.file : "", place.line);
    }
    fprintf(out, " \"place_of_nothing\": %d,\n", ASK(h->place(h->ctx, 16, &place)));
    fprintf(out, " \"read_of_nothing\": %d,\n", ASK(h->read(h->ctx, 16, &number, sizeof(number))));
    fprintf(out, " \"read_of_far\": %d,\n", ASK(h->read(h->ctx, UINT64_MAX - 3, &number, sizeof(number))));
    if (word && ASK(h->read(h->ctx, word, &number, sizeof(number))) == 0)
        fprintf(out, " \"global\": %d,\n", number);
    for (long i = rounds ? strtol(rounds, NULL, 10) : 0; i > 0 && !snap->broken; i--)
        (void)ASK(h->read(h->ctx, word, &number, sizeof(number)));
    s->stats.reads += 3;
    number = 0;
    if (ASK(h->lookup_tls(h->ctx, lwp, "of_thread", NULL, &tls)) == 0 &&
        ASK(h->read(h->ctx, tls, &number, sizeof(number))) == 0)
        fprintf(out, " \"of_thread\": %d,\n", number);
    fprintf(out, " \"reg\": %d,\n", ASK(h->reg(h->ctx, lwp, 16, &pc)));
    fprintf(out, " \"no_reg\": %d,\n", ASK(h->reg(h->ctx, lwp, 99, &pc)));
    fprintf(out, " \"no_thread\": %d,\n", ASK(h->reg(h->ctx, 1 << 30, 16, &pc)));
    if (ASK(h->progress(h->ctx, "all", 1, 2)) == 0 && getenv("FAKE_TALK"))
        h->print(h->ctx, "a message of libompd\n");
}

/* What the kernel has to do with each thread, and what descriptor 1 is. */
static void ask_kernel(insp_session *s, insp_snapshot *snap, FILE *out)
{
    struct insp_host *h = &s->host;
    struct insp_thread thread;
    const char *file = NULL;
    int rc = 0;

    fprintf(out, " \"calls\": [");
    for (uint32_t i = 0; ASK(h->thread(h->ctx, i, &thread)) == 0; i++) {
        struct insp_system_call call = {0};
        struct insp_kernel kernel = {0};
        int told = ASK(h->system_call(h->ctx, thread.lwp, &call));
        int known = ASK(h->kernel(h->ctx, thread.lwp, &kernel));

        fprintf(out,
                "%s{\"lwp\": %" PRId64 ", \"told\": %d, \"machine\": %d, \"number\": %" PRId64
                ", \"arg\": [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
                "], \"result\": %" PRId64 ", \"known\": %d, \"state\": %d, \"cpu_ns\": %" PRIu64
                ", \"processor\": %d}",
                i ? ", " : "", thread.lwp, told, call.machine, call.number, call.arg[0], call.arg[1],
                call.arg[2], call.arg[3], call.arg[4], call.arg[5], call.result, known, kernel.state,
                kernel.cpu_ns, kernel.processor);
    }
    fprintf(out, "],\n \"no_call\": %d,\n",
            ASK(h->system_call(h->ctx, 1 << 30, &(struct insp_system_call){0})));
    if (ASK(h->descriptor(h->ctx, 1, &file)) == 0)
        fprintf(out, " \"output\": \"%s\",\n", file);
    fprintf(out, " \"no_descriptor\": %d,\n", ASK(h->descriptor(h->ctx, 9999, &file)));
}

EXPORT insp_snapshot *insp_take(insp_session *s, unsigned want, char **error)
{
    insp_snapshot *snap = calloc(1, sizeof(*snap));
    struct insp_host *h = &s->host;
    struct insp_module module;
    struct insp_thread thread = {0};
    const char *exe = NULL, *core = NULL, *name = NULL;
    int64_t pid = 0, crashed = 0;
    int32_t signo = 0;
    int64_t lwp = 0;
    int rc = 0;
    FILE *out = open_memstream(&snap->text, &snap->size);

    *error = NULL;
    if (getenv("FAKE_REFUSE")) {
        fclose(out);
        free(snap->text);
        free(snap);
        *error = format("nothing can be said");
        return NULL;
    }
    fprintf(out, "{\"takes\": %d, \"want\": %u, \"libompd\": \"%s\",\n", ++s->takes, want, s->libompd);
    if (ASK(h->process(h->ctx, &pid, &exe, &core, &name, &signo, &crashed)) == 0)
        fprintf(out,
                " \"process\": {\"pid\": %" PRId64 ", \"exe\": \"%s\", \"core\": \"%s\", \"host\": \"%s\", "
                "\"signal\": %d, \"crashed_lwp\": %" PRId64 "},\n",
                pid, exe ? exe : "", core ? core : "", name ? name : "", signo, crashed);
    fprintf(out, " \"modules\": [");
    for (uint32_t i = 0; ASK(h->module(h->ctx, i, &module)) == 0; i++) {
        unsigned char magic[4] = {0};

        if (ASK(h->read(h->ctx, module.base, magic, sizeof(magic))) && snap->broken)
            break;
        fprintf(out, "%s[\"0x%" PRIx64 "\", \"%s\", \"%c%c%c\"]", i ? ", " : "", module.base, module.path,
                magic[1] ? magic[1] : ' ', magic[2] ? magic[2] : ' ', magic[3] ? magic[3] : ' ');
    }
    fprintf(out, "],\n \"threads\": [");
    for (uint32_t i = 0; ASK(h->thread(h->ctx, i, &thread)) == 0; i++) {
        lwp = thread.lwp;
        fprintf(out,
                "%s{\"lwp\": %" PRId64 ", \"pthread\": \"0x%" PRIx64
                "\", \"gdb_num\": %d, \"is_current\": %d, "
                "\"running\": %d}",
                i ? ", " : "", thread.lwp, thread.pthread, thread.gdb_num, thread.is_current, thread.running);
    }
    fprintf(out, "],\n");
    ask_places(s, snap, out, lwp);
    ask_kernel(s, snap, out);
    fprintf(out, " \"end\": 0}\n");
    fclose(out);
    return snap;
}

EXPORT void insp_free(insp_snapshot *snap)
{
    free(snap->text);
    free(snap);
}

EXPORT char *insp_render(const insp_snapshot *snap, const struct insp_render_options *o, char **error)
{
    *error = NULL;
    if (o->size != sizeof(*o)) {
        *error = format("the options have another size");
        return NULL;
    }
    if (o->filter && !strcmp(o->filter, "nowhere")) {
        *error = format("no variable is called \"%s\"", o->filter);
        return NULL;
    }
    if (o->format == INSP_JSON)
        return strdup(o->view == INSP_VIEW_ICVS
                          ? "{\"icvs\": [{\"name\": \"nthreads-var\"}, {\"name\": \"dyn-var\"}]}\n"
                          : snap->text);
    return format("view %d width %d colour %d stats %d filter %s scope %s\n", o->view, o->width, o->colour,
                  o->stats, o->filter ? o->filter : "-", o->scope ? o->scope : "-");
}

EXPORT void insp_string_free(char *string)
{
    free(string);
}

/* "The runtime" is the library whose file the test has removed. */
EXPORT enum insp_code insp_code_at(insp_session *s, uint64_t addr, int changed)
{
    (void)s, (void)addr, (void)changed;
    return INSP_CODE_USER;
}

EXPORT int insp_layout_file(insp_session *s, const char *path, char **error)
{
    (void)s, (void)path;
    *error = NULL;
    return 0;
}

EXPORT int insp_layout_wanted(const insp_session *s, uint32_t index, uint64_t *base, const char **path)
{
    (void)s, (void)index, (void)base, (void)path;
    return 1;
}

EXPORT int insp_layout_text(insp_session *s, const char *text, size_t length, const char *of, char **error)
{
    (void)s, (void)text, (void)length, (void)of;
    *error = NULL;
    return 0;
}

EXPORT int insp_runtimes(insp_session *s)
{
    return insp_runtime_ranges(s, NULL, 0);
}

int insp_runtime_ranges(insp_session *s, uint64_t (*ranges)[2], int n)
{
    struct insp_module module;
    int found = 0;

    for (uint32_t i = 0; s->host.module(s->host.ctx, i, &module) == 0; i++) {
        if (!strstr(module.path, "libmissing"))
            continue;
        if (found < n) {
            ranges[found][0] = module.base;
            ranges[found][1] = module.base + 0x5000;
        }
        found++;
    }
    return found;
}

EXPORT int insp_frame_ranges(insp_session *s, uint64_t (*ranges)[2], int n)
{
    return insp_runtime_ranges(s, ranges, n);
}

/* By the frame pointer, as through a runtime that publishes its state. */
EXPORT int insp_caller(insp_session *s, insp_read *read, void *ctx, struct insp_frame_registers *frame)
{
    struct frame_step step = {frame->pc, frame->sp, frame->rbp};
    uint64_t ranges[1][2];

    if (insp_frame_ranges(s, ranges, 1) != 1 ||
        !frame_pointer_step(read, ctx, ranges[0][0], ranges[0][1], frame->exact, true, &step))
        return 1;
    *frame = (struct insp_frame_registers){.pc = step.pc, .sp = step.sp, .rbp = step.fp};
    frame->known = UINT64_C(1) << ompdx_reg_rip | UINT64_C(1) << ompdx_reg_rsp | UINT64_C(1) << ompdx_reg_rbp;
    return 0;
}

EXPORT int insp_trace(const char *path, char **error)
{
    (void)path;
    *error = NULL;
    return 0;
}

EXPORT char *insp_printable(const char *text)
{
    return strdup(text);
}

EXPORT char *insp_function(const char *symbol)
{
    return strdup(symbol);
}

EXPORT char *insp_svg(const char *dot, char **error)
{
    *error = format("no picture of %s", dot);
    return NULL;
}

EXPORT int insp_name(insp_session *s, uint64_t addr, const struct insp_viewer *viewers, uint32_t count,
                     struct insp_object *ret)
{
    (void)s, (void)addr, (void)viewers, (void)count, (void)ret;
    return 1;
}

EXPORT char *insp_record(const insp_snapshot *snap, char **error)
{
    *error = NULL;
    return strdup(snap->text);
}

EXPORT int64_t insp_thread_value(const insp_snapshot *snap, int64_t lwp, const char *field)
{
    return snap && !strcmp(field, "thread_num") ? lwp : -1;
}
