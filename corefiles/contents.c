/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The contents of a module's file, for who reads it as a whole.
 */
#include "corefiles/debugfile.h"
#include "corefiles/dwfl.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/target.h"

int cf_module_contents(struct cf_target *t, uint64_t base, int *fd, struct debuginfo **info)
{
    struct cf_mod *m = cf_module_at(t, base);
    uint64_t bias;

    if (!m || m->base != base)
        return 1;
    cf_module_file(t, m);
    if (m->check < CF_CHECK_ASSUMED || (*fd = cf_module_file_open(m)) < 0)
        return 1;
    *info = cf_dwfl_module(m) ? cf_debuginfo(m, &bias) : NULL;
    return 0;
}
