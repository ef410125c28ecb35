// SPDX-License-Identifier: Apache-2.0
#include "inspect/tests/fake_host.h"

#include <elf.h>
#include <utility>

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
    auto it = h->frames.find(lwp);
    if (it == h->frames.end() || index >= it->second.size())
        return 1;
    const FakeHost::Frame &f = it->second[index];
    ret->pc = f.pc;
    ret->place.symbol = f.function.empty() ? nullptr : f.function.c_str();
    ret->place.file = f.file.empty() ? nullptr : f.file.c_str();
    ret->place.line = f.line;
    ret->place.module = f.module.c_str();
    return 0;
}

int object(void *ctx, uint64_t addr, const char **expression)
{
    FakeHost *h = self(ctx);
    auto it = h->objects.find(addr);
    if (it == h->objects.end())
        return 1;
    *expression = it->second.c_str();
    return 0;
}

int object_from(void *ctx, uint64_t addr, const insp_viewer *viewers, uint32_t count, const char **expression)
{
    FakeHost::Asked asked = {addr, {}};

    for (uint32_t i = 0; i < count; i++)
        asked.viewers.emplace_back(viewers[i].lwp, viewers[i].pc);
    self(ctx)->asked.push_back(asked);
    return object(ctx, addr, expression);
}

void print(void *ctx, const char *text)
{
    self(ctx)->printed += text;
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
    host.object = object;
    if (names_from)
        host.object_from = object_from;
    return host;
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
