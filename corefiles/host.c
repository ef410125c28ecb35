/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * struct insp_host over a target.
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "corefiles/frames.h"
#include "machine/arch.h"
#include "corefiles/kernel.h"
#include "corefiles/locals.h"
#include "corefiles/modules.h"
#include "corefiles/place.h"
#include "corefiles/procfs.h"
#include "corefiles/read.h"
#include "corefiles/regions.h"
#include "corefiles/symbols.h"
#include "corefiles/target.h"
#include "corefiles/threads.h"
#include "corefiles/tls.h"
#include "corefiles/types.h"
#include "corefiles/units.h"
#include "corefiles/variables.h"

static int process(void *ctx, int64_t *pid, const char **exe, const char **core, const char **hostname,
                   int32_t *signal, int64_t *crashed_lwp)
{
    static char name[256];
    struct cf_target *t = ctx;

    *pid = t->info.pid;
    *exe = t->info.exe;
    *core = t->info.core;
    *hostname = t->live_pid && !gethostname(name, sizeof(name) - 1) ? name : NULL;
    *signal = t->info.signal;
    *crashed_lwp = t->info.crashed_lwp;
    return 0;
}

static int64_t nanoseconds(const struct timespec *t)
{
    return t->tv_sec > 0 && t->tv_sec < INT64_MAX / 1000000000 ? t->tv_sec * 1000000000 + t->tv_nsec : 0;
}

static int identity(void *ctx, const char **boot_id, uint64_t *start, int64_t *taken)
{
    struct cf_target *t = ctx;
    struct timespec now;
    struct stat st;

    if (t->live_pid) {
        *boot_id = cf_proc_boot();
        *start = t->started;
        *taken = clock_gettime(CLOCK_REALTIME, &now) ? 0 : nanoseconds(&now);
    } else {
        *boot_id = NULL;
        *start = 0;
        *taken = t->info.core && !stat(t->info.core, &st) ? nanoseconds(&st.st_mtim) : 0;
    }
    return 0;
}

static int module(void *ctx, uint32_t index, struct insp_module *ret)
{
    struct cf_target *t = ctx;

    if (index >= t->module_count)
        return 1;
    *ret = (struct insp_module){t->modules[index].base, t->modules[index].path};
    return 0;
}

static int read_memory(void *ctx, uint64_t addr, void *buf, uint64_t size)
{
    return cf_read(ctx, addr, buf, size);
}

static int thread(void *ctx, uint32_t index, struct insp_thread *ret)
{
    struct cf_target *t = ctx;

    if (index >= t->thread_count)
        return 1;
    *ret = (struct insp_thread){.lwp = t->threads[index].lwp,
                                .pthread = t->threads[index].pthread,
                                .is_current = t->threads[index].lwp == t->info.crashed_lwp,
                                .running = t->threads[index].running};
    return 0;
}

static int lookup(void *ctx, const char *symbol, const char *module, uint64_t *addr)
{
    return cf_lookup(ctx, symbol, module, addr);
}

static int lookup_tls(void *ctx, int64_t lwp, const char *symbol, const char *module, uint64_t *addr)
{
    return cf_lookup_tls(ctx, lwp, symbol, module, addr);
}

static int place(void *ctx, uint64_t addr, struct insp_place *ret)
{
    return cf_place(ctx, addr, ret);
}

static int reg(void *ctx, int64_t lwp, uint32_t dwarf_reg, uint64_t *value)
{
    /* psABI x86-64, figure 3.36. */
    enum { X86_64_FS_BASE = 58 };
    struct cf_target *t = ctx;
    const struct cf_thread *th = cf_thread_of(t, lwp);

    if (!th || !th->has_regs)
        return 1;
    if (dwarf_reg < t->arch->dwarf_count)
        *value = th->reg[dwarf_reg];
    else if (dwarf_reg == X86_64_FS_BASE && t->arch->machine == EM_X86_64)
        *value = th->tp;
    else
        return 1;
    return 0;
}

static int progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    struct cf_target *t = ctx;

    return t->options.progress ? t->options.progress(t->options.arg, what, done, total) : 0;
}

static void print(void *ctx, const char *text)
{
    struct cf_target *t = ctx;

    if (t->options.print)
        t->options.print(t->options.arg, text);
}

static int frame(void *ctx, int64_t lwp, uint32_t index, struct insp_frame *ret)
{
    return cf_host_frame(ctx, lwp, index, ret);
}

static int region(void *ctx, uint64_t addr, struct insp_region *ret)
{
    return cf_host_region(ctx, addr, ret);
}

static int data(void *ctx, uint32_t index, uint64_t *start, uint64_t *end, const char **module)
{
    return cf_host_data(ctx, index, start, end, module);
}

