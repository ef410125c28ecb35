/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of a job's stacks as a picture.
 */
#include <inttypes.h>

#include "inspect/jobs/tree.h"
#include "inspect/render/dot.h"

struct picture {
    struct job_view *v;
    const struct job_section *s;
    struct job_tree tree;
    size_t number; /**< of the job, so that boxes of two have different names */
    size_t *boxes;
};

static const char *colours(const struct tree_node *first, const struct tree_node *last)
{
    if (!first->rank)
        return "#f8cfcf\", color=\"#b3261e";
    return last->mpi ? "#fbe3c8" : last->leaf ? "#d5efd9" : "#eef2f7";
}

static void draw_branch(struct picture *p, int parent, int node)
{
    int last = tree_chain_end(&p->tree, node), drawn = 0;
    const struct tree_node *n = &p->tree.nodes[node];
    struct job_view *v = p->v;

    ++*p->boxes;
    sbuf_printf(&v->out, "  j%zu_%d [fillcolor=\"%s\", label=\"", p->number, node,
                colours(n, &p->tree.nodes[last]));
    for (int i = node;; i = p->tree.nodes[i].child) {
        dot_line(&v->out, p->tree.nodes[i].text);
        if (i == last)
            break;
    }
    dot_line(&v->out, view_printf(v, "%zu thread%s of %zu process%s", n->threads, n->threads == 1 ? "" : "s",
                                  n->processes, n->processes == 1 ? "" : "es"));
    sbuf_add(&v->out, "\"];\n");
    if (parent < 0)
        sbuf_printf(&v->out, "  j%zu -> j%zu_%d [label=\"", p->number, p->number, node);
    else
        sbuf_printf(&v->out, "  j%zu_%d -> j%zu_%d [label=\"", p->number, parent, p->number, node);
    dot_line(&v->out, tree_which(v, p->s, n));
    sbuf_add(&v->out, "\"];\n");
    for (int i = p->tree.nodes[last].child; i >= 0 && *p->boxes < DOT_NODES && drawn < DOT_CHILDREN;
         i = p->tree.nodes[i].next, drawn++)
        draw_branch(p, node, i);
}

static size_t branches(const struct job_tree *t, int node)
{
    int last = tree_chain_end(t, node);
    size_t n = 1;

    for (int i = t->nodes[last].child; i >= 0; i = t->nodes[i].next)
        n += branches(t, i);
    return n;
}

static void draw_job(struct job_view *v, const struct job_section *s, size_t number, size_t *boxes)
{
    struct picture p = {.v = v, .s = s, .number = number, .boxes = boxes, .tree = tree_make(v, s)};
    size_t all = 0, before = *boxes;
    int drawn = 0;

    sbuf_printf(&v->out, "  j%zu [shape=plaintext, style=\"\", label=\"", number);
    dot_line(&v->out, section_title(v, s));
    sbuf_add(&v->out, "\"];\n");
    for (int i = p.tree.first; i >= 0; i = p.tree.nodes[i].next)
        all += branches(&p.tree, i);
    for (int i = p.tree.first; i >= 0 && *boxes < DOT_NODES && drawn < DOT_CHILDREN;
         i = p.tree.nodes[i].next, drawn++)
        draw_branch(&p, -1, i);
    if (*boxes - before < all)
        sbuf_printf(&v->out,
                    "  j%zu_more [shape=note, label=\"%zu more\"];\n  j%zu -> j%zu_more [style=dotted];\n",
                    number, all - (*boxes - before), number, number);
}

char *jobs_dot(struct jobs *j, const struct jobs_options *options)
{
    struct job_view v = {.j = j, .options = options};
    struct job_section *list;
    size_t count = 0, boxes = 0;

    jobs_sort(j);
    list = sections_make(&v, &count);
    dot_begin(&v.out, "job", "LR");
    for (size_t i = 0; list && i < count && boxes < DOT_NODES; i++)
        draw_job(&v, &list[i], i, &boxes);
    dot_end(&v.out);
    sections_free(list, count);
    return view_take(&v);
}
