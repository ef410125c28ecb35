// SPDX-License-Identifier: Apache-2.0
#include "inspect/tests/fake_host.h"

#include <elf.h>
#include <utility>

#include <algorithm>

namespace
{

FakeHost *self(void *ctx)
{
    return static_cast<FakeHost *>(ctx);
}

int process(void *ctx, int64_t *pid, const char **exe, const char **core, const char **host, int32_t *signal,
            int64_t *crashed)
{
    FakeHost *h = self(ctx);
    if (h->fails(FakeHost::kProcess))
        return h->fail_code;
    *pid = h->pid;
    *exe = "/apps/u/mixed";
    *core = nullptr;
    *host = "node1";
    *signal = 0;
    *crashed = 0;
    return 0;
}

int module(void *ctx, uint32_t index, insp_module *ret)
{
    FakeHost *h = self(ctx);
    if (h->fails(FakeHost::kModule))
        return h->fail_code;
    if (index >= h->modules.size())
        return 1;
    ret->base = h->modules[index].base;
    ret->path = h->modules[index].path.c_str();
    return 0;
}

int read(void *ctx, uint64_t addr, void *buf, uint64_t size)
{
    FakeHost *h = self(ctx);
    if (h->fails(FakeHost::kRead))
        return h->fail_code;
    auto it = h->memory.upper_bound(addr);
    if (it == h->memory.begin())
        return -1;
    --it;
    uint64_t at = addr - it->first;
    if (at >= it->second.size())
        return -1;
    // Behind the end of a block there are zeros up to the end of its page.
    uint64_t end = (it->first + it->second.size() + 4095) & ~uint64_t{4095};
    if (addr + size > end)
        return -1;
    uint64_t n = it->second.size() - at;
    memset(buf, 0, size);
    memcpy(buf, it->second.data() + at, n < size ? n : size);
    for (++it; it != h->memory.end() && it->first < addr + size; ++it) {
        at = it->first - addr;
        n = it->second.size();
        memcpy(static_cast<char *>(buf) + at, it->second.data(), n < size - at ? n : size - at);
    }
    return 0;
}

int thread(void *ctx, uint32_t index, insp_thread *ret)
{
    FakeHost *h = self(ctx);
    if (h->fails(FakeHost::kThread))
        return h->fail_code;
    if (index >= h->threads.size())
        return 1;
    *ret = h->threads[index];
    return 0;
}

int lookup(void *ctx, const char *symbol, const char *, uint64_t *addr)
{
    FakeHost *h = self(ctx);
    if (h->fails(FakeHost::kLookup))
        return h->fail_code;
    auto it = h->symbols.find(symbol);
    if (it == h->symbols.end())
        return 1;
    *addr = it->second;
    return 0;
}

int lookup_tls(void *ctx, int64_t, const char *, const char *, uint64_t *)
{
    FakeHost *h = self(ctx);
    return h->fails(FakeHost::kLookupTls) ? h->fail_code : 1;
}

int place(void *ctx, uint64_t addr, insp_place *ret)
{
    FakeHost *h = self(ctx);
    if (h->fails(FakeHost::kPlace))
        return h->fail_code;
    auto it = h->places.upper_bound(addr);
    if (it == h->places.begin())
        return 1;
    --it;
    if (addr - it->first >= it->second.size)
        return 1;
    ret->symbol = it->second.symbol.empty() ? nullptr : it->second.symbol.c_str();
    ret->offset = addr - it->first;
    ret->file = it->second.file.empty() ? nullptr : it->second.file.c_str();
    ret->line = it->second.line;
    return 0;
}

int progress(void *ctx, const char *, uint64_t, uint64_t)
{
    FakeHost *h = self(ctx);
    if (std::function<void()> hook = std::exchange(h->on_progress, nullptr))
        hook();
    return h->fails(FakeHost::kProgress) || h->cancel;
}

int frame(void *ctx, int64_t lwp, uint32_t index, insp_frame *ret)
{
    FakeHost *h = self(ctx);
    if (h->fails(FakeHost::kFrame))
        return h->fail_code;
    if (!index)
        h->unwound.push_back(lwp);
    auto it = h->frames.find(lwp);
    if (it == h->frames.end() || index >= it->second.size())
        return 1;
    const FakeHost::Frame &f = it->second[index];
    ret->pc = f.pc;
    ret->place.symbol = f.function.empty() ? nullptr : f.function.c_str();
    ret->place.file = f.file.empty() ? nullptr : f.file.c_str();
    ret->place.line = f.line;
    ret->place.module = f.module.c_str();
    ret->inlined = f.inlined;
    return 0;
}

int reg(void *ctx, int64_t lwp, uint32_t number, uint64_t *value)
{
    FakeHost *h = self(ctx);
    auto it = h->reg.find({lwp, number});
    if (it == h->reg.end())
        return 1;
    *value = it->second;
    return 0;
}

int registers(void *ctx, int64_t lwp, uint64_t reg[27], uint64_t *known)
{
    FakeHost *h = self(ctx);
    auto it = h->user.find(lwp);
    if (h->broken || it == h->user.end())
        return h->broken ? INSP_HOST_FAILED : 1;
    memcpy(reg, it->second.reg, sizeof it->second.reg);
    *known = it->second.known;
    return 0;
}

int frame_registers(void *ctx, int64_t lwp, uint32_t index, insp_frame_registers *ret)
{
    FakeHost *h = self(ctx);
    auto it = h->stacks.find(lwp);
    if (it == h->stacks.end() || index >= it->second.size())
        return 1;
    *ret = it->second[index];
    return 0;
}

int system_call(void *ctx, int64_t lwp, insp_system_call *ret)
{
    FakeHost *h = self(ctx);
    h->kernel_asked.push_back(lwp);
    auto it = h->system_calls.find(lwp);
    if (it == h->system_calls.end())
        return 1;
    *ret = it->second;
    return 0;
}

int kernel(void *ctx, int64_t lwp, insp_kernel *ret)
{
    FakeHost *h = self(ctx);
    h->kernel_asked.push_back(lwp);
    auto it = h->kernels.find(lwp);
    if (it == h->kernels.end())
        return 1;
    *ret = it->second;
    return 0;
}

int descriptor(void *ctx, int32_t fd, const char **ret)
{
    FakeHost *h = self(ctx);
    auto it = h->descriptors.find(fd);
    if (it == h->descriptors.end())
        return 1;
    *ret = it->second.c_str();
    return 0;
}

int environment(void *ctx, uint32_t index, const char **ret)
{
    FakeHost *h = self(ctx);
    if (index >= h->environment.size())
        return 1;
    *ret = h->environment[index].c_str();
    return 0;
}

int task(void *ctx, int64_t tid, int64_t *pid, int32_t *parent)
{
    FakeHost *h = self(ctx);
    auto it = h->tasks.find(tid);
    if (it == h->tasks.end())
        return h->tasks_known ? 1 : -1;
    *pid = it->second.process;
    *parent = it->second.parent;
    return 0;
}

int region(void *ctx, uint64_t addr, insp_region *ret)
{
    FakeHost *h = self(ctx);
    h->asked++;
    for (const insp_region &one : h->regions)
        if (addr >= one.start && addr < one.end) {
            *ret = one;
            return 0;
        }
    return 1;
}

int data(void *ctx, uint32_t index, uint64_t *start, uint64_t *end, const char **module)
{
    FakeHost *h = self(ctx);
    h->asked++;
    if (index >= h->data.size())
        return 1;
    *start = h->data[index].first;
    *end = h->data[index].second;
    *module = nullptr;
    return 0;
}

void give(const FakeHost::Variable &v, insp_variable *ret)
{
    ret->name = v.name.c_str();
    ret->function = v.function.empty() ? nullptr : v.function.c_str();
    ret->symbol = v.symbol.empty() ? nullptr : v.symbol.c_str();
    ret->file = v.file.empty() ? nullptr : v.file.c_str();
    ret->line = v.line;
    ret->type = v.type;
    ret->address = v.address;
    ret->is_value = v.is_value;
    ret->depth = v.depth;
}

int variable_at(void *ctx, uint64_t addr, uint32_t index, insp_variable *ret)
{
    FakeHost *h = self(ctx);
    h->asked++;
    for (const FakeHost::Variable &v : h->statics)
        if (addr >= v.address && addr - v.address < std::max<uint64_t>(h->size_of(v.type), 1) && !index--) {
            give(v, ret);
            return 0;
        }
    return 1;
}

int unit(void *ctx, uint64_t pc, uint64_t *ret)
{
    FakeHost *h = self(ctx);
    h->asked++;
    auto it = h->unit_of.find(pc);
    if (it == h->unit_of.end())
        return 1;
    *ret = it->second;
    return 0;
}

int variable(void *ctx, int scope, uint64_t of, uint32_t frame, uint32_t index, insp_variable *ret)
{
    FakeHost *h = self(ctx);
    h->asked++;
    if (scope == INSP_SCOPE_FRAME && !index)
        h->looked.emplace_back(of, frame);
    const std::vector<FakeHost::Variable> &list =
        scope == INSP_SCOPE_UNIT ? h->units[of] : h->locals[std::make_pair(of, frame)];
    if (index >= list.size())
        return 1;
    give(list[index], ret);
    return 0;
}

int type(void *ctx, uint64_t number, insp_type *ret)
{
    FakeHost *h = self(ctx);
    h->asked++;
    auto it = h->types.find(number);
    if (it == h->types.end())
        return 1;
    const FakeHost::Type &t = it->second;
    ret->kind = t.kind;
    ret->fortran = t.fortran;
    ret->name = t.name.empty() ? nullptr : t.name.c_str();
    ret->size = t.size;
    ret->target = t.target;
    ret->described = t.described;
    ret->dimensions = static_cast<uint32_t>(t.dimensions.size());
    for (size_t i = 0; i < t.dimensions.size() && i < INSP_DIMENSIONS; i++) {
        ret->dimension[i].lower = t.dimensions[i].first;
        ret->dimension[i].count = t.dimensions[i].second;
    }
    return 0;
}

int field(void *ctx, uint64_t number, uint32_t index, insp_field *ret)
{
    FakeHost *h = self(ctx);
    h->asked++;
    auto it = h->types.find(number);
    if (it == h->types.end() || index >= it->second.fields.size())
        return 1;
    const FakeHost::Field &f = it->second.fields[index];
    ret->name = f.name.empty() ? nullptr : f.name.c_str();
    ret->type = f.type;
    ret->offset = f.offset;
    ret->bit_size = f.bit_size;
    ret->base = f.base;
    return 0;
}

int array(void *ctx, uint64_t, uint64_t addr, insp_type *ret, uint64_t *start)
{
    FakeHost *h = self(ctx);
    h->asked++;
    auto it = h->arrays.find(addr);
    if (it == h->arrays.end() || type(ctx, it->second.first, ret))
        return 1;
    *start = it->second.second;
    return 0;
}

void print(void *ctx, const char *text)
{
    self(ctx)->printed += text;
}

int own_line(void *ctx, uint64_t start, uint64_t addr, const char *, const char **file, int32_t *line)
{
    FakeHost *h = self(ctx);
    auto it = h->own_lines.find(addr);
    if (it == h->own_lines.end() || it->second.start != start)
        return 1;
    *file = it->second.file.c_str();
    *line = it->second.line;
    return 0;
}

int origin(void *ctx, int32_t *forked, int64_t *parent)
{
    const FakeHost *h = static_cast<FakeHost *>(ctx);

    *forked = h->origin == FakeHost::kForked;
    *parent = h->forked_by;
    return h->origin == FakeHost::kOriginUnknown ? 1 : 0;
}

} // namespace

