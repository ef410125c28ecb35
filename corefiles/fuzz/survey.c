/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/fuzz/survey.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corefiles/corefiles.h"
#include "inspect/inspect.h"
#include "ompdx.h"

/** The core, and the way to the answers. */
struct survey {
    const uint8_t *data;
    size_t size;
    struct cf_target *target;
    struct insp_host host;
    insp_session *session;
    struct insp_viewer viewer; /**< the first thread */
};

/* So much of a kind is asked for. A core of a few kilobytes can name thousands. */
enum { MANY = 24, FRAMES = 64 };

#define MUST(condition)                                                 \
    do {                                                                \
        if (!(condition)) {                                             \
            fprintf(stderr, "survey: does not hold: %s\n", #condition); \
            abort();                                                    \
        }                                                               \
    } while (0)

static void text(const char *s)
{
    if (s)
        MUST(strlen(s) < 1 << 20);
}

static bool header(const struct survey *s, size_t index, Elf64_Phdr *ret)
{
    Elf64_Ehdr eh;
    uint64_t at;

    if (s->size < sizeof(eh))
        return false;
    memcpy(&eh, s->data, sizeof(eh));
    at = eh.e_phoff + index * sizeof(*ret);
    if (memcmp(eh.e_ident, ELFMAG, SELFMAG) || index >= eh.e_phnum || at > s->size ||
        s->size - at < sizeof(*ret))
        return false;
    memcpy(ret, s->data + at, sizeof(*ret));
    return true;
}

/* One byte of memory is that of some segment there. */
static void byte_at(const struct survey *s, uint64_t addr)
{
    uint8_t got;
    Elf64_Phdr ph;

    if (s->host.read(s->host.ctx, addr, &got, 1))
        return;
    for (size_t i = 0; header(s, i, &ph); i++) {
        uint64_t at = addr - ph.p_vaddr, place = ph.p_offset + at;

        if (ph.p_type == PT_LOAD && at < ph.p_filesz && at < ph.p_memsz && place < s->size &&
            s->data[place] == got)
            return;
    }
    MUST(!"a byte that the core does not have");
}

static void address(const struct survey *s, uint64_t addr)
{
    const struct insp_host *h = &s->host;
    struct insp_place place;
    struct insp_object object;
    uint8_t bytes[64];

    (void)h->read(h->ctx, addr, bytes, sizeof(bytes));
    if (!h->place(h->ctx, addr, &place)) {
        text(place.symbol);
        text(place.file);
        text(place.module);
    }
    if (!insp_name(s->session, addr, &s->viewer, s->viewer.lwp != 0, &object)) {
        MUST(object.text);
        text(object.text);
        text(object.function);
        text(object.type);
        text(object.file);
    }
}

static int one_frame(const struct cf_frame *frame, void *arg)
{
    uint32_t *count = arg;

    ++*count;
    text(frame->function);
    text(frame->symbol);
    text(frame->file);
    text(frame->module);
    return 0;
}

static void registers(const struct survey *s, int64_t lwp)
{
    const uint64_t all = (UINT64_C(1) << ompdx_registers) - 1,
                   kept = UINT64_C(1) << ompdx_reg_rip | UINT64_C(1) << ompdx_reg_rsp |
                          ((UINT64_C(1) << (ompdx_reg_rbx + 1)) - 1);
    const struct insp_host *h = &s->host;
    uint64_t reg[ompdx_registers], known;
    struct insp_frame_registers frame;
    const int rc = h->registers(h->ctx, lwp, reg, &known);

    MUST(rc || !(known & ~all));
    for (uint32_t i = 0; i < FRAMES && !h->frame_registers(h->ctx, lwp, i, &frame); i++) {
        MUST(!(frame.known & ~kept));
        MUST(!rc);
        MUST(i ||
             (frame.exact && frame.pc == reg[ompdx_reg_rip] && frame.sp == reg[ompdx_reg_rsp] &&
              frame.known == kept && frame.r15 == reg[ompdx_reg_r15] && frame.rbx == reg[ompdx_reg_rbx]));
    }
}

static void one_thread(const struct survey *s, int64_t lwp)
{
    const struct insp_host *h = &s->host;
    struct insp_frame frame;
    const char *why = NULL;
    uint64_t value;
    uint32_t count = 0;
    int rc = cf_stack(s->target, lwp, FRAMES, one_frame, &count, &why);

    MUST(count <= FRAMES);
    MUST(rc == 0 || why);
    MUST(rc < 0 || count);
    text(why);
    for (uint32_t i = 0; i < FRAMES && !h->frame(h->ctx, lwp, i, &frame); i++)
        text(frame.place.symbol);
    for (uint32_t i = 0; i < 64; i++)
        if (!h->reg(h->ctx, lwp, i, &value) && i % 8 == 7)
            address(s, value); /* stack pointer, frame pointer and the like */
    (void)h->lookup_tls(h->ctx, lwp, "own", NULL, &value);
    registers(s, lwp);
}

/* Where memory of a segment begins, goes over from the file's to what is not there, and ends. */
static void edges(const struct survey *s, void (*ask)(const struct survey *s, uint64_t addr))
{
    Elf64_Phdr ph;

    for (size_t i = 0; i < MANY && header(s, i, &ph); i++) {
        const uint64_t places[] = {ph.p_vaddr,
                                   ph.p_vaddr + ph.p_filesz / 2,
                                   ph.p_vaddr + ph.p_filesz - 1,
                                   ph.p_vaddr + ph.p_filesz,
                                   ph.p_vaddr + ph.p_memsz - 1,
                                   ph.p_vaddr + ph.p_memsz};

        for (size_t k = 0; k < sizeof(places) / sizeof(*places); k++)
            ask(s, places[k]);
    }
}

static void ask(struct survey *s)
{
    const struct insp_host *h = &s->host;
    static const char *const symbols[] = {"grid", "spin", "_rtld_global", "own", "none"};
    struct insp_module module;
    struct insp_thread thread;
    struct cf_module mapped;
    struct cf_problem problem;
    struct cf_info info;
    uint64_t addr;

    cf_info(s->target, &info);
    text(info.exe);
    text(info.command);
    MUST(info.machine);
    for (uint32_t i = 0; i < MANY && !h->module(h->ctx, i, &module); i++)
        MUST(module.path);
    for (uint32_t i = 0; i < MANY && !cf_module(s->target, i, &mapped); i++) {
        text(mapped.path);
        text(mapped.build_id);
        address(s, mapped.base);
        address(s, mapped.end - 1);
    }
    MUST(!h->thread(h->ctx, 0, &thread));
    s->viewer.lwp = thread.lwp;
    for (uint32_t i = 0; i < MANY && !h->thread(h->ctx, i, &thread); i++) {
        one_thread(s, thread.lwp);
        address(s, thread.pthread);
    }
    edges(s, address);
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
        if (!h->lookup(h->ctx, symbols[i], NULL, &addr))
            for (unsigned k = 0; k < 64; k += 4)
                address(s, addr + k);
    for (uint32_t i = 0; !cf_problem(s->target, i, &problem); i++)
        MUST(problem.what && problem.why && problem.remedy);
}

/* Opens the core in FD with PROGRAM for its executable, and has all asked that ASK asks. */
static int look(struct survey *s, int fd, const char *program, void (*ask)(struct survey *s))
{
    /* Nothing of this machine takes part: what a core names is looked for where nothing is. */
    struct cf_options options = {
        .size = sizeof(options), .executable = program, .sysroot = "/proc/self/fdinfo"};
    char path[64], *error = NULL;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (cf_open_core(path, &options, &s->target, &error)) {
        MUST(error && *error);
        free(error);
        return 0;
    }
    cf_host(s->target, &s->host);
    s->session = insp_open(&s->host, NULL, &error);
    MUST(s->session);
    ask(s);
    insp_close(s->session);
    cf_close(s->target);
    return 1;
}

static void ask_bytes(struct survey *s)
{
    edges(s, byte_at);
}

int survey_core(const uint8_t *data, size_t size, const char *program)
{
    struct survey s = {.data = data, .size = size};
    int fd = memfd_create("core", MFD_CLOEXEC), opened;

    MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    opened = look(&s, fd, program, ask);
    /* No file but the core. What is compressed has no headers to compare with. */
    if (opened && size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
        MUST(look(&s, fd, NULL, ask_bytes));
    close(fd);
    return opened;
}
