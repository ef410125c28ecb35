// SPDX-License-Identifier: Apache-2.0
// What is unpacked is what libelf unpacks: of this program's own file, which the linker has compressed, and
// of damaged copies of it, which are refused or as libelf has them too.
#include <gtest/gtest.h>

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "corefiles/unpack.h"
}

namespace
{
struct Section {
    GElf_Shdr header;
    std::string bytes;
    bool packed;
};

/** All sections by libelf, unpacked by it. False: it cannot. */
bool sections(int fd, std::vector<Section> *ret)
{
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
    Elf_Scn *scn = nullptr;
    bool good = elf;

    while (good && (scn = elf_nextscn(elf, scn))) {
        Section s = {};

        good = gelf_getshdr(scn, &s.header);
        s.packed = s.header.sh_flags & SHF_COMPRESSED;
        if (good && s.packed)
            good = elf_compress(scn, 0, 0) >= 0 && gelf_getshdr(scn, &s.header);
        Elf_Data *data = good ? elf_rawdata(scn, nullptr) : nullptr;
        if (data && data->d_buf)
            s.bytes.assign((char *)data->d_buf, data->d_size);
        ret->push_back(s);
    }
    elf_end(elf);
    return good;
}

int copy_of(const std::string &bytes)
{
    int fd = memfd_create("copy", MFD_CLOEXEC);

    EXPECT_EQ(write(fd, bytes.data(), bytes.size()), (ssize_t)bytes.size());
    return fd;
}

std::string contents(int fd)
{
    struct stat st;
    std::string bytes;

    EXPECT_EQ(fstat(fd, &st), 0);
    bytes.resize((size_t)st.st_size);
    EXPECT_EQ(pread(fd, &bytes[0], bytes.size(), 0), st.st_size);
    return bytes;
}

/** How many sections were packed; -1: what was unpacked is not what libelf has. */
int compare(int packed, int unpacked)
{
    std::vector<Section> a, b;
    int count = 0;

    if (!sections(packed, &a) || !sections(unpacked, &b) || a.size() != b.size())
        return -1;
    for (size_t i = 0; i < a.size(); i++) {
        if (a[i].bytes != b[i].bytes || b[i].packed || a[i].header.sh_size != b[i].header.sh_size ||
            a[i].header.sh_flags != b[i].header.sh_flags || a[i].header.sh_addr != b[i].header.sh_addr ||
            a[i].header.sh_addralign != b[i].header.sh_addralign ||
            (!a[i].packed && a[i].header.sh_offset != b[i].header.sh_offset))
            return -1;
        count += a[i].packed;
    }
    return count;
}

class Unpack : public testing::Test
{
  protected:
    static void SetUpTestSuite()
    {
        elf_version(EV_CURRENT);
        own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    }

    static int own;
};
int Unpack::own;

TEST_F(Unpack, AsLibelfDoes)
{
    uint64_t size = 0;
    struct stat before, after;
    std::string old = contents(own);
    int fd;

    ASSERT_TRUE(cf_is_packed(own, &size));
    fd = cf_unpack(own);
    ASSERT_GE(fd, 0);
    EXPECT_GT(compare(own, fd), 3); // .debug_info, .debug_line ...
    ASSERT_EQ(fstat(own, &before), 0);
    ASSERT_EQ(fstat(fd, &after), 0);
    EXPECT_EQ((uint64_t)after.st_size, size);
    EXPECT_GT(after.st_size, before.st_size);
    EXPECT_FALSE(cf_is_packed(fd, &size));
    // Who shares it cannot change it for the others.
    EXPECT_LT(pwrite(fd, "x", 1, 0), 0);
    EXPECT_NE(ftruncate(fd, 1), 0);
    EXPECT_EQ(mmap(nullptr, 1, PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    close(fd);
    EXPECT_EQ(contents(own), old);
}

TEST_F(Unpack, WhatIsNotPacked)
{
    uint64_t size;

    for (const char *text : {"", "x", "\177ELF"}) {
        int fd = copy_of(std::string(text) + std::string(*text ? 200 : 0, '\0'));

        EXPECT_FALSE(cf_is_packed(fd, &size));
        close(fd);
    }
}

/** Where the header of the first section lies that is packed, and the section itself. */
void find(const std::string &file, size_t *header, Elf64_Shdr *sh)
{
    const auto *eh = (const Elf64_Ehdr *)file.data();

    for (int i = 0; i < eh->e_shnum; i++) {
        *header = eh->e_shoff + (size_t)i * sizeof(*sh);
        memcpy(sh, &file[*header], sizeof(*sh));
        if (sh->sh_flags & SHF_COMPRESSED)
            return;
    }
    FAIL();
}

TEST_F(Unpack, NumbersOfAStranger)
{
    const std::string file = contents(own);
    Elf64_Shdr sh;
    size_t header;
    uint64_t size;

    find(file, &header, &sh);
    const struct {
        size_t at;
        uint64_t value;
    } lies[] = {
        {header + offsetof(Elf64_Shdr, sh_size), UINT64_MAX},
        {header + offsetof(Elf64_Shdr, sh_size), 8},
        {header + offsetof(Elf64_Shdr, sh_offset), UINT64_MAX - 8},
        {header + offsetof(Elf64_Shdr, sh_offset), file.size()},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_size), 0},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_size), UINT64_MAX},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_size), 1},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_size), UINT64_C(1) << 39},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_addralign), 0},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_addralign), 3},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_addralign), UINT64_C(1) << 63},
        {sh.sh_offset + offsetof(Elf64_Chdr, ch_type), 2}, // zstd, which not every libelf knows
    };
    for (const auto &lie : lies) {
        std::string bad = file;
        int fd, made;

        memcpy(&bad[lie.at], &lie.value, sizeof(lie.value));
        fd = copy_of(bad);
        size = 0;
        // What says that it is so large is not even begun by who has less room.
        if (cf_is_packed(fd, &size) && size > UINT64_C(1) << 38) {
            close(fd);
            continue;
        }
        made = cf_unpack(fd);
        EXPECT_LT(made, 0) << lie.at << " " << lie.value;
        close(made);
        close(fd);
    }
}

TEST_F(Unpack, Damaged)
{
    enum { TIMES = 300 };
    const std::string file = contents(own);
    std::mt19937 random(1);
    int made = 0, refused = 0;
    Elf64_Shdr sh;
    size_t header;

    find(file, &header, &sh);
    for (int i = 0; i < TIMES; i++) {
        std::string bad = file;
        uint64_t size = 0;

        // In the section headers, at the beginning of a packed section, or anywhere in it.
        for (unsigned n = random() % 3; n < 3; n++) {
            const size_t from = i % 3 ? sh.sh_offset : header;
            const size_t range = i % 3 == 0 ? sizeof(sh) : i % 3 == 1 ? 40 : sh.sh_size;

            bad[from + random() % range] ^= (char)(1 << random() % 8);
        }
        int fd = copy_of(bad), unpacked = -1;

        if (cf_is_packed(fd, &size) && size < 1 << 30)
            unpacked = cf_unpack(fd);
        if (unpacked >= 0) {
            made++;
            EXPECT_GE(compare(fd, unpacked), 0) << i;
            close(unpacked);
        } else {
            refused++;
        }
        close(fd);
    }
    EXPECT_GT(refused, TIMES / 4);
    EXPECT_GT(made, 0);
}
} // namespace
