// SPDX-License-Identifier: Apache-2.0
// Prints JSON answers of made-up processes, each behind a line "=", for schema_test.py.
#include <cstdio>

#include "inspect/tests/doings.h"
#include "inspect/tests/scenario.h"

namespace
{

void Print(const std::string &document)
{
    printf("=\n%s\n", document.c_str());
}

void Print(const Hand &h)
{
    char *error = nullptr, *record = insp_record(h.s, &error);

    Print(record ? record : error);
    insp_string_free(record ? record : error);
}

} // namespace

int main()
{
    for (bool extensions : {true, false}) {
        Scenario s(extensions);
        s.stats = 1;
        for (int view = INSP_VIEW_THREADS; view <= INSP_VIEW_STACKS; view++)
            Print(s.render(view, INSP_JSON));
    }
    Scenario none(true);
    none.host.modules.resize(1);
    Print(none.render(INSP_VIEW_REPORT, INSP_JSON));
    Hand doings(DOINGS), open(4), names(2);
    AllDoings(&doings);
    Print(doings);
    open.Mutex(0, "critical", "till", 1, 21);
    open.Barrier(1, 30, {0, 2, 3});
    open.After(open.Task(20, "explicit", "blocked", -1, 10, 45), 21);
    open.Task(21, "taskloop", "ready", -1, 10, 45);
    open.Task(22, "taskloop", "ready", -1, 10, 45);
    open.Icv("nthreads-var", "4");
    open.s->icvs[0].scope = MDL_SCOPE_TASK;
    verdict_make(open.s);
    open.s->edges[0].to = {};
    open.s->edges[0].to.pid = 4711;
    Print(open);
    names.Mutex(0, "lock", "a\xff", 1, 21);
    names.s->process.exe = "/apps/\x80";
    Doing(&names, 1, MDL_ACTIVITY_READ, "read\xc3")->file = "\xfe";
    verdict_make(names.s);
    Print(names);
    Hand placed(2);
    placed.Mutex(0, "lock", "a", 1, 21);
    mdl_hold hold = {&placed.s->threads[0].wait, nullptr, 1, false};
    mdl_finding finding = {MDL_FINDING_RUNTIMES, 4, 2, -1, 0, 0, nullptr};
    placed.s->threads[1].holds = &hold;
    placed.s->threads[1].hold_count = 1;
    placed.s->threads[1].allowed = "0-1";
    placed.s->findings = &finding;
    placed.s->finding_count = 1;
    placed.s->want |= INSP_PLACEMENT;
    verdict_make(placed.s);
    insp_render_options o = {};
    o.size = sizeof(o);
    o.format = INSP_JSON;
    o.verbose = 1;
    Print(placed.Render(o));
    char *watch = insp_compare(names.s, names.s, &o, nullptr);
    // As `ompd --watch` puts it into the document.
    Print("{\"schema\": 1, \"moving\": false, \"complete\": true, \"problems\": [], \"runtimes\": [], "
          "\"watch\": [" +
          std::string(watch) + "]}");
    insp_string_free(watch);
    return 0;
}
