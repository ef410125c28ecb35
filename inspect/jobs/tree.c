/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/tree.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/jobs/state.h"

/** The tree as it grows. */
struct maker {
    struct job_view *v;
    const struct job_section *s;
    struct job_tree tree;
    struct hash by_text; /**< of each node: by its parent and whether it is a leaf */
    int variant;         /**< whose threads are being added */
    size_t processes;
    int rank;
};

/* -1 out of memory. */
static int new_node(struct maker *m, int parent, const char *text, bool leaf)
{
    struct tree_node *grown = arena_grow(&m->v->arena, m->tree.nodes, m->tree.count, sizeof(*m->tree.nodes));
    int *head;

    if (!grown)
        return -1;
    m->tree.nodes = grown;
    head = parent < 0 ? &m->tree.first : &grown[parent].child;
    grown[m->tree.count] = (struct tree_node){
        .text = text, .parent = parent, .child = -1, .next = *head, .first = 2, .leaf = leaf};
    *head = (int)m->tree.count;
    return (int)m->tree.count++;
}

static int node_of(struct maker *m, int parent, const char *text, bool leaf)
{
    uint64_t *at = hash_add(&m->by_text, 2 * (uint64_t)(parent + 1) + leaf, text); /* index + 1 */
    int node;

    if (at && *at)
        return (int)*at - 1;
    node = at ? new_node(m, parent, text, leaf) : -1;
    if (node >= 0)
        *at = (uint64_t)node + 1;
    return node;
}

static void count(struct maker *m, int node, size_t threads)
{
    struct tree_node *n = &m->tree.nodes[node];
    int *grown;

    n->threads += threads * m->processes;
    n->rank = m->rank > n->rank ? m->rank : n->rank;
    n->first = m->rank < n->first ? m->rank : n->first;
    if (n->variant_count && n->variants[n->variant_count - 1] == m->variant)
        return;
    n->processes += m->processes;
    grown = arena_grow(&m->v->arena, n->variants, n->variant_count, sizeof(*grown));
    if (!grown)
        return;
    n->variants = grown;
    grown[n->variant_count++] = m->variant;
}

static void add_row(struct maker *m, const json_t *row)
{
    const json_t *stack = json_object_get(row, "stack");
    const char *does = view_string(row, "does"), *kind = view_string(row, "kind");
    json_int_t n = view_integer(row, "count", 0);
    size_t threads = n > 0 ? (size_t)n : 0;
    int node = -1;

    for (size_t i = json_array_size(stack); i-- > 0;) {
        const char *text = json_string_value(json_array_get(stack, i));

        node = node_of(m, node, text ? text : "?", false);
        if (node < 0)
            return;
        count(m, node, threads);
    }
    node = node_of(m, node, does ? does : "?", true);
    if (node < 0)
        return;
    count(m, node, threads);
    m->tree.nodes[node].mpi = kind && !strncmp(kind, "MPI_", 4);
}

/* ---- order ---------------------------------------------------------------------------------------- */

/* For qsort, which has no place for it. */
static const struct tree_node *sorted;

static int by_order(const void *left, const void *right)
{
    const struct tree_node *a = &sorted[*(const int *)left], *b = &sorted[*(const int *)right];

    if (a->rank != b->rank)
        return a->rank - b->rank;
    if (a->first != b->first)
        return a->first - b->first;
    if (a->processes != b->processes)
        return a->processes < b->processes ? -1 : 1;
    if (a->threads != b->threads)
        return a->threads < b->threads ? -1 : 1;
    return a->leaf != b->leaf ? a->leaf - b->leaf : strcmp(a->text, b->text);
}

static void sort_children(struct job_tree *t, int *head, int *room)
{
    size_t n = 0;

    for (int i = *head; i >= 0; i = t->nodes[i].next)
        room[n++] = i;
    sorted = t->nodes;
    if (n)
        qsort(room, n, sizeof(*room), by_order);
    sorted = NULL;
    *head = n ? room[0] : -1;
    for (size_t i = 0; i < n; i++)
        t->nodes[room[i]].next = i + 1 < n ? room[i + 1] : -1;
}

struct job_tree tree_make(struct job_view *v, const struct job_section *s)
{
    struct maker m = {.v = v, .s = s, .tree = {.first = -1}, .by_text = {.arena = &v->arena}};
    int *room;

    for (size_t i = 0; i < s->g.variant_count; i++) {
        const struct job_variant *one = &s->g.variants[i];
        const json_t *rows = json_object_get(one->kept->state, "threads");

        m.variant = (int)i;
        m.processes = one->end - one->first;
        m.rank = state_proved(one->kept->state) ? 0 : state_suspected(one->kept->state) ? 1 : 2;
        for (size_t k = 0; k < json_array_size(rows); k++)
            add_row(&m, json_array_get(rows, k));
    }
    room = arena_alloc(&v->arena, (m.tree.count + 1) * sizeof(*room));
    if (room)
        sort_children(&m.tree, &m.tree.first, room);
    for (size_t i = 0; room && i < m.tree.count; i++)
        sort_children(&m.tree, &m.tree.nodes[i].child, room);
    return m.tree;
}

/* ---- as text -------------------------------------------------------------------------------------- */

int tree_chain_end(const struct job_tree *t, int node)
{
    for (;;) {
        int child = t->nodes[node].child;

        if (child < 0 || t->nodes[child].next >= 0 || t->nodes[child].threads != t->nodes[node].threads)
            return node;
        node = child;
    }
}

const char *tree_chain_text(struct job_view *v, const struct job_tree *t, int first, int last)
{
    const char *text = t->nodes[last].text;

    for (int i = last; i != first;) {
        i = t->nodes[i].parent;
        text = view_printf(v, "%s > %s", t->nodes[i].text, text);
    }
    return text;
}

const char *tree_which(struct job_view *v, const struct job_section *s, const struct tree_node *node)
{
    struct job_groups some = {.variants = calloc(node->variant_count + 1, sizeof(*some.variants))};
    const char *text = "?";

    v->arena.oom |= !some.variants;
    for (size_t i = 0; some.variants && i < node->variant_count; i++)
        some.variants[i] = s->g.variants[node->variants[i]];
    if (some.variants)
        text = view_which(v, &some, 0, node->variant_count, VIEW_RANGES);
    free(some.variants);
    return text;
}