static int variable_at(void *ctx, uint64_t addr, uint32_t index, struct insp_variable *ret)
{
    return cf_host_variable_at(ctx, addr, index, ret);
}

static int unit(void *ctx, uint64_t pc, uint64_t *ret)
{
    return cf_host_unit(ctx, pc, ret);
}

static int variable(void *ctx, int scope, uint64_t of, uint32_t frame, uint32_t index,
                    struct insp_variable *ret)
{
    return scope == INSP_SCOPE_UNIT ? cf_host_unit_variable(ctx, of, index, ret)
                                    : cf_host_frame_variable(ctx, (int64_t)of, frame, index, ret);
}

static int type(void *ctx, uint64_t handle, struct insp_type *ret)
{
    return cf_host_type(ctx, handle, ret);
}

static int field(void *ctx, uint64_t handle, uint32_t index, struct insp_field *ret)
{
    return cf_host_field(ctx, handle, index, ret);
}

static int array(void *ctx, uint64_t handle, uint64_t addr, struct insp_type *ret, uint64_t *start)
{
    return cf_host_array(ctx, handle, addr, ret, start);
}

static int system_call(void *ctx, int64_t lwp, struct insp_system_call *ret)
{
    return cf_host_system_call(ctx, lwp, ret);
}

static int kernel(void *ctx, int64_t lwp, struct insp_kernel *ret)
{
    return cf_host_kernel(ctx, lwp, ret);
}

static int descriptor(void *ctx, int32_t fd, const char **ret)
{
    return cf_host_descriptor(ctx, fd, ret);
}

static int task(void *ctx, int64_t tid, int64_t *pid, int32_t *parent)
{
    return cf_host_task(ctx, tid, pid, parent);
}

static int reads(void *ctx, uint64_t *count, uint64_t *bytes)
{
    const struct cf_target *t = ctx;

    *count = t->reads;
    *bytes = t->bytes;
    return 0;
}

static int origin(void *ctx, int32_t *forked, int64_t *parent)
{
    return cf_host_origin(ctx, forked, parent);
}

static int own_line(void *ctx, uint64_t start, uint64_t addr, const char *in, const char **file,
                    int32_t *line)
{
    return cf_own_line(ctx, start, addr, in, file, line);
}

static int environment(void *ctx, uint32_t index, const char **ret)
{
    return cf_host_environment(ctx, index, ret);
}

static int registers(void *ctx, int64_t lwp, uint64_t reg[27], uint64_t *known)
{
    return cf_host_registers(ctx, lwp, reg, known);
}

static int mapping(void *ctx, uint64_t addr, struct insp_mapping *ret)
{
    return cf_host_mapping(ctx, addr, ret);
}

static int signal_of(void *ctx, struct insp_signal *ret)
{
    const struct cf_target *t = ctx;

    if (!t->info.signal)
        return 1;
    *ret = (struct insp_signal){.lwp = t->info.crashed_lwp,
                                .number = t->info.signal,
                                .known = t->info.signal_known,
                                .code = t->info.signal_code,
                                .address = t->info.signal_addr};
    return 0;
}

static int allowed(void *ctx, int64_t lwp, const char **ret)
{
    return cf_host_allowed(ctx, lwp, ret);
}

static int frame_registers(void *ctx, int64_t lwp, uint32_t index, struct insp_frame_registers *ret)
{
    return cf_host_frame_registers(ctx, lwp, index, ret);
}

static int local(void *ctx, int64_t lwp, uint32_t frame, uint32_t index, struct insp_local *ret)
{
    return cf_host_local(ctx, lwp, frame, index, ret);
}

static void opened(void *ctx, struct insp_session *session)
{
    ((struct cf_target *)ctx)->session = session;
}

void cf_host(struct cf_target *t, struct insp_host *ret)
{
    *ret = (struct insp_host){
        .version = INSP_HOST_VERSION,
        .size = sizeof(*ret),
        .ctx = t,
        .process = process,
        .module = module,
        .read = read_memory,
        .thread = thread,
        .lookup = lookup,
        .lookup_tls = lookup_tls,
        .place = place,
        .reg = reg,
        .progress = progress,
        .print = print,
        .frame = frame,
        .region = region,
        .data = data,
        .variable_at = variable_at,
        .unit = unit,
        .variable = variable,
        .type = type,
        .field = field,
        .array = array,
        .system_call = system_call,
        .kernel = kernel,
        .descriptor = descriptor,
        .task = task,
        .environment = environment,
        .registers = registers,
        .frame_registers = frame_registers,
        .identity = identity,
        .local = local,
        .mapping = mapping,
        .signal = signal_of,
        .allowed = allowed,
        .opened = opened,
        .origin = origin,
        .reads = reads,
        .own_line = own_line,
    };
}
