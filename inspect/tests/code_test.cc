// SPDX-License-Identifier: Apache-2.0
// Whose code an address is in: files that compilers have made, mapped into a fake process under various
// names.
#include "inspect/frames/code.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "inspect/model/words.h"
#include "inspect/target/discover.h"
#include "inspect/target/library.h"
#include "inspect/tests/scenario.h"

namespace
{

const char *word(enum insp_code code)
{
    return mdl_word(&mdl_code_words, code);
}

struct Code : testing::Test {
    Scenario s{true};
    uint64_t next = 0x600000000000;

    // Maps FILE as the loader does, as PATH. Returns an address in the middle of its code.
    uint64_t map(const std::string &file, const std::string &path)
    {
        std::ifstream in(file, std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(in), {}};
        const char *data = bytes.data();
        uint64_t base = next, code = 0;

        EXPECT_GT(bytes.size(), sizeof(Elf64_Ehdr)) << file;
        if (bytes.size() < sizeof(Elf64_Ehdr))
            return 0;
        const auto *head = reinterpret_cast<const Elf64_Ehdr *>(data);
        const auto *ph = reinterpret_cast<const Elf64_Phdr *>(data + head->e_phoff);
        for (int i = 0; i < head->e_phnum; i++) {
            if (ph[i].p_type != PT_LOAD)
                continue;
            // From the page's beginning, as mmap does.
            uint64_t skew = ph[i].p_vaddr % 4096;
            s.host.put(base + ph[i].p_vaddr - skew, data + ph[i].p_offset - skew, ph[i].p_filesz + skew);
            if (ph[i].p_flags & PF_X)
                code = base + ph[i].p_vaddr + ph[i].p_memsz / 2;
        }
        s.host.modules.push_back({base, path});
        next += 0x10000000;
        return code;
    }
    std::string of(uint64_t addr) { return word(insp_code_at(s.session, addr, 1)); }
    static std::string library(const char *name) { return runfile(std::string("inspect/tests/") + name); }
};

TEST_F(Code, AddressesOfFiles)
{
    const struct {
        const char *file, *path, *expected;
    } cases[] = {
        {"libexports_plain.so", "/apps/u/libsolver.so", "user"},
        {"libexports_plain.so", "/usr/local/lib/libsolver.so", "user"},
        {"libexports_plain.so", "/usr/lib/x86_64-linux-gnu/libsolver.so.3", "system"},
        // An OpenMP program in the system's folders is one all the same.
        {"libneeds_gomp.so", "/usr/lib/x86_64-linux-gnu/libgromacs.so.7", "user"},
        {"libexports_mpi.so", "/opt/site/libvendor.so.12", "mpi"},
        {"libexports_plain.so", "/opt/openmpi/lib/libopen-pal.so.40", "mpi"},
        {"libsoname_cxx.so", "/apps/u/bundled.so", "c++"},
        // Names that begin like others'.
        {"libexports_plain.so", "/apps/u/libcomp.so", "user"},
        {"libexports_plain.so", "/apps/u/libmpi_solver.so", "user"},
        {"libexports_plain.so", "/apps/u/libc-client.so", "user"},
        {"libexports_plain.so", "/apps/u/libompd.so.1", "user"},
        // It has libgomp.a in it, and its own code too.
        {"libexports_gomp.so", "/apps/u/libwithin.so", "user"},
    };
    std::vector<uint64_t> at;
    for (const auto &c : cases)
        at.push_back(map(library(c.file), c.path));
    s.open();
    for (size_t i = 0; i < at.size(); i++)
        EXPECT_EQ(of(at[i]), cases[i].expected) << cases[i].path;
    EXPECT_EQ(of(0x10), "unknown");
    EXPECT_EQ(of(0x5fff00000000), "unknown");
    EXPECT_EQ(of(at[0] + 0x8000000), "unknown"); // between two files
    EXPECT_EQ(insp_code_at(nullptr, at[0], 0), INSP_CODE_UNKNOWN);
}

TEST_F(Code, AnOpenMPRuntimeIsKnownByWhatItExports)
{
    uint64_t gomp = map("/usr/lib/x86_64-linux-gnu/libgomp.so.1", "/py/site/libs/runtime-7f3a.so");
    s.open();
    EXPECT_EQ(of(gomp), "openmp");
}

// A runtime without our note is one by its name or by what it exports. In a library it may be with other
// code.
TEST_F(Code, RuntimesWithoutTheNote)
{
    const char *gomp = "/usr/lib/x86_64-linux-gnu/libgomp.so.1";
    const struct {
        std::string file, path;
        bool stock;
    } cases[] = {
        {gomp, "/py/site/libs/runtime-7f3a.so", true},
        {gomp, "/py/site/libs/libgomp-a34b3233.so.1.0.0", true},
        {gomp, "/usr/lib/x86_64-linux-gnu/libmyomp.so", true},
        {library("libexports_plain.so"), "/opt/intel/lib/libiomp5.so", true}, // the OMPD library knows more
        {library("libexports_gomp.so"), "/py/site/libs/libopenblas-r0.so", true},
        {library("libneeds_gomp.so"), "/apps/u/libgromacs.so.7", false},
        {library("libexports_plain.so"), "/apps/u/libcompress.so", false},
        // Not asked: the program, and what lies in the system's folders under another name.
        {"/usr/bin/env", "/apps/u/omp", false},
        {gomp, "/usr/lib/x86_64-linux-gnu/libother.so.1", false},
    };
    for (const auto &c : cases)
        map(c.file, c.path);
    s.open();
    ASSERT_EQ(discover_scan(s.session), 0);
    for (const auto &c : cases) {
        bool found = false;
        for (int i = 0; i < s.session->module_count; i++)
            if (s.session->modules[i].path == c.path) {
                found = true;
                EXPECT_EQ(discover_stock(&s.session->modules[i]), c.stock) << c.path;
                EXPECT_FALSE(s.session->modules[i].runtime);
            }
        EXPECT_TRUE(found) << c.path;
    }
}

TEST_F(Code, ABuildId)
{
    uint64_t at = map("/usr/lib/x86_64-linux-gnu/libgomp.so.1", "/py/libgomp-a34b3233.so.1.0.0");
    FILE *said = popen("readelf -n /usr/lib/x86_64-linux-gnu/libgomp.so.1 | grep -o 'Build ID: .*'", "r");
    char line[256] = "";
    std::string id;
    ASSERT_NE(at, 0u);
    ASSERT_NE(fgets(line, sizeof line, said), nullptr);
    pclose(said);
    s.open();
    ASSERT_EQ(discover_scan(s.session), 0);
    insp_known_module *m = &s.session->modules[s.session->module_count - 1];
    insp_stats stats, after;
    insp_get_stats(s.session, &stats);
    discover_build_id(s.session, m);
    insp_get_stats(s.session, &after);
    EXPECT_EQ(after.reads, stats.reads); // it was in the first page
    for (uint32_t i = 0; i < m->build_id_size; i++) {
        char hex[3];
        snprintf(hex, sizeof hex, "%02x", m->build_id[i]);
        id += hex;
    }
    EXPECT_EQ("Build ID: " + id + "\n", line);
}

// patchelf moves the notes to the end of the file when it needs room for names.
TEST_F(Code, ABuildIdBehindTheFirstPage)
{
    const uint64_t base = 0x6f0000000000;
    std::vector<uint8_t> page = elf_page(0, 4096, 1, 0x30000);
    struct {
        Elf64_Nhdr head;
        char owner[4];
        uint8_t id[8];
    } note = {{4, 8, NT_GNU_BUILD_ID}, "GNU", {1, 2, 3, 4, 5, 6, 7, 8}};
    auto *ph = reinterpret_cast<Elf64_Phdr *>(&page[sizeof(Elf64_Ehdr)]) + 1;

    ph->p_offset = 0x21000;
    ph->p_vaddr = 0x22000;
    ph->p_filesz = sizeof note;
    s.host.put(base, page.data(), page.size());
    s.host.put(base + 0x22000, &note, sizeof note);
    s.host.modules.push_back({base, "/py/libgomp-a34b3233.so.1.0.0"});
    s.open();
    ASSERT_EQ(discover_scan(s.session), 0);
    insp_known_module *m = &s.session->modules[s.session->module_count - 1];
    EXPECT_EQ(m->build_id_size, 0u);
    discover_build_id(s.session, m);
    ASSERT_EQ(m->build_id_size, 8u);
    EXPECT_EQ(memcmp(m->build_id, note.id, 8), 0);
    EXPECT_TRUE(discover_stock(m));
}

TEST_F(Code, AProgramUnderALibrarysName)
{
    uint64_t program = map("/usr/bin/env", "/srv/u/libc.so.6");
    uint64_t libc = map("/usr/lib/x86_64-linux-gnu/libc.so.6", "/srv/u/lib/libc.so.6");
    s.open();
    EXPECT_EQ(of(program), "user");
    EXPECT_EQ(of(libc), "libc"); // it names a dynamic linker too
}

TEST_F(Code, EachFileIsReadOnce)
{
    uint64_t at = map(library("libexports_mpi.so"), "/opt/site/libvendor.so.12");
    insp_stats before, after;
    s.open();
    EXPECT_EQ(of(at), "mpi");
    insp_get_stats(s.session, &before);
    for (int i = 0; i < 100; i++)
        EXPECT_EQ(insp_code_at(s.session, at + i, 0), INSP_CODE_MPI);
    insp_get_stats(s.session, &after);
    EXPECT_EQ(after.reads, before.reads);
}

TEST_F(Code, WithoutTheFilesHeaders)
{
    // Headers that are not in the core: the host knows the file.
    insp_place system = {}, own = {};
    s.host.modules.push_back({0x5f0000000000, "/usr/lib/libsolver.so.3"});
    s.open();
    ASSERT_EQ(discover_scan(s.session), 0);
    system.module = "/usr/lib/libsolver.so.3";
    own.module = "/apps/u/mixed";
    EXPECT_STREQ(word(code_at(s.session, 0x5f0000000100, &system)), "system");
    EXPECT_STREQ(word(code_at(s.session, 0x401000, &own)), "user");
    EXPECT_STREQ(word(code_at(s.session, 0x5f0000000100, nullptr)), "unknown");
}

// A static program with Companion in it: kBase is its header, the runtime's code is [kBase + 0x4000, kBase +
// 0x8000).
struct Static : Code {
    void SetUp() override
    {
        const uint16_t fixed = ET_EXEC;
        s.host.modules.back().path = "/apps/u/st"; // the scenario's runtime
        memcpy(&s.host.memory[kBase][offsetof(Elf64_Ehdr, e_type)], &fixed, sizeof(fixed));
        s.model->code_start = kBase + 0x4000;
        s.model->code_end = kBase + 0x8000;
        s.host.places[kBase + 0x1000] = {"omp_burn", "/apps/u/st.c", 4, 0x100};
        s.host.places[kBase + 0x1100] = {"rt_solver_step", "/apps/u/st.c", 5, 0x100};
        s.host.places[kBase + 0x1200] = {"GOMP_filter", "", 0, 0x100};
        s.host.places[kBase + 0x1300] = {"read_config", "", 0, 0x100};
        s.host.places[kBase + 0x1400] = {"clone3", "/apps/u/genes.c", 8, 0x100};
        s.host.places[kBase + 0x5000] = {"run", "/build/runtime/core/team.c", 513, 0x100};
        s.host.places[kBase + 0x9000] = {"clone3", "", 0, 0x100};
        s.host.places[kBase + 0x9100] = {"__futex_abstimed_wait_common", "", 0, 0x100};
        s.host.places[kBase + 0x9200] = {"__memmove_avx_unaligned", "", 0, 0x100};
    }
    void expect(std::vector<std::pair<int, const char *>> list)
    {
        for (auto &one : list)
            EXPECT_EQ(of(kBase + one.first), one.second) << std::hex << one.first;
    }
};

TEST_F(Static, ByTheRuntimesRangeAndExactNames)
{
    s.open();
    expect({{0x1010, "user"},
            {0x1110, "user"},
            {0x1210, "unknown"},
            {0x1310, "unknown"},
            {0x1410, "user"},
            {0x3fff, "unknown"},
            {0x4000, "openmp"},
            {0x5010, "openmp"},
            {0x7fff, "openmp"},
            {0x8000, "unknown"},
            {0x9010, "libc"},
            {0x9110, "libc"},
            {0x9210, "unknown"}});
}

TEST_F(Static, Stripped)
{
    s.host.places.clear();
    s.open();
    expect({{0x1010, "unknown"}, {0x5010, "openmp"}, {0x9010, "unknown"}});
}

TEST_F(Static, OfARuntimeThatTellsNoRange)
{
    s.model->code_start = s.model->code_end = 0;
    s.open();
    expect({{0x1010, "unknown"}, {0x5010, "unknown"}});
    s.model->code_start = kBase + 0x4000; // it has started meanwhile
    s.model->code_end = kBase + 0x8000;
    expect({{0x1010, "user"}, {0x5010, "openmp"}});
}

TEST_F(Static, ARangeOutsideTheFileIsNone)
{
    s.model->code_start = 0x1000;
    s.model->code_end = UINT64_MAX;
    s.open();
    expect({{0x1010, "unknown"}, {0x5010, "unknown"}});
}

TEST_F(Code, CompanionsOwnFile)
{
    s.open();
    EXPECT_EQ(of(kBase + 0x1000), "openmp"); // no range is needed
}

TEST_F(Code, FramesByTheirFunctions)
{
    uint64_t at = map(library("libexports_plain.so"), "/apps/u/libsolver.so");
    s.open();
    ASSERT_EQ(discover_scan(s.session), 0);
    const char *const cxx = "/usr/include/c++/12/bits/std_mutex.h",
                      *const clangs = "/bin/../lib/gcc/x86/12/include/c++/mutex",
                      *const libc = "/usr/include/x86_64-linux-gnu/bits/stdio2.h",
                      *const own = "/apps/u/solver.cc", *const locals = "/usr/local/include/solver.h",
                      *const other = "/usr/srv/u/include/solver.h";
    const struct {
        const char *symbol, *declared, *file;
        int inlined;
        const char *whose;
    } rows[] = {
        // Where it is declared tells, whatever the line.
        {"_ZL3getv", own, cxx, 0, "user"},
        {"get", own, cxx, 1, "user"},
        {"get", locals, cxx, 1, "user"},
        {"get", other, libc, 1, "user"},
        {"_ZNSt5mutex4lockEv", cxx, cxx, 1, "c++"},
        {"_ZNSt5mutex4lockEv", clangs, own, 0, "c++"},
        {"printf", libc, libc, 1, "system"},
        {"_ZNSt4hashI4MineEclES0_", own, own, 0, "user"},
        // Else the name.
        {"_ZL3getv", nullptr, cxx, 0, "user"},
        {"_ZL3getv", nullptr, clangs, 1, "user"},
        {"_ZNKSt3mapIiiE2atERKi", nullptr, cxx, 0, "c++"},
        {"std::function<void ()>::operator()() const", nullptr, nullptr, 0, "c++"},
        {"_ZN9__gnu_cxx3fooEv", nullptr, nullptr, 0, "c++"},
        {"_ZNRSt8optionalIiE5valueEv", nullptr, cxx, 0, "c++"},
        {"_ZZSt9call_onceIRFvvEJEEvRSt9once_flagOT_DpOT0_ENKUlvE_clEv", nullptr, cxx, 0, "c++"},
        {"_ZL20__gthread_mutex_lockP15pthread_mutex_t", nullptr, cxx, 1, "c++"},
        {"__gthread_mutex_lock", nullptr, cxx, 1, "c++"},
        {"_ZZ4workvENKUliE_clEi", nullptr, cxx, 1, "user"},
        {"int* std::copy<int*, int*>(int*, int*, int*)", nullptr, cxx, 1, "c++"},
        {"std::vector<int>* get(std::vector<int> const&)", nullptr, cxx, 0, "user"},
        {"_ZNSt4hashI4MineEclES0_", nullptr, own, 0, "user"},
        {"_ZN5Store3getEv", nullptr, cxx, 0, "user"},
        {"Store", nullptr, cxx, 0, "user"},
        // Or, of what is inlined and has no name but its own, the line.
        {"lock", nullptr, cxx, 1, "user"},
        {"printf", nullptr, libc, 1, "system"},
        {"printf", nullptr, libc, 0, "user"},
        {"lock", nullptr, locals, 1, "user"},
        {"lock", nullptr, own, 1, "user"},
    };
    for (auto &row : rows) {
        insp_frame frame = {};
        frame.place.symbol = row.symbol;
        frame.place.file = row.file;
        frame.declared = row.declared;
        frame.inlined = row.inlined;
        EXPECT_STREQ(word(code_of_frame(s.session, at, &frame)), row.whose)
            << row.symbol << (row.declared ? row.declared : "") << (row.file ? row.file : "");
    }
}

TEST_F(Code, TheProgramsBeginning)
{
    insp_frame frame = {};
    uint64_t at = map(library("libexports_plain.so"), "/apps/u/program");
    s.open();
    ASSERT_EQ(discover_scan(s.session), 0);
    frame.place.symbol = "_start";
    EXPECT_STREQ(word(code_of_frame(s.session, at, &frame)), "libc");
    EXPECT_EQ(std::string(code_file(s.session, at, nullptr)), "/apps/u/program");
    frame.place.file = "/apps/u/bare.c";
    EXPECT_STREQ(word(code_of_frame(s.session, at, &frame)), "user");
    EXPECT_EQ(code_file(s.session, 0x10, nullptr), nullptr);
}

TEST(Library, Names)
{
    const struct {
        const char *name, *expected;
    } cases[] = {
        {"libc.so.6", "libc"},
        {"libc-2.31.so", "libc"},
        {"ld-linux-x86-64.so.2", "libc"},
        {"[vdso]", "libc"},
        {"libmpi.so.40", "mpi"},
        {"mca_btl_vader.so", "mpi"},
        {"libstdc++.so.6.0.30", "c++"},
        {"libgomp.so.1", "openmp"},
        {"libgomp-a34b3233.so.1.0.0", "openmp"},
        {"libomp.so.5", "openmp"},
        {"libgcc_s.so.1", "c++"},
        {"libgfortran.so.5", "system"},
        {"libcurl.so.4", "unknown"},
        {"libc.solver", "unknown"},
        {"libomptarget.so", "unknown"},
        {"libmpi_solver.so", "unknown"},
        {"libgomp-plus.so", "unknown"},
        {"[1]run", "unknown"},
        {"", "unknown"},
    };
    for (const auto &c : cases)
        EXPECT_STREQ(word(library_code(c.name)), c.expected) << c.name;
}

} // namespace
