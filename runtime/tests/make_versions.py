#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The table of exported symbols, the version script of the library and the nodes for its source.

    make_versions.py --table REFERENCE OMP_H > versions.tsv
    make_versions.py --lds versions.tsv > ../libompcompanion.lds
    make_versions.py --gomp-nodes versions.tsv > ../abi/gomp_nodes.h

REFERENCE is the folder with exports-gomp12.tsv and exports-omp19.tsv: the
dynamic symbols of Debian 12's libgomp and of libomp 19, with their nodes.
The table has a line for each symbol: its name, its main node, which is the
one that a linker takes for a new program, and the other nodes in which it
exists, for programs that were linked before.

The main node is libgomp's for GOMP_*, VERSION for all others. The other
nodes are the union of both peers' and of the newer ones below.
Exceptions are the four routines of AFFINITY, whose meaning differs by node.

In the table besides the peers' exports:
 - NEWER: what libgomp got after gcc 12, and what Debian leaves out of libomp;
 - the routines that OMP_H (our omp.h, OpenMP 6.0) declares and no peer has:
   a header must not promise what the library lacks;
   gfortran and flang find those by the name with an underscore, except where
   the standard's Fortran interface is by C's name or has none;
 - TARGET and OWN, the latter for debuggers and tools.

Excluded, see EXCLUDED:
 - OpenACC (acc_*, GOACC_*) and GOMP_PLUGIN_*, by which libgomp's device
   plugins call back: no devices, and OpenACC is out of scope;
 - functions and variables that libomp exports for itself and its tests, not
   for compilers, libomptarget or users: their meaning is libomp's inner
   structure;
 - ompt_*: the tool interface, which is no part of the compilers' ABI (OWN are
   ompt_control of 2016, which programs call, and ompt_libomp_connect, which
   libomptarget looks up);
 - the nodes' own names, which are dynamic symbols too.
