/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program without OpenMP that loads a library with OpenMP, uses it and unloads it, again and again and from
 * threads of its own. The library is plugin.so beside the program.
 */
#include <dlfcn.h>
#include <pthread.h>

#include "robust.h"

static char path[4096];

static int use(int threads, int keep)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1000;
    }
    int (*function)(int);
    *(void **)&function = dlsym(library, "plugin_work");
    int wrong = function == NULL ? 1001 : function(threads);
    if (!keep)
        wrong += dlclose(library) != 0;
    return wrong;
}

static void *thread(void *wrong)
{
    *(int *)wrong = use(3, 0);
    return NULL;
}

int main(void)
{
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    path[length < 0 ? 0 : length] = 0;
    char *end = strrchr(path, '/');
    strcpy(end == NULL ? path : end + 1, "plugin.so");

    for (int i = 0; i < 20; i++)
        EXPECT(use(2 + i % 3, 0) == 0);
    EXPECT(robust_threads() < 40);

    for (int i = 0; i < 10; i++) {
        pthread_t handle;
        int wrong = -1;
        EXPECT(pthread_create(&handle, NULL, thread, &wrong) == 0);
        pthread_join(handle, NULL);
        EXPECT(wrong == 0);
    }
    EXPECT(use(4, 1) == 0);
    EXPECT(use(4, 0) == 0);

    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exit(use(3, 0));
    EXPECT(robust_child_status(child, 20) == 0);
    return robust_end();
}