insp_host FakeHost::table()
{
    insp_host host = {};
    host.version = INSP_HOST_VERSION;
    host.size = sizeof(host);
    host.ctx = this;
    host.process = process;
    host.module = module;
    host.read = read;
    host.thread = thread;
    host.lookup = lookup;
    host.lookup_tls = lookup_tls;
    host.place = place;
    host.progress = progress;
    host.print = print;
    host.frame = frame;
    host.reg = ::reg;
    host.registers = ::registers;
    host.frame_registers = frame_registers;
    host.origin = ::origin;
    host.own_line = ::own_line;
    if (registers) {
        host.system_call = system_call;
        host.kernel = kernel;
        host.descriptor = descriptor;
        host.task = task;
        host.environment = environment.empty() ? nullptr : ::environment;
    }
    if (!facts)
        return host;
    host.region = region;
    host.data = ::data;
    host.variable_at = variable_at;
    host.unit = unit;
    host.variable = variable;
    host.type = type;
    host.field = field;
    host.array = array;
    return host;
}

uint64_t FakeHost::size_of(uint64_t type) const
{
    auto it = types.find(type);
    uint64_t size = 1;
    if (it == types.end() || it->second.size)
        return it == types.end() ? 0 : it->second.size;
    for (auto dimension : it->second.dimensions)
        size *= dimension.second;
    return it->second.kind == INSP_TYPE_ARRAY ? size * size_of(it->second.target) : 0;
}