"""
import os
import re
import sys

EXCLUDED = re.compile(
    r"acc_|GOACC_|GOMP_PLUGIN_"
    r"|___kmp_|__kmp_|kmp_threadprivate_insert|kmp_[a-f]_debug$|kmp_diag$|kmp_mutex_impl_info$"
    r"|kmp_max_mem_alloc$"
    r"|__kmpc_(calc_original_ivs_rectang|process_loop_nest_rectang|for_collapsed_init|invoke_task_func)$"
    r"|__kmpc_(task_get_depnode|task_get_successors)$"
    r"|ompt_")

# Each node inherits the one before.
GOMP_CHAIN = (
    "GOMP_1.0 GOMP_2.0 GOMP_3.0 GOMP_4.0 GOMP_4.0.1 GOMP_4.5 GOMP_5.0 GOMP_5.0.1 GOMP_5.1 GOMP_5.1.1 "
              "GOMP_5.1.2 GOMP_5.1.3 GOMP_6.0 GOMP_6.0.1").split()
OMP_CHAIN = ("OMP_1.0 OMP_2.0 OMP_3.0 OMP_3.1 OMP_4.0 OMP_4.5 OMP_5.0 OMP_5.0.1 OMP_5.0.2 OMP_5.1 OMP_5.1.1 "
             "OMP_5.2").split()

# libgomp of gcc 13 (5.1.1, 5.2), 14 (5.1.2), 15 (5.1.3, 6.0) and 16 (6.0.1); libomp's builds for task graphs
# (VERSION).
NEWER = {
    "GOMP_5.1.1": "GOMP_taskwait_depend_nowait",
    "GOMP_5.1.2": "GOMP_add_alloc GOMP_is_alloc GOMP_target_map_indirect_ptr",
    "GOMP_5.1.3": "GOMP_interop omp_get_num_interop_properties omp_get_interop_int omp_get_interop_ptr "
                  "omp_get_interop_str omp_get_interop_str_ omp_get_interop_name omp_get_interop_name_ "
                  "omp_get_interop_type_desc omp_get_interop_type_desc_ omp_get_interop_rc_desc "
                  "omp_get_interop_rc_desc_",
    "GOMP_6.0": "omp_get_device_from_uid omp_get_device_from_uid_ omp_get_uid_from_device "
                "omp_get_uid_from_device_ "
                "omp_get_uid_from_device_8_",
    "GOMP_6.0.1": "omp_target_memset omp_target_memset_async",
    # In libgomp's header only; the node is our choice.
    "OMP_4.5": "omp_init_lock_with_hint omp_init_lock_with_hint_ omp_init_nest_lock_with_hint "
               "omp_init_nest_lock_with_hint_",
    "OMP_5.1.1": "omp_get_mapped_ptr omp_target_is_accessible omp_target_memcpy_async "
                 "omp_target_memcpy_rect_async",
    "OMP_5.2": "omp_in_explicit_task omp_in_explicit_task_",
    "VERSION": "__kmpc_start_record_task __kmpc_end_record_task",
}

# C strings in libgomp's node, Fortran strings in libomp's, whose header redirects C programs to ompc_*.
# A new C program must get the C meaning, so libgomp's node is the main one.
AFFINITY = "omp_set_affinity_format omp_get_affinity_format omp_display_affinity omp_capture_affinity".split()

OWN = (
    "rt_layout_table __omp_collector_api ompc_units ompt_control ompt_libomp_connect ompd_dll_locations "
    "ompd_dll_locations_valid "
       + " ".join("ompd_bp_%s_%s" % (what, when) for what in ("device", "parallel", "target", "task", "teams",
                                                              "thread")
                  for when in ("begin", "end"))).split()

# clang's interop construct. libomptarget has them, in its own node; a program that is linked without it finds
# them here.
TARGET = "__tgt_interop_init __tgt_interop_use __tgt_interop_destroy".split()

PATTERNS = ("omp_* ompc_* kmp_* kmpc_* __kmpc_* __tgt_* GOMP_* ompd_* ompt_* __omp_collector_api "
            "rt_layout_table".split())


def node_order(node):
    family, _, numbers = node.partition("_")
    return (family != "VERSION", family, [int(n) for n in numbers.split(".")] if numbers else [])


def exports(path):
    """(name, node) of each symbol in a node."""
    with open(path) as lines:
        for line in lines:
            name, _, node = line.split("\t")[0].partition("@")
            if node:
                yield name, node.lstrip("@")


def routines(header):
    """What our omp.h declares."""
    return re.findall(r"\b(omp_\w+)\([^;{}]*\)\s*OMP_H_NOTHROW;", header)


def make_table(reference, header):
    nodes = {}
    for peer in ("exports-gomp12.tsv", "exports-omp19.tsv"):
        for name, node in exports(os.path.join(reference, peer)):
            if not EXCLUDED.match(name):
                nodes.setdefault(name, set()).add(node)
    for node, names in NEWER.items():
        for name in names.split():
            nodes.setdefault(name, set()).add(node)
    with open(header) as text:
        for name in routines(text.read()):
            if name not in nodes and "mempartition" not in name:
                nodes[name + "_"] = {"VERSION"}
            nodes.setdefault(name, set()).add("VERSION")
    for name in OWN + TARGET:
        nodes[name] = {"VERSION"}
    table = {}
    for name, where in nodes.items():
        if name.startswith("GOMP_"):
            main = min(where - {"VERSION"}, key=node_order)
        elif name in AFFINITY:
            main = "OMP_5.0"
        else:
            main = "VERSION"
        table[name] = (main, sorted(where - {main}, key=node_order))
    return table


def read_table(path):
    """name -> (main node, other nodes)"""
    table = {}
    with open(path) as lines:
        for line in lines:
            if not line.startswith("#"):
                name, main, others = line.rstrip("\n").split("\t")
                table[name] = (main, [node for node in others.split(",") if node])
    return table


def format_table(table):
    lines = ["# symbol\tmain node\tother nodes; made by make_versions.py, which says what is left out "
             "and why"]
    for name in sorted(table):
        main, others = table[name]
        lines.append("%s\t%s\t%s" % (name, main, ",".join(others)))
    return "\n".join(lines) + "\n"


def format_lds(table):
    lines = ["/* Made by tests/make_versions.py from tests/versions.tsv; a test compares. */",
             "",
             "/* The node that programs linked with libomp ask for, for every symbol. GOMP_* stands here for "
             "the second",
             "   node of those symbols; their own nodes name them one by one, which has precedence. */",
             "VERSION {", "    global:"]
    lines += ["        %s;" % pattern for pattern in PATTERNS]
    lines += ["    local:", "        *;", "};", "",
              "/* libgomp's nodes. Those of omp_* name no symbol: abi/versions.h puts the symbols there. */"]
    for chain in (GOMP_CHAIN, OMP_CHAIN):
        before = ""
        for node in chain:
            names = sorted(name for name, (main, _) in table.items() if main == node)
            lines.append("%s {" % node)
            if names:
                lines.append("    global:")
            lines += ["        %s;" % name for name in names]
            lines.append("}%s;" % before)
            before = " " + node
    return "\n".join(lines) + "\n"


def format_gomp_nodes(table):
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */",
             "/**",
             " * @file",
             " * libgomp's node of each GOMP_ symbol, for versions.h. Made by tests/make_versions.py; a test "
             "compares.",
             " */",
             "#ifndef RT_ABI_GOMP_NODES_H",
             "#define RT_ABI_GOMP_NODES_H",
             "",
             "/* clang-format off */"]
    lines += ['#define RT_MAIN_%s "%s"' % (name, table[name][0]) for name in sorted(table)
              if name.startswith("GOMP_")]
    lines += ["", "#endif"]
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:2] == ["--table"] and len(sys.argv) == 4:
        sys.stdout.write(format_table(make_table(sys.argv[2], sys.argv[3])))
    elif sys.argv[1:2] == ["--lds"] and len(sys.argv) == 3:
        sys.stdout.write(format_lds(read_table(sys.argv[2])))
    elif sys.argv[1:2] == ["--gomp-nodes"] and len(sys.argv) == 3:
        sys.stdout.write(format_gomp_nodes(read_table(sys.argv[2])))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
