/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of a job's stacks as text: chains are one line, and the branch that few processes are in comes
 * first.
 */
#include <inttypes.h>

#include "inspect/jobs/tree.h"
#include "inspect/render/table.h"

enum { COL_MARK, COL_THREADS, COL_RANKS, COL_WHICH, COL_WHERE };
enum { TREE_LINES = 30, DEPTH_MAX = 20 };

struct printer {
    struct job_view *v;
    const struct job_section *s;
    struct job_tree tree;
    struct table table;
    size_t lines, most, left;
};

static void add_branch(struct printer *p, int node, int depth)
{
    static const char *const marks[] = {"!", "?", ""};
    int last = tree_chain_end(&p->tree, node), indent = depth < DEPTH_MAX ? depth : DEPTH_MAX;
    const struct tree_node *n = &p->tree.nodes[node];
    char blanks[2 * DEPTH_MAX + 1];

    if (p->lines == p->most) {
        p->left++;
        return;
    }
    p->lines++;
    for (int i = 0; i < 2 * indent; i++)
        blanks[i] = ' ';
    blanks[2 * indent] = '\0';
    table_row(&p->table, n->rank ? TABLE_PLAIN : TABLE_WAIT);
    table_cell(&p->table, COL_MARK, "%s", marks[n->rank]);
    table_cell(&p->table, COL_THREADS, "%zu", n->threads);
    table_cell(&p->table, COL_RANKS, "%zu", n->processes);
    table_cell(&p->table, COL_WHICH, "%s", tree_which(p->v, p->s, n));
    table_cell(&p->table, COL_WHERE, "%s%s", blanks, tree_chain_text(p->v, &p->tree, node, last));
    for (int i = p->tree.nodes[last].child; i >= 0; i = p->tree.nodes[i].next)
        add_branch(p, i, depth + 1);
}

static void add_tree(struct job_view *v, const struct job_section *s, size_t most)
{
    struct printer p = {.v = v, .s = s, .most = most, .tree = tree_make(v, s)};

    sbuf_printf(&v->out, "%s\n\n", section_title(v, s));
    table_column(&p.table, " ", false, false);
    table_column(&p.table, "Threads", true, false);
    table_column(&p.table, "Ranks", true, false);
    table_column(&p.table, "Which", false, true);
    table_column(&p.table, "Where", false, true);
    for (int i = p.tree.first; i >= 0; i = p.tree.nodes[i].next)
        add_branch(&p, i, 0);
    table_print(&p.table, v->options->width, v->options->colour, &v->out);
    table_free(&p.table);
    if (p.left)
        sbuf_printf(&v->out, "(%zu more branch%s; --zoom 1 to 3 shows all)\n", p.left,
                    p.left == 1 ? "" : "es");
}

static void add_failure(struct job_view *v, const char *line)
{
    sbuf_printf(&v->out, "  %s\n", line);
}

char *jobs_tree(struct jobs *j, const struct jobs_options *options)
{
    struct job_view v = {.j = j, .options = options};
    struct job_section *list;
    size_t count = 0, shown;

    jobs_sort(j);
    list = sections_make(&v, &count);
    shown = options->zoom || count < 3 ? count : 3;
    for (size_t i = 0; list && i < shown; i++) {
        const char *gaps[SECTION_GAPS];

        sbuf_add(&v.out, i ? "\n" : "");
        add_tree(&v, &list[i], options->zoom ? SIZE_MAX : TREE_LINES / shown);
        section_gaps(&v, &list[i], gaps);
        for (const char **text = gaps; *text; text++)
            sbuf_printf(&v.out, "\n%s\n", *text);
    }
    if (shown < count)
        sbuf_printf(&v.out, "(%zu more job%s; --zoom 1 to 3 shows all)\n", count - shown,
                    count - shown == 1 ? "" : "s");
    if (j->failure_count)
        sbuf_printf(&v.out, "%sNo answer\n", count ? "\n" : "");
    failures_each(&v, options->zoom ? SIZE_MAX : 2, add_failure);
    sections_free(list, count);
    return view_take(&v);
}
