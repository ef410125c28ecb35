/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/target/library.h"

#include <string.h>

/* File names and DT_SONAMEs up to ".so". Libraries that are not here are judged by what they export and by
 * their folder. */
static const struct {
    const char *stem;
    enum insp_code code;
} known[] = {
    {"libompcompanion", INSP_CODE_OPENMP},
    {"libgomp", INSP_CODE_OPENMP},
    {"libomp", INSP_CODE_OPENMP},
    {"libomp5", INSP_CODE_OPENMP},
    {"libiomp5", INSP_CODE_OPENMP},
    {"ld", INSP_CODE_LIBC},
    {"ld-linux", INSP_CODE_LIBC},
    {"ld-linux-x86-64", INSP_CODE_LIBC},
    {"ld-linux-aarch64", INSP_CODE_LIBC},
    {"libBrokenLocale", INSP_CODE_LIBC},
    {"libanl", INSP_CODE_LIBC},
    {"libc", INSP_CODE_LIBC},
    {"libc_malloc_debug", INSP_CODE_LIBC},
    {"libdl", INSP_CODE_LIBC},
    {"libm", INSP_CODE_LIBC},
    {"libmvec", INSP_CODE_LIBC},
    {"libnsl", INSP_CODE_LIBC},
    {"libnss_compat", INSP_CODE_LIBC},
    {"libnss_dns", INSP_CODE_LIBC},
    {"libnss_files", INSP_CODE_LIBC},
    {"libpthread", INSP_CODE_LIBC},
    {"libresolv", INSP_CODE_LIBC},
    {"librt", INSP_CODE_LIBC},
    {"libthread_db", INSP_CODE_LIBC},
    {"libutil", INSP_CODE_LIBC},
    {"linux-gate", INSP_CODE_LIBC},
    {"linux-vdso", INSP_CODE_LIBC},
    {"libc++", INSP_CODE_CXX},
    {"libc++abi", INSP_CODE_CXX},
    {"libgcc_s", INSP_CODE_CXX},
    {"libstdc++", INSP_CODE_CXX},
    {"libunwind", INSP_CODE_CXX},
    /* Open MPI with its parts, MPICH and those that keep its names (Intel, MVAPICH). */
    {"libmpi", INSP_CODE_MPI},
    {"libmpi_cxx", INSP_CODE_MPI},
    {"libmpi_mpifh", INSP_CODE_MPI},
    {"libmpi_usempi_ignore_tkr", INSP_CODE_MPI},
    {"libmpi_usempif08", INSP_CODE_MPI},
    {"libmpich", INSP_CODE_MPI},
    {"libmpichcxx", INSP_CODE_MPI},
    {"libmpichfort", INSP_CODE_MPI},
    {"libmpicxx", INSP_CODE_MPI},
    {"libmpifort", INSP_CODE_MPI},
    {"libopen-pal", INSP_CODE_MPI},
    {"libopen-rte", INSP_CODE_MPI},
    {"libpmix", INSP_CODE_MPI},
    /* What compilers link into programs, wherever they are installed. */
    {"libasan", INSP_CODE_SYSTEM},
    {"libatomic", INSP_CODE_SYSTEM},
    {"libgfortran", INSP_CODE_SYSTEM},
    {"liblsan", INSP_CODE_SYSTEM},
    {"libquadmath", INSP_CODE_SYSTEM},
    {"libtsan", INSP_CODE_SYSTEM},
    {"libubsan", INSP_CODE_SYSTEM},
};

static bool ends_library(const char *text)
{
    return !strncmp(text, ".so", 3) && (!text[3] || text[3] == '.');
}

/* ".so.6", "-2.31.so" (a version), "-a34b3233.so.1.0.0" (the hash with which a Python wheel renames a copy).
 */
static bool follows_stem(const char *text)
{
    if (*text == '-')
        text += strspn(text + 1, "0123456789abcdef.");
    return ends_library(text);
}

enum insp_code library_code(const char *name)
{
    /* The kernel's library; GDB has words of its own for it. */
    if (!strcmp(name, "[vdso]") || !strcmp(name, "[vsyscall]") || !strncmp(name, "system-supplied DSO", 19))
        return INSP_CODE_LIBC;
    /* Open MPI's components. */
    if (!strncmp(name, "mca_", 4) && library_named(name))
        return INSP_CODE_MPI;
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        size_t n = strlen(known[i].stem);

        if (!strncmp(name, known[i].stem, n) && follows_stem(name + n))
            return known[i].code;
    }
    return INSP_CODE_UNKNOWN;
}

bool library_named(const char *name)
{
    for (const char *at = strstr(name, ".so"); at; at = strstr(at + 1, ".so"))
        if (ends_library(at))
            return true;
    return false;
}

bool library_of_system(const char *path)
{
    static const char *const folders[] = {"/lib/",       "/lib32/",      "/lib64/",
                                          "/libx32/",    "/usr/lib/",    "/usr/lib32/",
                                          "/usr/lib64/", "/usr/libx32/", "/usr/libexec/"};

    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return true;
    return false;
}
