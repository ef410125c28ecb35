// SPDX-License-Identifier: Apache-2.0
// Cores that no kernel wrote: of another machine, of 100 GB, of 70,000 mappings. (Damaged ones:
// corefiles/fuzz/.)
#include <elf.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <string>
#include <vector>

#include "corefiles/corefiles.h"

namespace
{

using Bytes = std::vector<uint8_t>;

template <typename T> void put(Bytes &to, const T &value)
{
    const uint8_t *at = reinterpret_cast<const uint8_t *>(&value);
    to.insert(to.end(), at, at + sizeof(T));
}

struct Load {
    uint64_t addr, size; // in memory
    Bytes data;          // in the file
    uint32_t flags;
};

// An ELF core, made by hand from elf(5) and <linux/elfcore.h>.
struct Core {
    uint16_t machine = EM_X86_64;
    Bytes notes;
    std::vector<Load> loads;
    uint64_t shift = 0; // of the last load's place in the file

    void note(uint32_t type, const Bytes &desc, const char *owner = "CORE")
    {
        put(notes, Elf64_Nhdr{static_cast<Elf64_Word>(strlen(owner) + 1),
                              static_cast<Elf64_Word>(desc.size()), type});
        for (const Bytes &part : {Bytes(owner, owner + strlen(owner) + 1), desc}) {
            notes.insert(notes.end(), part.begin(), part.end());
            notes.resize((notes.size() + 3) & ~size_t(3));
        }
    }

    // Registers by their place in user_regs.
    void thread(int32_t pid, uint16_t signal, const std::vector<uint64_t> &regs)
    {
        Bytes status(112);
        memcpy(&status[12], &signal, 2);
        memcpy(&status[32], &pid, 4);
        for (uint64_t reg : regs)
            put(status, reg);
        status.resize(status.size() + 8);
        note(NT_PRSTATUS, status);
    }

    void files(const std::vector<std::pair<Load, std::string>> &list)
    {
        Bytes desc;
        put(desc, uint64_t(list.size()));
        put(desc, uint64_t(4096));
        for (const auto &entry : list) {
            put(desc, entry.first.addr);
            put(desc, entry.first.addr + entry.first.size);
            put(desc, uint64_t(0));
        }
        for (const auto &entry : list)
            desc.insert(desc.end(), entry.second.c_str(), entry.second.c_str() + entry.second.size() + 1);
        note(NT_FILE, desc);
    }

