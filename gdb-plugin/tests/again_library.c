/* SPDX-License-Identifier: Apache-2.0 */
/* Two libraries with the same code at the same offset, of which debug information says something else. */
#ifdef OTHER
#define FIRST other_one
#else
#define FIRST first_one

#endif
static int __attribute__((noinline)) FIRST(int (*call)(int), int value)
{
    return call(value) + 1;
}

int enter(int (*call)(int), int value)
{
    return FIRST(call, value) + 1;
}
