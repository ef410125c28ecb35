/* SPDX-License-Identifier: Apache-2.0 */
/* Nested regions and tasks, for stepping. Without OpenMP it is the program that a reader has in mind: the
   tests compile it both ways. Its exit status tells that each line was executed as often as it is to be. */
static int sum;

static void add(int number)
{
    __atomic_add_fetch(&sum, number, __ATOMIC_RELAXED); /* in add */
}

static void deep(int number)
{
    if (number > 0) {
#pragma omp task firstprivate(number)
        deep(number - 1); /* in the deep task */
#pragma omp taskwait
    }
    add(100); /* after the deep task */
}

int main(void)
{
    int before = 1; /* before the region */
    int threads;
#pragma omp parallel num_threads(2) /* the region */
    {
        int one = 1; /* in the region */
        add(one);
#pragma omp parallel num_threads(2) firstprivate(one) /* the inner region */
        {
            int ten = 10; /* in the inner region */
            add(ten);
            ten = one; /* the inner region's last */
        }
        one = 2; /* after the inner region */
#pragma omp single
        {
#pragma omp task
            {
                int thousand = 1000; /* in the task */
                add(thousand);
                thousand = 0; /* the task's last */
            }
#pragma omp task if (0)
            {
                add(1000); /* in the task at once */
            }
#pragma omp taskwait
            deep(3); /* after the tasks */
        }
        one = 3; /* the region's last */
    }
    threads = before; /* after the region */
    add(threads);
    return sum - 1; /* the end */
}
