/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Device information and device memory routines with the host as device (OpenMP 5.2, 18.7 and 18.8).
 */
#include "check.h"

CASE("numbers of devices")
{
    int host = omp_get_initial_device();
    CHECK(omp_get_num_devices() >= 0);
    CHECK(omp_is_initial_device() != 0);
    CHECK(host == omp_get_num_devices() || host < 0);
    CHECK(omp_get_device_num() == host);
}

CASE("the default device is the task's own")
{
    int before = omp_get_default_device();
    CHECK(before >= 0);
    omp_set_default_device(before + 3);
    CHECK(omp_get_default_device() == before + 3);
#pragma omp parallel num_threads(3)
    {
        CHECK(omp_get_default_device() == before + 3);
        omp_set_default_device(omp_get_thread_num());
#pragma omp barrier
        CHECK(omp_get_default_device() == omp_get_thread_num());
    }
    CHECK(omp_get_default_device() == before + 3);
    omp_set_default_device(before);
}

CASE("allocate, present, free")
{
    int host = omp_get_initial_device();
    char *p = (char *)omp_target_alloc(1000, host);
    CHECK(p != NULL);
    memset(p, 5, 1000);
    CHECK(omp_target_is_present(p, host) != 0);
    omp_target_free(p, host);
    omp_target_free(NULL, host);
}

CASE("memcpy with offsets")
{
    int host = omp_get_initial_device();
    char a[20] = "0123456789abcdefghi", b[20] = "...................";
    CHECK(omp_target_memcpy(b, a, 5, 3, 10, host, host) == 0);
    CHECK(memcmp(b, "...abcde...........", 19) == 0);
    CHECK(omp_target_memcpy(b, a, 0, 0, 0, host, host) == 0);
    CHECK(memcmp(b, "...abcde...........", 19) == 0);
}

CASE("memcpy_rect: a part of a matrix")
{
    int host = omp_get_initial_device();
    int a[6][8], b[5][7];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 8; j++)
            a[i][j] = 10 * i + j;
    memset(b, 0, sizeof b);
    size_t volume[2] = {3, 4}, to[2] = {1, 2}, from[2] = {2, 3}, to_size[2] = {5, 7}, from_size[2] = {6, 8};
    CHECK(omp_target_memcpy_rect(b, a, sizeof(int), 2, volume, to, from, to_size, from_size, host, host) ==
          0);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++)
            CHECK(b[i][j] == (i >= 1 && i < 4 && j >= 2 && j < 6 ? 10 * (i + 1) + j + 1 : 0));
}

CASE("memcpy_rect in three dimensions, and the number of dimensions known")
{
    int host = omp_get_initial_device();
    char a[3][4][5], b[3][4][5];
    for (int i = 0; i < 60; i++)
        (&a[0][0][0])[i] = (char)i;
    memset(b, -1, sizeof b);
    size_t volume[3] = {2, 2, 2}, zero[3] = {0, 1, 2}, size[3] = {3, 4, 5};
    CHECK(omp_target_memcpy_rect(b, a, 1, 3, volume, zero, zero, size, size, host, host) == 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                CHECK(b[i][j][k] == (i < 2 && j >= 1 && j < 3 && k >= 2 && k < 4 ? a[i][j][k] : (char)-1));
    CHECK(omp_target_memcpy_rect(NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3);
}

CASE("associate fails for the host")
{
    int x = 0, y = 0, host = omp_get_initial_device();
    CHECK(omp_target_associate_ptr(&x, &y, sizeof x, 0, host) != 0);
    CHECK(omp_target_disassociate_ptr(&x, host) != 0);
}

CASE("a device that does not exist")
{
    int none = omp_get_num_devices() + 50;
    char a[4] = "abc", b[4] = "";
    CHECK(omp_target_alloc(10, none) == NULL);
    CHECK(omp_target_memcpy(b, a, 3, 0, 0, none, omp_get_initial_device()) != 0);
}
