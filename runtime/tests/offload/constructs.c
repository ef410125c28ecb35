/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Every target construct and the device routines; what is printed tells where the code ran, and which copies
 * were made. libomp and Companion have to print the same.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000

#pragma omp declare target
int global_number = 5;
static int triple(int x)
{
    return 3 * x;
}
#pragma omp end declare target

static int sum_of(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

static void fill(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}

/* ---- where --------------------------------------------------------------------------------------------- */

static void where(void)
{
    int devices = omp_get_num_devices(), initial = omp_get_initial_device(), here = -5;
    printf("devices %d, initial %d, this %d, default %d\n", devices, initial, omp_get_device_num(),
           omp_get_default_device());
#pragma omp target map(from : here)
    here = omp_is_initial_device();
    printf("target: on the host %d\n", here);
#pragma omp target map(from : here) device(devices - 1)
    here = omp_is_initial_device();
    printf("device(last): on the host %d\n", here);
#pragma omp target map(from : here) device(initial)
    here = omp_is_initial_device();
    printf("device(initial): on the host %d\n", here);
#pragma omp target map(from : here) if (0)
    here = omp_is_initial_device();
    printf("if(0): on the host %d\n", here);
    omp_set_default_device(1);
#pragma omp target map(from : here)
    here = omp_is_initial_device();
    printf("default 1: on the host %d, default %d\n", here, omp_get_default_device());
    omp_set_default_device(initial);
#pragma omp target map(from : here)
    here = omp_is_initial_device();
    printf("default initial: on the host %d\n", here);
    omp_set_default_device(0);
}

/* ---- maps ---------------------------------------------------------------------------------------------- */

struct pair {
    int x, *p;
};

static void maps(void)
{
    int a[N], to = 1, from = 1, tofrom = 1, alloc = 1, first = 1, first_seen = 0;
    fill(a, N);
#pragma omp target map(to                                                                        \
                       : to) map(from                                                            \
                                 : from) map(tofrom                                              \
                                             : tofrom) map(alloc                                 \
                                                           : alloc) firstprivate(first) map(from \
                                                                                            : first_seen)
    {
        from = to + 10;
        to = 7;
        tofrom += 20;
        alloc = 9;
        first++;
        first_seen = first;
    }
    printf("to %d from %d tofrom %d alloc %d firstprivate %d %d\n", to, from, tofrom, alloc, first,
           first_seen);
#pragma omp target map(tofrom : a [100:50])
    for (int i = 100; i < 150; i++)
        a[i] = 1;
    printf("section: %d\n", sum_of(a, N));
    struct pair s = {3, a};
#pragma omp target map(tofrom : s.x) map(tofrom : s.p [0:10])
    {
        s.x++;
        s.p[9] = 1000;
    }
    printf("members: %d %d\n", s.x, a[9]);
#pragma omp target map(always, tofrom : tofrom)
    tofrom++;
    printf("always: %d\n", tofrom);
#pragma omp target
    global_number = triple(global_number);
#pragma omp target update from(global_number)
    printf("declare target: %d\n", global_number);
#pragma omp target defaultmap(tofrom : scalar)
    tofrom = triple(tofrom);
    printf("defaultmap: %d\n", tofrom);
}

/* ---- data constructs ----------------------------------------------------------------------------------- */

static void data(void)
{
    int *a = malloc(N * sizeof *a), present;
    fill(a, N);
#pragma omp target data map(tofrom : a [0:N])
    {
        present = omp_target_is_present(a, omp_get_default_device());
        a[0] = 77;
#pragma omp target update to(a [0:1])
#pragma omp target
        a[1] = a[0] + 1;
#pragma omp target update from(a [1:1])
        printf("target data: present %d, %d\n", present, a[1]);
        a[2] = 12345; /* the device's copy comes back at the end */
    }
    printf("after it: present %d, %d\n", omp_target_is_present(a, omp_get_default_device()), a[2]);
#pragma omp target enter data map(to : a [0:N])
    a[3] = 4321;
#pragma omp target map(from : present)
    present = a[3];
    printf("enter data: %d\n", present);
#pragma omp target exit data map(from : a [0:N])
    printf("exit data: %d\n", a[3]);
#pragma omp target enter data map(alloc : a [0:N])
#pragma omp target exit data map(delete : a [0:N])
    printf("delete: present %d\n", omp_target_is_present(a, omp_get_default_device()));
#pragma omp target data map(tofrom : a [0:N]) use_device_ptr(a)
    {
        int *device = a;
#pragma omp target is_device_ptr(device)
        device[4] = 55;
    }
    printf("use_device_ptr, is_device_ptr: %d\n", a[4]);
#pragma omp target data map(tofrom : a [0:N]) use_device_addr(a [0:N])
    {
#pragma omp target has_device_addr(a [0:N])
        a[5] = 66;
    }
    printf("use_device_addr, has_device_addr: %d\n", a[5]);
#pragma omp target data if (0) map(tofrom : a [0:N])
    printf("target data if(0): present %d\n", omp_target_is_present(a, omp_get_default_device()));
    free(a);
}

/* ---- routines ------------------------------------------------------------------------------------------ */

