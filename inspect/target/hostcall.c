/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/base/printable.h"
#include "inspect/target/hostcall.h"

#include <inttypes.h>
#include <string.h>

/* Notes a broken host; passes RC on. WHAT completes "the debugger failed: ". */
static int checked(insp_session *s, int rc, const char *what)
{
    if (rc == INSP_HOST_FAILED && !s->host_failed) {
        s->host_failed = true;
        s->host_failure = insp_sentence("%s", what);
    }
    return rc;
}

int host_process(insp_session *s, int64_t *pid, const char **exe, const char **core, const char **hostname,
                 int32_t *signal, int64_t *crashed_lwp)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.process)
        return 1;
    return checked(s, s->host.process(s->host.ctx, pid, exe, core, hostname, signal, crashed_lwp),
                   "it could not describe the process");
}

int host_module(insp_session *s, uint32_t index, struct insp_module *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    return checked(s, s->host.module(s->host.ctx, index, ret), "it could not list the mapped files");
}

int host_read(insp_session *s, uint64_t addr, void *buf, uint64_t size)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.reads) {
        s->stats.reads++;
        s->stats.bytes += size;
    }
    return checked(s, s->host.read(s->host.ctx, addr, buf, size), "it could not read memory");
}

int host_thread(insp_session *s, uint32_t index, struct insp_thread *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    return checked(s, s->host.thread(s->host.ctx, index, ret), "it could not list the threads");
}

int host_lookup(insp_session *s, const char *symbol, const char *module, uint64_t *addr)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.lookup)
        return 1;
    s->stats.lookups++;
    return checked(s, s->host.lookup(s->host.ctx, symbol, module, addr), "it could not look up a symbol");
}

int host_lookup_tls(insp_session *s, int64_t lwp, const char *symbol, const char *module, uint64_t *addr)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.lookup_tls)
        return 1;
    s->stats.lookups++;
    return checked(s, s->host.lookup_tls(s->host.ctx, lwp, symbol, module, addr),
                   "it could not look up a thread-local symbol");
}

int host_place(insp_session *s, uint64_t addr, struct insp_place *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.place)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.place(s->host.ctx, addr, ret), "it could not name an address");
}

int host_reg(insp_session *s, int64_t lwp, uint32_t dwarf_reg, uint64_t *value)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.reg)
        return 1;
    return checked(s, s->host.reg(s->host.ctx, lwp, dwarf_reg, value), "it could not read a register");
}

int host_frame(insp_session *s, int64_t lwp, uint32_t index, struct insp_frame *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.frame)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.frame(s->host.ctx, lwp, index, ret), "it could not unwind a stack");
}

int host_region(insp_session *s, uint64_t addr, struct insp_region *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.region)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.region(s->host.ctx, addr, ret),
                   "it could not tell what memory an address is in");
}

int host_data(insp_session *s, uint32_t index, uint64_t *start, uint64_t *end, const char **module)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.data)
        return 1;
    return checked(s, s->host.data(s->host.ctx, index, start, end, module),
                   "it could not list the program's data");
}

int host_variable_at(insp_session *s, uint64_t addr, uint32_t index, struct insp_variable *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.variable_at)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.variable_at(s->host.ctx, addr, index, ret), "it could not name a variable");
}

int host_unit(insp_session *s, uint64_t pc, uint64_t *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.unit)
        return 1;
    return checked(s, s->host.unit(s->host.ctx, pc, ret), "it could not find a function's source file");
}

int host_variable(insp_session *s, int scope, uint64_t of, uint32_t frame, uint32_t index,
                  struct insp_variable *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.variable)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.variable(s->host.ctx, scope, of, frame, index, ret),
                   "it could not list variables");
}

int host_local(insp_session *s, int64_t lwp, uint32_t frame, uint32_t index, struct insp_local *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.local)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.local(s->host.ctx, lwp, frame, index, ret),
                   "it could not read local variables");
}

int host_type(insp_session *s, uint64_t type, struct insp_type *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.type)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.type(s->host.ctx, type, ret), "it could not describe a type");
}

int host_field(insp_session *s, uint64_t type, uint32_t index, struct insp_field *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.field)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.field(s->host.ctx, type, index, ret),
                   "it could not list a structure's members");
}

int host_array(insp_session *s, uint64_t type, uint64_t addr, struct insp_type *ret, uint64_t *start)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.array)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.array(s->host.ctx, type, addr, ret, start),
                   "it could not find an array's bounds");
}

