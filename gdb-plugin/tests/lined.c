/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a program that has line information: what lineless.c calls, and a main unless that has one. */

void apply(void (*call)(int), int n);
void work(int i);

static volatile int sum;

void work(int i)
{
    int twice = i * 2;
    sum += twice;
}

#ifndef MAIN
int main(void)
{
    apply(work, 2);
    sum++;
    return 0;
}
#endif
