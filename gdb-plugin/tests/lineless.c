/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled without line information, like a library: it calls the functions of lined.c. */

void apply(void (*call)(int), int n);
void work(int i);

void apply(void (*call)(int), int n)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < n; i++)
        call(i);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        call(10);
#pragma omp taskwait
#pragma omp task firstprivate(n)
        {
            call(11);
            call(12 + n);
        }
    }
    call(20);
}

#ifdef MAIN
int main(void)
{
#pragma omp parallel
    {
        work(30);
#pragma omp barrier
        work(31);
    }
    apply(work, 2);
    work(40);
    return 0;
}
#endif
