/* SPDX-License-Identifier: Apache-2.0 */
/* MPI that no file of the program is linked with: a plugin is, which is opened when the program runs. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    /* Open MPI's own plugins look for its functions among all. */
    void *plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_GLOBAL);
    int (*run)(int, char **) = plugin ? (int (*)(int, char **))dlsym(plugin, "plugin_main") : NULL;

    if (!run) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    return run(argc, argv);
}
