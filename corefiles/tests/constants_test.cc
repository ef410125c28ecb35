/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which sections of a writable segment nobody writes: those that a core may leave to the file.
 */
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

extern "C" {
#include "corefiles/elffile.h"
#include "corefiles/memory.h"
}

namespace
{

constexpr uint64_t address = 0x238000, offset = 0x1000, bytes = 0x400;

bool read_file(void *arg, uint64_t at, void *buf, uint64_t size)
{
    const auto &file = *static_cast<std::vector<char> *>(arg);
    if (at > file.size() || size > file.size() - at)
        return false;
    memcpy(buf, file.data() + at, size);
    return true;
}

/* A library whose one segment is FLAGS, with these sections. */
std::vector<char> library(uint32_t flags, const std::vector<Elf64_Shdr> &sections)
{
    std::vector<char> file(offset + bytes);
    Elf64_Ehdr eh = {};
    memcpy(eh.e_ident, ELFMAG, SELFMAG);
    eh.e_ident[EI_CLASS] = ELFCLASS64;
    eh.e_ident[EI_DATA] = ELFDATA2LSB;
    eh.e_type = ET_DYN;
    eh.e_machine = EM_X86_64;
    eh.e_phoff = sizeof eh;
    eh.e_phentsize = sizeof(Elf64_Phdr);
    eh.e_phnum = 1;
    eh.e_shoff = file.size();
    eh.e_shentsize = sizeof(Elf64_Shdr);
    eh.e_shnum = static_cast<Elf64_Half>(sections.size());
    memcpy(file.data(), &eh, sizeof eh);
    const Elf64_Phdr ph = {PT_LOAD, flags, offset, address, address, bytes, bytes, 0x1000};
    memcpy(file.data() + sizeof eh, &ph, sizeof ph);
    const auto *start = reinterpret_cast<const char *>(sections.data());
    file.insert(file.end(), start, start + sections.size() * sizeof sections[0]);
    return file;
}

Elf64_Shdr section(uint32_t type, uint64_t flags, uint64_t at, uint64_t size)
{
    Elf64_Shdr sh = {};
    sh.sh_type = type;
    sh.sh_flags = flags;
    sh.sh_addr = at;
    sh.sh_size = size;
    return sh;
}

/* The parts that are constant. */
std::vector<cf_segment> constants(std::vector<char> file)
{
    cf_elf elf = {};
    EXPECT_EQ(cf_elf_read(read_file, &file, false, &elf), 0);
    cf_elf_constants(read_file, &file, &elf);
    std::vector<cf_segment> found;
    for (uint32_t i = 0; i < elf.part_count; i++)
        if (elf.parts[i].flags & CF_CONSTANT)
            found.push_back(elf.parts[i]);
    EXPECT_EQ(elf.part_count, found.size() + 1);
    free(elf.parts);
    return found;
}

TEST(Constants, OfAWritableSegmentWhatTheLinkerDidNotMakeToBeWritten)
{
    const auto found = constants(
        library(PF_R | PF_W, {section(SHT_NULL, 0, 0, 0), section(SHT_NOTE, SHF_ALLOC, address, 0x24),
                              section(SHT_STRTAB, SHF_ALLOC, address + 0x30, 0x50),
                              section(SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, address + 0x80, 8),
                              section(SHT_NOBITS, SHF_ALLOC, address + 0x90, 8),
                              section(SHT_PROGBITS, 0, address + 0xa0, 8)}));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].vaddr, address);
    EXPECT_EQ(found[0].offset, offset);
    EXPECT_EQ(found[0].filesz, 0x24U);
    EXPECT_EQ(found[1].offset, offset + 0x30);
    EXPECT_EQ(found[1].flags & PF_W, 0U);
}

TEST(Constants, NoneOfASegmentThatNobodyCanWrite)
{
    EXPECT_TRUE(constants(library(PF_R, {section(SHT_NOTE, SHF_ALLOC, address, 0x24)})).empty());
}

TEST(Constants, NoneBehindTheSegment)
{
    EXPECT_TRUE(constants(library(PF_R | PF_W, {section(SHT_NOTE, SHF_ALLOC, address + bytes - 8, 16),
                                                section(SHT_NOTE, SHF_ALLOC, address - 8, 16),
                                                section(SHT_NOTE, SHF_ALLOC, address, UINT64_MAX)}))
                    .empty());
}

TEST(Constants, AFileThatEndsInItsSectionsHasThoseBefore)
{
    auto file = library(PF_R | PF_W, {section(SHT_NOTE, SHF_ALLOC, address, 8),
                                      section(SHT_NOTE, SHF_ALLOC, address + 16, 8)});
    file.pop_back();
    EXPECT_EQ(constants(file).size(), 1U);
}

} // namespace