void FakeHost::put_lock(uint64_t addr, const std::string &name)
{
    facts = true;
    types[1] = {INSP_TYPE_ALIAS, "omp_lock_t", 4};
    statics.push_back({name, 1, addr});
}

std::vector<uint8_t> elf_page(int32_t offset, uint32_t table_size, uint32_t major, uint64_t load_size)
{
    std::vector<uint8_t> page(4096);
    Elf64_Ehdr head = {};
    Elf64_Phdr ph[2] = {};
    struct {
        Elf64_Nhdr head;
        char owner[8];
        uint32_t word[4];
    } note = {{5, 16, 1}, "OMPC", {static_cast<uint32_t>(offset), table_size, major, 0}};

    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_phoff = sizeof(head);
    head.e_phentsize = sizeof(Elf64_Phdr);
    head.e_phnum = 2;
    ph[0].p_type = PT_LOAD;
    ph[0].p_memsz = load_size;
    ph[1].p_type = PT_NOTE;
    ph[1].p_offset = kNoteOffset;
    ph[1].p_filesz = sizeof(note);
    ph[1].p_align = 4;
    memcpy(&page[0], &head, sizeof(head));
    memcpy(&page[sizeof(head)], ph, sizeof(ph));
    memcpy(&page[kNoteOffset], &note, sizeof(note));
    return page;
}

void FakeHost::put_runtime(uint64_t base, const std::string &path, uint64_t table, bool started)
{
    std::vector<uint8_t> page =
        elf_page(static_cast<int32_t>(table - (base + kDescOffset)), 4096, 1, table + 0x10000 - base);
    std::vector<uint8_t> header(32);

    modules.push_back({base, path});
    memory[base] = page;
    if (started) {
        memcpy(&header[0], "OMPCLAYT", 8);
        memcpy(&header[24], &table, 8);
    }
    memory[table] = header;
}
