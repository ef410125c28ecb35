/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Version nodes of the ABI symbols.
 *
 * A program names the node with each symbol: clang's programs VERSION for every one, gcc's programs OMP_1.0,
 * GOMP_4.5 and so on. The version script puts each symbol into its main node: GOMP_* into libgomp's, all
 * others into VERSION. The macros here add the other nodes that exist for the same code. `tests/versions.tsv`
 * has all of them.
 *
 * `.symver` names a symbol of the same object file and is lost under LTO: the directory abi/ is never
 * compiled with it.
 */
#ifndef RT_ABI_VERSIONS_H
#define RT_ABI_VERSIONS_H

#include "gomp_nodes.h"

/*
 * GNU ld drops a plain symbol that has versions beside it, so its main version is spelt out too (@@@ renames
 * the symbol), and each further version stands on an alias, which the version script keeps local. In the
 * static archive there are no versions: RT_STATIC.
 */
#ifdef RT_STATIC
#define RT_NODE_MAIN(name, main)
#define RT_NODE_ALIAS(code, name, node)
#else
#define RT_NODE_MAIN(name, main)                                                                             \
    __asm__(".ifndef rt_main." #name "\n\t.set rt_main." #name ", 1\n\t.symver " #name ", " #name "@@@" main \
            "\n\t.endif")
#define RT_NODE_ALIAS(code, name, node)                                                                 \
    __asm__(".globl rt_" node "." #name "\n\t.set rt_" node "." #name ", " #code "\n\t.symver rt_" node \
            "." #name ", " #name "@" node)
#endif

/** `name` exists in `node` too: RT_NODE(omp_get_level, "OMP_3.0"). At file scope, behind the function. */
#define RT_NODE(name, node)          \
    RT_NODE_ALIAS(name, name, node); \
    RT_NODE_MAIN(name, "VERSION")
/** A GOMP_ entry point that libomp exports as well. */
#define RT_ALSO_VERSION(name)             \
    RT_NODE_ALIAS(name, name, "VERSION"); \
    RT_NODE_MAIN(name, RT_MAIN_##name)
/** `code` is what `name` means in `node` alone, where that differs from its other nodes. */
#define RT_NODE_ONLY(code, name, node) RT_NODE_ALIAS(code, name, node)

#endif