int host_system_call(insp_session *s, int64_t lwp, struct insp_system_call *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.system_call)
        return -1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.system_call(s->host.ctx, lwp, ret),
                   "it could not tell in which system call a thread is");
}

int host_kernel(insp_session *s, int64_t lwp, struct insp_kernel *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.kernel)
        return 1;
    *ret = (struct insp_kernel){.processor = -1};
    return checked(s, s->host.kernel(s->host.ctx, lwp, ret), "it could not ask the kernel about a thread");
}

int host_descriptor(insp_session *s, int32_t fd, const char **ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.descriptor)
        return 1;
    return checked(s, s->host.descriptor(s->host.ctx, fd, ret), "it could not tell what a descriptor is");
}

int host_task(insp_session *s, int64_t tid, int64_t *pid, int32_t *parent)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    *pid = 0;
    *parent = 0;
    if (!s->host.task)
        return -1;
    return checked(s, s->host.task(s->host.ctx, tid, pid, parent), "it could not tell whose a thread is");
}

int host_environment(insp_session *s, uint32_t index, const char **ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.environment)
        return -1;
    return checked(s, s->host.environment(s->host.ctx, index, ret), "it could not tell the environment");
}

int host_identity(insp_session *s, const char **boot_id, uint64_t *start, int64_t *taken)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.identity)
        return 1;
    return checked(s, s->host.identity(s->host.ctx, boot_id, start, taken),
                   "it could not tell when the process began");
}

int host_origin(insp_session *s, int32_t *forked, int64_t *parent)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    *forked = 0;
    *parent = 0;
    if (!s->host.origin)
        return 1;
    return checked(s, s->host.origin(s->host.ctx, forked, parent),
                   "it could not tell where the process comes from");
}

int host_own_line(insp_session *s, uint64_t start, uint64_t addr, const char *in, const char **file,
                  int32_t *line)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    *file = NULL;
    *line = 0;
    if (!s->host.own_line)
        return 1;
    return checked(s, s->host.own_line(s->host.ctx, start, addr, in, file, line),
                   "it could not read a table of lines");
}

void host_count_reads(insp_session *s)
{
    uint64_t count, bytes;

    if (!s->host.reads || s->host_failed || s->host.reads(s->host.ctx, &count, &bytes))
        return;
    s->stats.reads = count - s->reads_before;
    s->stats.bytes = bytes - s->bytes_before;
}

int host_registers(insp_session *s, int64_t lwp, uint64_t reg[27], uint64_t *known)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.registers)
        return 1;
    s->registers_asked++;
    return checked(s, s->host.registers(s->host.ctx, lwp, reg, known),
                   "it could not read a thread's registers");
}

int host_frame_registers(insp_session *s, int64_t lwp, uint32_t index, struct insp_frame_registers *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.frame_registers)
        return 1;
    s->frames_asked++;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.frame_registers(s->host.ctx, lwp, index, ret), "it could not unwind a stack");
}

int host_mapping(insp_session *s, uint64_t addr, struct insp_mapping *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.mapping)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.mapping(s->host.ctx, addr, ret), "it could not tell what is mapped");
}

int host_signal(insp_session *s, struct insp_signal *ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.signal)
        return 1;
    memset(ret, 0, sizeof(*ret));
    return checked(s, s->host.signal(s->host.ctx, ret), "it could not tell at which signal the program is");
}

int host_allowed(insp_session *s, int64_t lwp, const char **ret)
{
    if (s->host_failed)
        return INSP_HOST_FAILED;
    if (!s->host.allowed)
        return 1;
    return checked(s, s->host.allowed(s->host.ctx, lwp, ret), "it could not tell where a thread may run");
}

int host_progress(insp_session *s, const char *what, uint64_t done, uint64_t total)
{
    return s->host.progress && !s->host_failed ? s->host.progress(s->host.ctx, what, done, total) : 0;
}

void host_print(insp_session *s, const char *text)
{
    if (s->host.print && !s->host_failed)
        s->host.print(s->host.ctx, text);
}

int host_read_string(insp_session *s, uint64_t addr, char *buf, size_t max)
{
    size_t at = 0;

    while (at < max) {
        /* Up to the next multiple of 256: such a piece lies within one page, so it is there as a whole or not
           at all. */
        size_t piece = 256 - (addr + at) % 256;
        int rc;

        if (piece > max - at)
            piece = max - at;
        rc = host_read(s, addr + at, buf + at, piece);
        if (rc)
            return rc;
        if (memchr(buf + at, '\0', piece))
            return 0;
        at += piece;
    }
    return 1;
}
