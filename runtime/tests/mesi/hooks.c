/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What code compiled with -fsanitize=thread calls at each access (gcc's and clang's names), in place of
 * ThreadSanitizer: the access is put on the stage, then it is done.
 */
#include <stddef.h>
#include <stdint.h>

#include "runtime/tests/mesi/stage.h"

#define HOOK __attribute__((visibility("default")))

void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_read_range(const void *address, size_t size);
void __tsan_write_range(const void *address, size_t size);

HOOK void __tsan_init(void) {}
HOOK void __tsan_func_entry(void *pc)
{
    (void)pc;
}
HOOK void __tsan_func_exit(void) {}
/* One thread runs at a time, and each sees what the others have done: all orders are the strongest. */
HOOK void __tsan_atomic_thread_fence(int order)
{
    (void)order;
}
HOOK void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

static void touch_range(const char *address, size_t size, int write)
{
    for (uintptr_t at = (uintptr_t)address & ~(uintptr_t)63; at < (uintptr_t)address + size; at += 64)
        stage_touch((const void *)at, write);
}

HOOK void __tsan_read_range(const void *address, size_t size)
{
    touch_range(address, size, 0);
}
HOOK void __tsan_write_range(const void *address, size_t size)
{
    touch_range(address, size, 1);
}

#define PLAIN(bytes)                                   \
    void __tsan_read##bytes(const void *address);      \
    void __tsan_write##bytes(const void *address);     \
    HOOK void __tsan_read##bytes(const void *address)  \
    {                                                  \
        stage_touch(address, 0);                       \
    }                                                  \
    HOOK void __tsan_write##bytes(const void *address) \
    {                                                  \
        stage_touch(address, 1);                       \
    }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

#define CHANGE(bits, type, name)                                                       \
    type __tsan_atomic##bits##_##name(volatile type *word, type value, int order);     \
    HOOK type __tsan_atomic##bits##_##name(volatile type *word, type value, int order) \
    {                                                                                  \
        (void)order;                                                                   \
        stage_touch((const void *)word, 1);                                            \
        return __atomic_##name(word, value, __ATOMIC_SEQ_CST);                         \
    }
#define __atomic_exchange __atomic_exchange_n
#define COMPARE(bits, type, name)                                                                           \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *word, type *expected, type value,      \
                                                      int order, int failed);                               \
    HOOK int __tsan_atomic##bits##_compare_exchange_##name(volatile type *word, type *expected, type value, \
                                                           int order, int failed)                           \
    {                                                                                                       \
        (void)order;                                                                                        \
        (void)failed;                                                                                       \
        stage_touch((const void *)word, 1);                                                                 \
        return __atomic_compare_exchange_n(word, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
    }
#define ATOMIC(bits, type)                                                            \
    type __tsan_atomic##bits##_load(const volatile type *word, int order);            \
    void __tsan_atomic##bits##_store(volatile type *word, type value, int order);     \
    HOOK type __tsan_atomic##bits##_load(const volatile type *word, int order)        \
    {                                                                                 \
        (void)order;                                                                  \
        stage_touch((const void *)word, 0);                                           \
        return __atomic_load_n(word, __ATOMIC_SEQ_CST);                               \
    }                                                                                 \
    HOOK void __tsan_atomic##bits##_store(volatile type *word, type value, int order) \
    {                                                                                 \
        (void)order;                                                                  \
        stage_touch((const void *)word, 1);                                           \
        __atomic_store_n(word, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                 \
    CHANGE(bits, type, exchange)                                                      \
    CHANGE(bits, type, fetch_add)                                                     \
    CHANGE(bits, type, fetch_sub)                                                     \
    CHANGE(bits, type, fetch_and)                                                     \
    CHANGE(bits, type, fetch_or)                                                      \
    CHANGE(bits, type, fetch_xor)                                                     \
    COMPARE(bits, type, strong)                                                       \
    COMPARE(bits, type, weak)
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
