/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what corefiles/ knows of a core or a process, for the tests: one JSON document.
 *
 *   show [-e EXE] [-s SYSROOT] [-d DEBUG_DIRS] [-n] [-r LIBOMPD | -t LIBOMPD] [-k] [-g] [-v] [-a ADDR]
 *        [-y SYMBOL] [-l SYMBOL] CORE|PID
 *
 * -n does not stop the process; -r prints inspect's report instead, -t its text; -k adds the stacks, in a
 * report too; -g adds registers; -a names an address, with -v as the first thread sees it; -y looks a symbol
 * up, -l a thread-local one for every thread.
 */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corefiles/corefiles.h"
#include "inspect/inspect.h"

static int one_frame(const struct cf_frame *frame, void *arg)
{
    json_array_append_new(arg, json_pack("{s:I s:I s:s? s:s? s:s? s:i s:i s:s?}", "pc", (json_int_t)frame->pc,
                                         "cfa", (json_int_t)frame->cfa, "function", frame->function, "symbol",
                                         frame->symbol, "file", frame->file, "line", frame->line, "inlined",
                                         frame->inlined, "module", frame->module));
    return 0;
}

static int report(struct cf_target *t, const char *libompd, int format, int stacks)
{
    struct insp_render_options options = {
        .size = sizeof(options), .view = INSP_VIEW_REPORT, .format = format};
    struct insp_host host;
    char *error = NULL, *text;
    insp_session *session;
    insp_snapshot *snapshot;

    cf_host(t, &host);
    session = insp_open(&host, libompd, &error);
    snapshot = session ? cf_take(t, session, stacks ? INSP_ALL | INSP_STACKS : INSP_ALL, &error) : NULL;
    cf_resume(t);
    text = snapshot ? insp_render(snapshot, &options, &error) : NULL;
    puts(text ? text : error);
    insp_string_free(error);
    insp_string_free(text);
    insp_free(snapshot);
    if (session)
        insp_close(session);
    return text ? 0 : 1;
}

/* FIRST: as the first thread sees it. */
static json_t *name_json(insp_session *session, const struct insp_host *host, uint64_t addr, int first)
{
    struct insp_viewer viewer = {0};
    struct insp_thread thread;
    struct insp_object name;

    if (first && !host->thread(host->ctx, 0, &thread))
        viewer.lwp = thread.lwp;
    if (insp_name(session, addr, &viewer, viewer.lwp != 0, &name))
        return json_null();
    return json_pack("{s:i s:s? s:s? s:s? s:I s:s? s:i}", "kind", name.kind, "text", name.text, "function",
                     name.function, "type", name.type, "lwp", (json_int_t)name.lwp, "file", name.file, "line",
                     name.line);
}

/* "registers": those of the thread, by their place in struct user_regs_struct. "frames": [pc, sp, exact,
   {number: value of what is known}]. */
static void add_registers(json_t *row, const struct insp_host *host, int64_t lwp)
{
    json_t *all = json_object(), *frames = json_array();
    uint64_t reg[27], known;
    struct insp_frame_registers f;
    char key[8];

    if (!host->registers(host->ctx, lwp, reg, &known))
        for (unsigned i = 0; i < 27; i++) {
            snprintf(key, sizeof(key), "%u", i);
            if (known >> i & 1)
                json_object_set_new(all, key, json_integer((json_int_t)reg[i]));
        }
    for (uint32_t i = 0; !host->frame_registers(host->ctx, lwp, i, &f); i++) {
        const uint64_t value[] = {f.r15, f.r14, f.r13, f.r12, f.rbp, f.rbx};
        json_t *kept = json_object();

        for (unsigned k = 0; k < 6; k++) {
            snprintf(key, sizeof(key), "%u", k);
            if (f.known >> k & 1)
                json_object_set_new(kept, key, json_integer((json_int_t)value[k]));
        }
        json_array_append_new(frames,
                              json_pack("[I, I, i, o]", (json_int_t)f.pc, (json_int_t)f.sp, f.exact, kept));
    }
    json_object_set_new(row, "registers", all);
    json_object_set_new(row, "frames", frames);
}