static void routines(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device(), a[16], b[16];
    size_t volume[2] = {2, 2}, at[2] = {1, 1}, zero[2] = {0, 0}, dims[2] = {4, 4};
    fill(a, 16);
    memset(b, 0, sizeof b);
    int *there = omp_target_alloc(sizeof a, device);
    printf("alloc %d\n", there != NULL);
    printf("memcpy %d", omp_target_memcpy(there, a, sizeof a, 0, 0, device, host));
    printf(" %d:", omp_target_memcpy(b, there, sizeof b, 0, 0, host, device));
    printf(" %d\n", sum_of(b, 16));
#pragma omp target is_device_ptr(there)
    there[0] = 100;
    memset(b, 0, sizeof b);
    printf("rect %d:",
           omp_target_memcpy_rect(b, there, sizeof *b, 2, volume, zero, at, dims, dims, host, device));
    printf(" %d\n", sum_of(b, 16));
    printf("associate %d", omp_target_associate_ptr(a, there, sizeof a, 0, device));
    printf(" mapped %d\n", omp_get_mapped_ptr(a, device) == there);
#pragma omp target map(always, from : a)
    a[1] = a[0] + 1;
    printf("associated: %d\n", a[1]);
    printf("disassociate %d", omp_target_disassociate_ptr(a, device));
    printf(" mapped %d\n", omp_get_mapped_ptr(a, device) != NULL);
    omp_target_free(there, device);
    omp_depend_t depends;
#pragma omp depobj(depends) depend(inout : b)
    there = omp_target_alloc(sizeof a, device);
    omp_target_memcpy_async(there, a, sizeof a, 0, 0, device, host, 1, &depends);
    omp_target_memcpy_async(b, there, sizeof b, 0, 0, host, device, 1, &depends);
#pragma omp taskwait
#pragma omp depobj(depends) destroy
    printf("async: %d\n", memcmp(a, b, sizeof a) == 0);
    omp_target_free(there, device);
}

/* ---- teams, loops -------------------------------------------------------------------------------------- */

static void loops(void)
{
    int a[N], sum = 0, most = 0, nested = 0;
    fill(a, N);
#pragma omp target teams distribute parallel for map(tofrom : a, sum) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        a[i] *= 2;
        sum += a[i];
    }
    printf("teams distribute parallel for: %d %d\n", sum_of(a, N), sum);
#pragma omp target parallel for map(tofrom : a) reduction(max : most)
    for (int i = 0; i < N; i++)
        most = a[i] > most ? a[i] : most;
    printf("parallel for: %d\n", most);
#pragma omp target teams num_teams(4) map(from : sum)
    {
        if (omp_get_team_num() == 0)
            sum = omp_get_num_teams() <= 4;
    }
    printf("teams: %d\n", sum);
#pragma omp target simd map(tofrom : a)
    for (int i = 0; i < N; i++)
        a[i]++;
    printf("simd: %d\n", sum_of(a, N));
#pragma omp target teams loop map(tofrom : a)
    for (int i = 0; i < N; i++)
        a[i]--;
    printf("teams loop: %d\n", sum_of(a, N));
#pragma omp target map(tofrom : nested)
    {
#pragma omp parallel num_threads(3) reduction(+ : nested)
        {
#pragma omp single
            {
#pragma omp task shared(nested)
                (void)nested;
            }
            nested += 1;
        }
    }
    printf("parallel within: %d\n", nested > 0);
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int mine = omp_get_thread_num();
#pragma omp target map(tofrom : mine)
        mine += 10;
        sum += mine;
    }
    printf("from a team: %d\n", sum);
}

/* ---- target tasks -------------------------------------------------------------------------------------- */

static void chain(int *x, int *y)
{
#pragma omp target enter data map(to : x [0:1]) nowait depend(out : x[0])
#pragma omp target nowait map(tofrom : x [0:1]) depend(inout : x[0])
    x[0] += 4;
#pragma omp target update from(x [0:1]) nowait depend(inout : x[0])
#pragma omp task depend(in : x[0]) depend(out : y[0])
    y[0] = x[0] * 10;
#pragma omp target nowait map(tofrom : y [0:1]) depend(inout : y[0])
    y[0] -= 8;
#pragma omp target exit data map(delete : x [0:1]) nowait depend(inout : x[0])
}

static void tasks(void)
{
    int x = 1, y = 0, z = 0, many[100] = {0};
    chain(&x, &y);
#pragma omp taskwait
    printf("alone: %d %d\n", x, y);
    x = 1;
    y = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        chain(&x, &y);
#pragma omp taskwait depend(in : y)
        printf("in a team: %d %d\n", x, y);
#pragma omp target map(tofrom : z) depend(inout : y)
        z = 3;
#pragma omp taskgroup
        for (int i = 0; i < 100; i++) {
#pragma omp target nowait map(tofrom : many [i:1]) firstprivate(i)
            many[i] = i;
        }
        printf("taskgroup: %d, depend without nowait: %d\n", sum_of(many, 100), z);
#pragma omp target teams distribute parallel for nowait map(tofrom : many)
        for (int i = 0; i < 100; i++)
            many[i]++;
    }
    printf("region's end: %d\n", sum_of(many, 100));
#pragma omp task final(1) shared(z)
    {
#pragma omp target nowait map(tofrom : z)
        z++;
#pragma omp taskwait
    }
    printf("final: %d\n", z);
}

int main(void)
{
    where();
    maps();
    data();
    routines();
    loops();
    tasks();
    return 0;
}
