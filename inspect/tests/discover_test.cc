// SPDX-License-Identifier: Apache-2.0
// Finding runtimes: notes in hand-built first pages, whole and hostile, and the scan of a process.
#include "inspect/target/discover.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <random>

#include "inspect/tests/scenario.h"

namespace
{

constexpr uint64_t kAt = 0x10000;

struct Page {
    std::vector<uint8_t> bytes = elf_page(0x5000, 4096, 1, 0x30000);
    discover_image note = {};

    Elf64_Ehdr *head() { return reinterpret_cast<Elf64_Ehdr *>(&bytes[0]); }
    Elf64_Phdr *ph(int i) { return reinterpret_cast<Elf64_Phdr *>(&bytes[sizeof(Elf64_Ehdr)]) + i; }
    Elf64_Nhdr *nhdr() { return reinterpret_cast<Elf64_Nhdr *>(&bytes[kNoteOffset]); }
    bool parse()
    {
        // A copy of the exact size, so that the address sanitizer sees a step too far.
        std::unique_ptr<uint8_t[]> copy(new uint8_t[bytes.size()]);
        memcpy(copy.get(), bytes.data(), bytes.size());
        return discover_parse(copy.get(), bytes.size(), kAt, &note);
    }
};

TEST(Parse, FindsTheNote)
{
    Page p;
    ASSERT_TRUE(p.parse());
    EXPECT_EQ(p.note.table, kAt + kDescOffset + 0x5000);
    EXPECT_EQ(p.note.table_size, 4096u);
    EXPECT_EQ(p.note.table_major, 1u);
    EXPECT_EQ(p.note.start, kAt);
    EXPECT_EQ(p.note.end, kAt + 0x30000);
}

TEST(Parse, NegativeOffset)
{
    Page p;
    p.bytes = elf_page(-0x200, 4096, 1, 0x30000);
    ASSERT_TRUE(p.parse());
    EXPECT_EQ(p.note.table, kAt + kDescOffset - 0x200);
}

TEST(Parse, AnotherNoteInFront)
{
    Page p;
    Elf64_Nhdr other = {4, 20, 3};
    std::vector<uint8_t> ours(p.bytes.begin() + kNoteOffset, p.bytes.begin() + kNoteOffset + 36);

    memset(&p.bytes[kNoteOffset], 0, 36);
    memcpy(&p.bytes[kNoteOffset], &other, sizeof(other));
    memcpy(&p.bytes[kNoteOffset + 12], "GNU", 4);
    memcpy(&p.bytes[kNoteOffset + 36], ours.data(), ours.size());
    p.ph(1)->p_filesz = 72;
    ASSERT_TRUE(p.parse());
    EXPECT_EQ(p.note.table, kAt + kDescOffset + 36 + 0x5000);
}

TEST(Parse, RefusesWhatIsNoElfOfOurs)
{
    const int at[] = {EI_MAG0, EI_MAG3, EI_CLASS, EI_DATA};
    for (int i : at) {
        Page p;
        p.bytes[i] ^= 3;
        EXPECT_FALSE(p.parse()) << i;
    }
}

TEST(Parse, Truncated)
{
    Page whole;
    for (size_t n = 0; n < whole.bytes.size(); n += n < 700 ? 1 : 64) {
        Page p;
        p.bytes.resize(n);
        EXPECT_EQ(p.parse(), n >= kNoteOffset + 36) << n;
    }
}

TEST(Parse, HostileNumbers)
{
    const uint64_t wild[] = {1,          4095,       4096,           0x7fffffff,
                             0xffffffff, UINT64_MAX, UINT64_MAX - 3, uint64_t{1} << 63};
    for (uint64_t n : wild) {
        Page p;
        p.head()->e_phnum = static_cast<uint16_t>(n);
        p.parse();
        p = Page();
        p.head()->e_phoff = n;
        EXPECT_FALSE(p.parse()) << n;
        p = Page();
        p.head()->e_phentsize = static_cast<uint16_t>(n);
        p.parse();
        p = Page();
        p.ph(1)->p_offset = n;
        EXPECT_FALSE(p.parse()) << n;
        p = Page();
        p.ph(1)->p_filesz = n;
        p.parse();
        p = Page();
        p.ph(1)->p_align = n;
        p.parse();
        p = Page();
        p.nhdr()->n_namesz = static_cast<uint32_t>(n);
        EXPECT_FALSE(p.parse()) << n;
        p = Page();
        p.nhdr()->n_descsz = static_cast<uint32_t>(n);
        EXPECT_EQ(p.parse(), false) << n;
        p = Page();
        p.ph(0)->p_memsz = n;
        ASSERT_TRUE(p.parse()) << n;
        EXPECT_GE(p.note.end, p.note.start);
        p = Page();
        p.ph(0)->p_vaddr = n;
        ASSERT_TRUE(p.parse()) << n;
        EXPECT_GE(p.note.end, p.note.start);
    }
}

TEST(Parse, RefusesImpossibleTables)
{
    for (uint32_t size : {0u, 31u, 0x7fffffffu, 0xffffffffu}) {
        Page p;
        p.bytes = elf_page(0x5000, size, 1, 0x30000);
        EXPECT_FALSE(p.parse()) << size;
    }
}

TEST(Parse, RandomDamage)
{
    std::mt19937 random(1);
    for (int round = 0; round < 20000; round++) {
        Page p;
        for (int i = 0; i < 8; i++)
            p.bytes[random() % 700] = static_cast<uint8_t>(random());
        p.parse();
    }
}

TEST(Names, Foreign)
{
    for (const char *path : {"/usr/lib/libgomp.so.1", "libomp.so.5", "/x/libomp5.so", "/x/libiomp5.so",
                             "/py/numpy.libs/libgomp-a34b3233.so.1.0.0"})
        EXPECT_TRUE(discover_foreign(path)) << path;
    for (const char *path : {"", "/x/libompd.so", "/x/libomptarget.so", "/x/libompcompanion.so.1.0.0",
                             "/x/libgomp", "/libgomp.so.d/app"})
        EXPECT_FALSE(discover_foreign(path)) << path;
}

TEST(Names, Skipped)
{
    for (const char *path : {"[vdso]", "linux-vdso.so.1", "/lib64/ld-linux-x86-64.so.2", "/lib/libc.so.6",
                             "/usr/lib/libstdc++.so.6.0.30"})
        EXPECT_TRUE(discover_skipped(path)) << path;
    for (const char *path : {"", "/apps/u/app", "/opt/libompcompanion.so.1.0.0", "/x/libcomp.so"})
        EXPECT_FALSE(discover_skipped(path)) << path;
}

TEST(Scan, ReadsEachFileOnce)
{
    Scenario s(true);
    s.open();
    insp_stats stats;

    ASSERT_EQ(discover_scan(s.session), 0);
    insp_get_stats(s.session, &stats);
    EXPECT_EQ(stats.reads, 2u); // the program and the runtime: libc and vdso are left out
    ASSERT_EQ(discover_scan(s.session), 0);
    insp_get_stats(s.session, &stats);
    EXPECT_EQ(stats.reads, 2u);
}

TEST(Scan, AddressBelowTheNote)
{
    Scenario s(true);
    s.host.modules.clear();
    s.host.put_runtime(0x555500000000, "", 0x555500000040, true); // no path, table in the page itself
    s.open();
    ASSERT_EQ(discover_scan(s.session), 0);
    ASSERT_EQ(s.session->module_count, 1);
    EXPECT_TRUE(s.session->modules[0].runtime);
    EXPECT_EQ(s.session->modules[0].table, 0x555500000040u);
}

TEST(Scan, Ranges)
{
    Scenario s(true);
    uint64_t ranges[2][2] = {};
    s.open();
    EXPECT_EQ(insp_runtime_ranges(s.session, ranges, 2), 1);
    EXPECT_EQ(ranges[0][0], kBase);
    EXPECT_EQ(ranges[0][1], kTable + 0x10000);
    EXPECT_EQ(insp_runtime_ranges(s.session, nullptr, 0), 1);
    EXPECT_EQ(insp_runtime_ranges(nullptr, ranges, 2), 0);
    EXPECT_EQ(insp_runtimes(s.session), 1);
    EXPECT_EQ(insp_runtimes(nullptr), 0);
}

} // namespace