    Bytes image() const
    {
        Bytes out;
        Elf64_Ehdr eh = {};
        memcpy(eh.e_ident, ELFMAG, SELFMAG);
        eh.e_ident[EI_CLASS] = ELFCLASS64;
        eh.e_ident[EI_DATA] = ELFDATA2LSB;
        eh.e_ident[EI_VERSION] = EV_CURRENT;
        eh.e_type = ET_CORE;
        eh.e_machine = machine;
        eh.e_phoff = sizeof eh;
        eh.e_phentsize = sizeof(Elf64_Phdr);
        eh.e_phnum = static_cast<Elf64_Half>(loads.size() + 1);
        put(out, eh);
        uint64_t at = sizeof eh + (loads.size() + 1) * sizeof(Elf64_Phdr);
        put(out, Elf64_Phdr{PT_NOTE, 0, at, 0, 0, notes.size(), 0, 4});
        at += notes.size();
        for (const Load &load : loads) {
            put(out, Elf64_Phdr{PT_LOAD, load.flags, at, load.addr, 0, load.data.size(), load.size, 4096});
            at += load.data.size();
        }
        out.insert(out.end(), notes.begin(), notes.end());
        for (const Load &load : loads)
            out.insert(out.end(), load.data.begin(), load.data.end());
        return out;
    }
};

// A file without a name that has these contents.
class File
{
  public:
    explicit File(const Bytes &bytes) : fd_(memfd_create("core", MFD_CLOEXEC))
    {
        EXPECT_EQ(write(fd_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    ~File() { close(fd_); }
    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
    int fd() const { return fd_; }

  private:
    int fd_;
};

struct Target {
    cf_target *target = nullptr;
    char *error = nullptr;
    insp_host host;

    explicit Target(const std::string &path)
    {
        if (cf_open_core(path.c_str(), nullptr, &target, &error) == 0)
            cf_host(target, &host);
    }
    ~Target()
    {
        cf_close(target);
        free(error);
    }
};

int collect(const cf_frame *frame, void *arg)
{
    static_cast<std::vector<uint64_t> *>(arg)->push_back(frame->pc);
    return 0;
}

Bytes words(std::initializer_list<uint64_t> list)
{
    Bytes out;
    for (uint64_t word : list)
        put(out, word);
    return out;
}

enum : uint64_t { RUNTIME = 0x7f0000000000, STACK = 0x7fff00000000 };

// The first page of a library with Companion's note (docs/core-note.md) and no file anywhere.
Load runtime_page()
{
    Bytes page(4096), note;
    Elf64_Ehdr eh = {};
    memcpy(eh.e_ident, ELFMAG, SELFMAG);
    eh.e_ident[EI_CLASS] = ELFCLASS64;
    eh.e_ident[EI_DATA] = ELFDATA2LSB;
    eh.e_type = ET_DYN;
    eh.e_phoff = sizeof eh;
    eh.e_phentsize = sizeof(Elf64_Phdr);
    eh.e_phnum = 2;
    Elf64_Phdr load = {PT_LOAD, PF_R | PF_X, 0, 0, 0, 0x4000, 0x4000, 4096};
    Elf64_Phdr notes = {PT_NOTE, PF_R, 0x200, 0x200, 0, 0x60, 0x60, 4};
    memcpy(&page[0], &eh, sizeof eh);
    memcpy(&page[sizeof eh], &load, sizeof load);
    memcpy(&page[sizeof eh + sizeof load], &notes, sizeof notes);
    put(note, Elf64_Nhdr{4, 4, NT_GNU_BUILD_ID});
    note.insert(note.end(), {'G', 'N', 'U', 0, 0xde, 0xad, 0xbe, 0xef});
    put(note, Elf64_Nhdr{5, 16, 1});
    note.insert(note.end(), {'O', 'M', 'P', 'C', 0, 0, 0, 0});
    note.resize(note.size() + 16);
    memcpy(&page[0x200], note.data(), note.size());
    return {RUNTIME, 0x4000, page, PF_R | PF_X};
}

Core aarch64()
{
    Core core;
    core.machine = EM_AARCH64;
    std::vector<uint64_t> regs(34);
    for (size_t i = 0; i < regs.size(); i++)
        regs[i] = 0x1000 + i;
    regs[29] = STACK + 0x20; // frame pointer
    regs[31] = STACK;        // stack pointer
    regs[32] = RUNTIME + 0x1000;
    core.thread(501, SIGSEGV, regs);
    core.note(NT_ARM_TLS, words({0x7f1234567890}), "LINUX");
    core.thread(502, 0, regs);
    core.note(NT_ARM_TLS, words({0x7f1234567900}), "LINUX");
    Load page = runtime_page();
    core.files({{page, "/nowhere/libompcompanion.so.1"}});
    core.loads = {page, {STACK, 4096, Bytes(4096), PF_R | PF_W}};
    Bytes frames = words({STACK + 0x40, RUNTIME + 0x2000, 0, 0, 0, 0x400000});
    memcpy(&core.loads[1].data[0x20], frames.data(), frames.size());
    return core;
}

TEST(Synthetic, Aarch64)
{
    File file(aarch64().image());
    Target t(file.path());
    ASSERT_NE(t.target, nullptr) << t.error;
    struct cf_info info;
    cf_info(t.target, &info);
    EXPECT_STREQ(info.machine, "aarch64");
    EXPECT_EQ(info.signal, SIGSEGV);
    EXPECT_EQ(info.crashed_lwp, 501);
    uint64_t value;
    for (uint32_t i = 0; i < 29; i++) {
        ASSERT_EQ(t.host.reg(t.target, 502, i, &value), 0);
        EXPECT_EQ(value, 0x1000 + i);
    }
    ASSERT_EQ(t.host.reg(t.target, 501, 32, &value), 0);
    EXPECT_EQ(value, RUNTIME + 0x1000);
    struct cf_module module;
    ASSERT_EQ(cf_module(t.target, 0, &module), 0);
    EXPECT_STREQ(module.build_id, "deadbeef");
    EXPECT_EQ(module.file, nullptr);
    // The runtime's file is missing: its frames are followed by their pointers, to where no file is known.
    std::vector<uint64_t> pcs;
    const char *why;
    EXPECT_EQ(cf_stack(t.target, 501, 0, collect, &pcs, &why), 1);
    EXPECT_EQ(pcs, (std::vector<uint64_t>{RUNTIME + 0x1000, RUNTIME + 0x2000, 0x400000}));
    EXPECT_STREQ(why, "it goes through 0x400000, which lies in no file");
}

// A thread is in a system call where its next instruction makes one; its number alone is left over from any.
TEST(Synthetic, Aarch64SystemCall)
{
    enum : uint64_t { NUMBER = 98 };
    struct {
        uint64_t pc;
        int expected;
    } const cases[] = {
        {RUNTIME + 0x800, 0},   // at svc
        {RUNTIME + 0x804, -1},  // just after it: x0 is the result already
        {RUNTIME + 0x808, 1},   // elsewhere
        {RUNTIME + 0x2000, -1}, // in code that the core has not
        {2, -1},
    };
    for (const auto &one : cases) {
        Core core = aarch64();
        std::vector<uint64_t> regs(34);
        for (size_t i = 0; i < 6; i++)
            regs[i] = 0x100 + i;
        regs[8] = NUMBER;
        regs[32] = one.pc;
        core.thread(503, 0, regs);
        const uint32_t svc = 0xd4000001;
        memcpy(&core.loads[0].data[0x800], &svc, sizeof svc);
        File file(core.image());
        Target t(file.path());
        ASSERT_NE(t.target, nullptr) << t.error;
        insp_system_call call = {};
        EXPECT_EQ(t.host.system_call(t.target, 503, &call), one.expected) << std::hex << one.pc;
        if (one.expected != 0)
            continue;
        EXPECT_EQ(call.machine, EM_AARCH64);
        EXPECT_EQ(call.number, static_cast<int64_t>(NUMBER));
        EXPECT_EQ(call.arg[0], 0x100U);
        EXPECT_EQ(call.arg[5], 0x105U);
        EXPECT_EQ(call.result, -512);
        EXPECT_EQ(call.inside, 0);
    }
}

// struct user_regs_struct: r10 is 7, r9 8, r8 9, rax 10, rdx 12, rsi 13, rdi 14, orig_rax 15.
TEST(Synthetic, SystemCall)
{
    Core core;
    std::vector<uint64_t> regs(27);
    regs[14] = 1, regs[13] = 2, regs[12] = 3, regs[7] = 4, regs[9] = 5, regs[8] = 6;
    regs[10] = static_cast<uint64_t>(-512);
    regs[15] = 202;
    core.thread(501, 0, regs);
    regs[15] = UINT64_MAX;
    core.thread(502, 0, regs);
    // The kernel has moved it back to its call.
    regs[10] = 230;
    regs[16] = RUNTIME + 0x800;
    core.thread(503, 0, regs);
    regs[16] = RUNTIME + 0x802;
    core.thread(504, 0, regs);
    regs[16] = RUNTIME + 0x2000; // in code that the core has not
    core.thread(505, 0, regs);
    Load page = runtime_page();
    memcpy(&page.data[0x800], "\x0f\x05\x48", 3);
    core.files({{page, "/nowhere/libompcompanion.so.1"}});
    core.loads = {page, {STACK, 4096, Bytes(4096), PF_R | PF_W}};
    File file(core.image());
    Target t(file.path());
    ASSERT_NE(t.target, nullptr) << t.error;
    insp_system_call call = {};
    insp_kernel kernel;
    const char *link;
    ASSERT_EQ(t.host.system_call(t.target, 501, &call), 0);
    EXPECT_EQ(call.machine, EM_X86_64);
    EXPECT_EQ(call.number, 202);
    EXPECT_EQ(call.result, -512);
    for (uint64_t i = 0; i < 6; i++)
        EXPECT_EQ(call.arg[i], i + 1);
    EXPECT_EQ(t.host.system_call(t.target, 502, &call), 1);
    ASSERT_EQ(t.host.system_call(t.target, 503, &call), 0);
    EXPECT_EQ(call.number, 230);
    EXPECT_EQ(call.arg[0], 1U);
    EXPECT_EQ(call.result, -512);
    EXPECT_EQ(t.host.system_call(t.target, 504, &call), 1);
    EXPECT_LT(t.host.system_call(t.target, 505, &call), 0);
    EXPECT_LT(t.host.system_call(t.target, 506, &call), 0);
    EXPECT_EQ(t.host.kernel(t.target, 501, &kernel), 1);
    EXPECT_EQ(t.host.descriptor(t.target, 0, &link), 1);
}

TEST(Synthetic, MissingIsNeverZero)
{
    Core core = aarch64();
    File file(core.image());
    Target t(file.path());
    ASSERT_NE(t.target, nullptr) << t.error;
    uint8_t bytes[16];
    EXPECT_EQ(t.host.read(t.target, STACK, bytes, 16), 0);
    EXPECT_LT(t.host.read(t.target, STACK + 4096 - 8, bytes, 16), 0); // its end lies outside
    EXPECT_LT(t.host.read(t.target, RUNTIME + 4096, bytes, 16), 0);   // announced, not dumped
    EXPECT_LT(t.host.read(t.target, RUNTIME + 4090, bytes, 16), 0);
    EXPECT_LT(t.host.read(t.target, UINT64_MAX - 4, bytes, 16), 0);
    EXPECT_LT(t.host.read(t.target, 0, bytes, 16), 0);
}

long blocks_of(int fd)
{
    struct stat st;
    EXPECT_EQ(fstat(fd, &st), 0);
    return st.st_blocks;
}

// The most memory that this process has had, in KB.
long peak()
{
    struct rusage usage;
    EXPECT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

// 100 GB of holes: read where it is asked, in no memory, and the holes stay.
TEST(Synthetic, HundredGigabytes)
{
    Core core = aarch64();
    const uint64_t size = UINT64_C(100) << 30, start = 0x100000000000;
    core.loads.push_back({start, size, {}, PF_R | PF_W});
    Bytes image = core.image();
    Elf64_Phdr ph;
    const size_t at = sizeof(Elf64_Ehdr) + 3 * sizeof ph;
    memcpy(&ph, &image[at], sizeof ph);
    ph.p_filesz = size;
    memcpy(&image[at], &ph, sizeof ph);
    File file(image);
    ASSERT_EQ(ftruncate(file.fd(), static_cast<off_t>(ph.p_offset + size)), 0);
    const char last[] = "the last bytes";
    ASSERT_EQ(pwrite(file.fd(), last, sizeof last, static_cast<off_t>(ph.p_offset + size - sizeof last)),
              static_cast<ssize_t>(sizeof last));
    const long blocks = blocks_of(file.fd()), before = peak();
    Target t(file.path());
    ASSERT_NE(t.target, nullptr) << t.error;
    char got[sizeof last];
    EXPECT_EQ(t.host.read(t.target, start + size - sizeof last, got, sizeof got), 0);
    EXPECT_STREQ(got, last);
    // A hole of the file is memory of zeros: the kernel leaves such pages out as holes.
    for (uint64_t at = 0; at < size; at += size / 64) {
        Bytes zeros(4096, 'x');
        EXPECT_EQ(t.host.read(t.target, start + at, zeros.data(), zeros.size()), 0);
        EXPECT_EQ(zeros, Bytes(4096));
    }
    EXPECT_EQ(blocks_of(file.fd()), blocks);
    EXPECT_LT(peak() - before, 50 << 10);
}

// A compressed core is unpacked into a file that takes no room for pages of zeros.
TEST(Synthetic, UnpackedWithHoles)
{
    Core core = aarch64();
    const uint64_t size = UINT64_C(128) << 20, start = 0x100000000000;
    core.loads.push_back({start, size, Bytes(size), PF_R | PF_W});
    core.loads.back().data[size - 1] = 'x';
    const Bytes image = core.image();
    Bytes packed(ZSTD_compressBound(image.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), image.data(), image.size(), 1));
    ASSERT_LT(packed.size(), image.size() / 100);
    File file(packed);
    Target t(file.path());
    ASSERT_NE(t.target, nullptr) << t.error;
    char last = 0;
    EXPECT_EQ(t.host.read(t.target, start + size - 1, &last, 1), 0);
    EXPECT_EQ(last, 'x');
    // It has no name: it is the open file of that size.
    int found = 0;
    for (int fd = 0; fd < 100; fd++) {
        char name[200];
        const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), name, sizeof name);
        struct stat st;
        if (length < 0 || fstat(fd, &st) != 0 || st.st_size != static_cast<off_t>(image.size()))
            continue;
        EXPECT_NE(std::string(name, length).find(" (deleted)"), std::string::npos);
        EXPECT_LT(st.st_blocks * 512, 1 << 20);
        found++;
    }
    EXPECT_EQ(found, 1);
}

// More program headers than e_phnum can count: their number stands in section header 0 (elf(5), PN_XNUM).
TEST(Synthetic, SeventyThousandMappings)
{
    Core core = aarch64();
    const uint64_t start = 0x100000000000;
    while (core.loads.size() < 70000)
        core.loads.push_back({start + core.loads.size() * 8192, 4096, {}, PF_R | PF_W});
    core.loads.back().data = Bytes(4096, 'x');
    Bytes image = core.image();
    Elf64_Ehdr eh;
    Elf64_Shdr sh = {};
    memcpy(&eh, image.data(), sizeof eh);
    eh.e_phnum = PN_XNUM;
    eh.e_shoff = image.size();
    eh.e_shnum = 1;
    eh.e_shentsize = sizeof sh;
    sh.sh_info = static_cast<Elf64_Word>(core.loads.size() + 1);
    memcpy(image.data(), &eh, sizeof eh);
    put(image, sh);
    File file(image);
    Target t(file.path());
    ASSERT_NE(t.target, nullptr) << t.error;
    char byte = 0;
    EXPECT_EQ(t.host.read(t.target, core.loads.back().addr + 4095, &byte, 1), 0);
    EXPECT_EQ(byte, 'x');
    EXPECT_LT(t.host.read(t.target, core.loads[40000].addr, &byte, 1), 0);
}

// 5,000 mapped files of which none is here are one line, beside the executable's.
TEST(Synthetic, ManyProblems)
{
    Core core = aarch64();
    const Load page = runtime_page();
    std::vector<std::pair<Load, std::string>> list;
    core.notes.clear();
    core.thread(501, 0, std::vector<uint64_t>(34));
    core.loads.clear();
    for (uint64_t i = 0; i < 5000; i++) {
        core.loads.push_back(page);
        core.loads.back().addr = RUNTIME + i * 0x10000;
        list.push_back({core.loads.back(), "/nowhere/" + std::to_string(i)});
    }
    core.files(list);
    File file(core.image());
    Target t(file.path());
    ASSERT_NE(t.target, nullptr) << t.error;
    uint64_t value;
    (void)t.host.lookup(t.target, "main", nullptr, &value);
    struct cf_problem problem;
    uint32_t count = 0;
    std::string last;
    for (; cf_problem(t.target, count, &problem) == 0; count++)
        last = problem.what;
    EXPECT_LE(count, 2U);
    EXPECT_EQ(last,
              "The files of " + std::to_string(5001 - count) +
                  " libraries are not, or may not be, those of the process: " + std::to_string(5001 - count) +
                  " missing; the first is /nowhere/" + std::to_string(count - 1) + ".");
}

TEST(Synthetic, MachinesAndFilesThatAreNone)
{
    Core core = aarch64();
    core.machine = EM_PPC64;
    File other(core.image()), text({'h', 'e', 'l', 'l', 'o'}), empty({});
    Target a(other.path()), b(text.path()), c(empty.path());
    EXPECT_NE(std::string(a.error).find("a machine that is not supported (little-endian ELF machine 21)"),
              std::string::npos);
    EXPECT_NE(std::string(b.error).find("is not a core file"), std::string::npos);
    EXPECT_NE(std::string(c.error).find("is not a core file"), std::string::npos);
}

} // namespace
