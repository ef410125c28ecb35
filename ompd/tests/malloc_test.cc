// SPDX-License-Identifier: Apache-2.0
// The library may not touch the heap, OpenMP 6.0 section 40.1: here malloc and its family are ours, and a
// call of them while control is in the library (and not in a callback) is counted. The library is the real
// libompd.so.1, loaded.
//
//   malloc_test LIBOMPD
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "ompd/tests/image.h"
#include "ompd/tests/workload.h"

static volatile int heap_calls_inside;

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static void Note()
{
    if (in_library)
        heap_calls_inside = heap_calls_inside + 1;
}
void *malloc(size_t n)
{
    Note();
    return __libc_malloc(n);
}
void *calloc(size_t n, size_t m)
{
    Note();
    return __libc_calloc(n, m);
}
void *realloc(void *p, size_t n)
{
    Note();
    return __libc_realloc(p, n);
}
void *memalign(size_t a, size_t n)
{
    Note();
    return __libc_memalign(a, n);
}
void *aligned_alloc(size_t a, size_t n)
{
    Note();
    return __libc_memalign(a, n);
}
int posix_memalign(void **p, size_t a, size_t n)
{
    Note();
    *p = __libc_memalign(a, n);
    return *p != nullptr ? 0 : ENOMEM;
}
void free(void *p)
{
    Note();
    __libc_free(p);
}
}

static std::string library;

TEST(Heap, TheLibraryNeverTouchesIt)
{
    void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    Api api;
#define X(name)                                                            \
    api.name = reinterpret_cast<decltype(api.name)>(dlsym(handle, #name)); \
    ASSERT_NE(api.name, nullptr) << #name;
#include "ompd/tests/api_list.def"
#undef X
    Tool tool;
    Scene scene;
    const char *text;
    ompd_word_t version;
    EXPECT_EQ(Call(api.ompd_get_version_string, &text), ompd_rc_ok);
    EXPECT_EQ(Call(api.ompd_get_api_version, &version), ompd_rc_ok);
    EXPECT_EQ(Call(api.ompd_initialize, version, Tool::Callbacks()), ompd_rc_ok);
    int calls = 0;
    for (bool bracket : {false, true})
        calls += AskEverything(api, scene.image, bracket).calls;
    scene.image.Lose(scene.ready); // the ways of failure too
    scene.image.Set(LAY_F_rt_team_parent_task, scene.team, 1);
    calls += AskEverything(api, scene.image, true).calls;
    {
        Inside inside;
        EXPECT_EQ(api.ompd_finalize(), ompd_rc_ok);
    }
    printf("%d calls of the API\n", calls);
    EXPECT_GT(calls, 500);
    EXPECT_EQ(heap_calls_inside, 0);
    EXPECT_EQ(tool.live, 0);
}

TEST(Heap, TheTestWouldNotice)
{
    heap_calls_inside = 0;
    {
        Inside inside;
        void *volatile block = malloc(8);
        free(block);
    }
    EXPECT_EQ(heap_calls_inside, 2);
}

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    library = argc > 1 ? argv[1] : "libompd.so.1";
    return RUN_ALL_TESTS();
}