static json_t *threads_json(struct cf_target *t, const struct insp_host *host, int stacks, int registers,
                            const char *tls)
{
    json_t *list = json_array();
    struct insp_thread th;

    for (uint32_t i = 0; host->thread(host->ctx, i, &th) == 0; i++) {
        json_t *row = json_pack("{s:I s:I s:i}", "lwp", (json_int_t)th.lwp, "pthread", (json_int_t)th.pthread,
                                "running", th.running);
        uint64_t value;

        for (uint32_t k = 0; k < 33; k++) {
            char key[8];

            snprintf(key, sizeof(key), "r%u", k);
            if (!host->reg(host->ctx, th.lwp, k, &value))
                json_object_set_new(row, key, json_integer((json_int_t)value));
        }
        if (tls && !host->lookup_tls(host->ctx, th.lwp, tls, NULL, &value))
            json_object_set_new(row, "tls", json_integer((json_int_t)value));
        if (registers)
            add_registers(row, host, th.lwp);
        if (stacks) {
            json_t *frames = json_array();
            const char *why;
            int rc = cf_stack(t, th.lwp, 0, one_frame, frames, &why);

            json_object_set_new(row, "stack", frames);
            json_object_set_new(row, "stack_rc", json_integer(rc));
            json_object_set_new(row, "why", why ? json_string(why) : json_null());
        }
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *list_modules(struct cf_target *t)
{
    json_t *list = json_array();
    struct cf_module m;

    for (uint32_t i = 0; cf_module(t, i, &m) == 0; i++)
        json_array_append_new(list, json_pack("{s:I s:I s:s s:s? s:s?}", "base", (json_int_t)m.base, "end",
                                              (json_int_t)m.end, "path", m.path, "file", m.file, "build_id",
                                              m.build_id));
    return list;
}

static json_t *list_problems(struct cf_target *t)
{
    json_t *list = json_array();
    struct cf_problem p;

    for (uint32_t i = 0; cf_problem(t, i, &p) == 0; i++)
        json_array_append_new(list, json_pack("[s s s]", p.what, p.why, p.remedy));
    return list;
}

/* Bytes at ADDR as the host reads them: hexadecimal, or null. */
static json_t *read_json(const struct insp_host *host, uint64_t addr)
{
    unsigned char bytes[16];
    char text[2 * sizeof(bytes) + 1];

    if (host->read(host->ctx, addr, bytes, sizeof(bytes)))
        return json_null();
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return json_string(text);
}

int main(int argc, char **argv)
{
    struct cf_options options = {.size = sizeof(options)};
    const char *libompd = NULL, *tls = NULL;
    json_t *names = json_object(), *symbols = json_object(), *bytes = json_object(), *places = json_object(),
           *all;
    int option, format = INSP_JSON, stacks = 0, first = 0, registers = 0, rc;
    uint64_t asked[64];
    int count = 0;
    struct insp_place place;
    struct insp_host host;
    insp_session *session;
    struct cf_target *t;
    struct cf_info info;
    const char *wanted[16];
    int wanted_count = 0;
    char *error;

    while ((option = getopt(argc, argv, "e:s:d:nr:t:kgva:y:l:")) != -1) {
        switch (option) {
        case 'e':
            options.executable = optarg;
            break;
        case 's':
            options.sysroot = optarg;
            break;
        case 'd':
            options.debug_dirs = optarg;
            break;
        case 'n':
            options.no_stop = 1;
            break;
        case 't':
            format = INSP_TEXT;
            libompd = optarg;
            break;
        case 'r':
            libompd = optarg;
            break;
        case 'k':
            stacks = 1;
            break;
        case 'g':
            registers = 1;
            break;
        case 'v':
            first = 1;
            break;
        case 'a':
            asked[count++ % 64] = strtoull(optarg, NULL, 0);
            break;
        case 'y':
            wanted[wanted_count++ % 16] = optarg;
            break;
        case 'l':
            tls = optarg;
            break;
        default:
            return 64;
        }
    }
    if (optind + 1 != argc)
        return 64;
    if (isdigit((unsigned char)argv[optind][0]))
        rc = cf_open_process(strtoll(argv[optind], NULL, 10), &options, &t, &error);
    else
        rc = cf_open_core(argv[optind], &options, &t, &error);
    if (rc) {
        fprintf(stderr, "%s\n", error);
        free(error);
        return 2;
    }
    if (libompd) {
        rc = report(t, libompd, format, stacks);
        cf_close(t);
        return rc;
    }
    cf_host(t, &host);
    session = insp_open(&host, NULL, &error);
    if (!session) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    for (int i = 0; i < wanted_count; i++) {
        uint64_t addr;

        if (!host.lookup(host.ctx, wanted[i], NULL, &addr))
            json_object_set_new(symbols, wanted[i], json_integer((json_int_t)addr));
    }
    for (int i = 0; i < count; i++) {
        char key[32];

        snprintf(key, sizeof(key), "0x%llx", (unsigned long long)asked[i]);
        json_object_set_new(bytes, key, read_json(&host, asked[i]));
        if (!host.place(host.ctx, asked[i], &place))
            json_object_set_new(
                places, key,
                json_pack("[s? I s? i]", place.symbol, (json_int_t)place.offset, place.file, place.line));
        json_object_set_new(names, key, name_json(session, &host, asked[i], first));
    }
    if (!tls)
        cf_resume(t); /* what follows must not need the process */
    cf_info(t, &info);
    all = json_pack("{s:I s:s? s:s? s:s? s:s? s:i s:i s:I s:I s:i s:i s:I}", "pid", (json_int_t)info.pid,
                    "exe", info.exe, "core", info.core, "command", info.command, "machine", info.machine,
                    "signal", info.signal, "code", info.signal_code, "addr", (json_int_t)info.signal_addr,
                    "crashed", (json_int_t)info.crashed_lwp, "truncated", info.truncated, "moving",
                    info.moving, "stopped_ns", (json_int_t)info.stopped_ns);
    json_object_set_new(all, "threads", threads_json(t, &host, stacks, registers, tls));
    json_object_set_new(all, "modules", list_modules(t));
    json_object_set_new(all, "names", names);
    json_object_set_new(all, "places", places);
    json_object_set_new(all, "bytes", bytes);
    json_object_set_new(all, "symbols", symbols);
    json_object_set_new(all, "problems", list_problems(t));
    json_dumpf(all, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(all);
    insp_close(session);
    cf_close(t);
    return 0;
}
