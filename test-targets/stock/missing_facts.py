# SPDX-License-Identifier: Apache-2.0
"""What a report says where the layout lacks one fact, against the report by the whole layout.

    for fact, row in withheld(row): ...
    changes(right, report)      # {cell: [reasons]}, each cell that is not as in RIGHT
"""

import collections
import copy

THREAD = ("thread_num", "team_size", "level", "active_level", "region", "task", "state")
WAIT = ("kind", "id", "object", "owner_lwp", "arrived", "missing", "barrier")
TASK = ("kind", "state", "region", "generator", "scheduled_over", "lwp", "thread_num", "children", "untied",
        "final", "entry", "depends_on")
LOOP = ("schedule", "iterations", "first", "step", "chunk", "left", "next", "has", "share")
# The functions of regions are looked for on stacks, too: they are no cells of the layout's.
REGION = ("kind", "level", "team_size", "active_level", "team_num", "parent", "parent_task", "members")


def withheld(row, facts):
    """Yields (fact, row without it)."""
    for fact in facts:
        part = "fields" if "." in fact else "sizes"
        changed = copy.copy(row)
        changed[part] = {name: value for name, value in row[part].items() if name != fact}
        if changed[part] == row[part]:
            raise ValueError("the layout has no %s" % fact)
        yield fact, changed


def _unknown(value, before=None):
    """Is it not known? A list of members may have some; a task of unknown kind may be known as explicit."""
    if isinstance(value, list) and value and isinstance(before, list):
        return all(one == other or one["lwp"] is None for one, other in zip(value, before))
    return value in (None, "unknown", "undefined", "explicit", [])


def _reason(row, path):
    unknown = row.get("unknown") or {}
    while path:
        if path in unknown:
            return unknown[path]
        path = path.rpartition(".")[0]
    return None


def _shape(region):
    return region["kind"], region["level"], region["team_size"]


class _Report:
    """Rows by what does not change when others are missing: ids are numbers of one stop."""

    def __init__(self, report):
        self.report = report
        self.threads = {row["lwp"]: row for row in report["threads"]}
        regions = {region["id"]: region for region in report["regions"]}
        tasks = {task["id"]: task for task in report["tasks"]}
        self.region_names = {key: self.region_name(region, regions) for key, region in regions.items()}
        self.task_names = {key: self.task_name(task) for key, task in tasks.items()}
        self.regions, self.tasks = {}, {}
        for key, region in regions.items():
            self.regions.setdefault(self.region_names[key], []).append(self.named(region))
        for key, task in tasks.items():
            self.tasks.setdefault(self.task_names[key], []).append(self.named(task))

    @staticmethod
    def region_name(region, regions):
        """Of several that are alike: by the first member that is known. Initial ones are not told apart."""
        alike = [one for one in regions.values() if _shape(one) == _shape(region)]
        members = [member["lwp"] for member in region["members"] if member["lwp"]]
        return _shape(region) if len(alike) == 1 or region["kind"] == "initial" else \
            _shape(region) + ((members[0] if members else None),)

    def task_name(self, task):
        number = task["thread_num"] if task["kind"] in ("implicit", "initial") else "explicit"
        return number, self.region_names.get(task["region"])

    def named(self, row):
        found = dict(row)
        for name in ("region", "parent"):
            if name in row:
                found[name] = self.region_names.get(row[name])
        for name in ("generator", "scheduled_over", "parent_task", "task"):
            if name in row:
                found[name] = self.task_names.get(row[name])
        if "wait" in row:
            wait = row["wait"] or {}
            names = self.region_names if wait.get("kind") == "barrier" else self.task_names
            found["wait"] = dict(wait, object=names.get(wait.get("object"), wait.get("object")))
        if "depends_on" in row:
            found["depends_on"] = sorted(map(str, (self.task_names.get(one) for one in row["depends_on"])))
        return found


def _compare(found, prefix, names, right, row):
    for name in names:
        if right.get(name) == row.get(name):
            continue
        reason = _reason(row, name) if _unknown(row.get(name), right.get(name)) else None
        found.setdefault(prefix + name, []).append(reason)


def _of_thread(found, right, row):
    if right["openmp"] and not row["openmp"]:
        found.setdefault("openmp", []).append(_reason(row, "openmp"))
        return
    if right["openmp"] != row["openmp"]:
        found.setdefault("openmp", []).append(None)
    _compare(found, "", THREAD, right, row)
    before, after = right["wait"], row["wait"]
    for name in WAIT:
        if before.get(name) != after.get(name):
            why = _reason(row, "wait." + name) or _reason(row, "state") or _reason(row, "wait.kind")
            found.setdefault("wait." + name, []).append(why if _unknown(after.get(name)) else None)


def _compare_all(found, what, names, rows, others, problem):
    """Rows of one name; where some are missing, the rest is not compared."""
    if len(rows) != len(others):
        found.setdefault(what + "s", []).append(problem)
        return
    entries = all(row.get("entry") for row in rows + others)
    for row, other in zip(*(sorted(some, key=lambda one: (entries and one["entry"], one["id"]))
                            for some in (rows, others))):
        _compare(found, what + ".", names, row, other)


def _values(report):
    found = collections.defaultdict(list)
    for icv in report.get("icvs") or []:
        found[icv["name"], icv["scope"]].append(icv["value"])
    return found


def _of_icvs(found, right, report):
    """A value that is not given has its reason beside it, or that for all (docs/json.md)."""
    before, after = _values(right), _values(report)
    for key, values in before.items():
        known = [value for value in after.get(key, []) if value is not None]
        if not set(known) <= set(values):
            found.setdefault("icvs", []).append(None)
        elif len(known) < len([value for value in values if value is not None]):
            found.setdefault("icvs", []).append("not given")


def _of_loops(found, right, report):
    rows = {loop["lwp"]: loop for loop in report.get("loops") or []}
    for loop in right.get("loops") or []:
        row = rows.get(loop["lwp"])
        if row is None:
            found.setdefault("loops", []).append("not given")
        elif {key: row[key] for key in LOOP} != {key: loop[key] for key in LOOP}:
            found.setdefault("loops", []).append(None)


def changes(right, report):
    found = {}
    one, other = _Report(right), _Report(report)
    for lwp, row in one.threads.items():
        _of_thread(found, one.named(row), other.named(other.threads[lwp]))
    for name in set(one.regions) | set(other.regions):
        _compare_all(found, "region", REGION, one.regions.get(name, []), other.regions.get(name, []),
                     _problem(report, "regions"))
    for name in set(one.tasks) | set(other.tasks):
        _compare_all(found, "task", TASK, one.tasks.get(name, []), other.tasks.get(name, []),
                     _problem(report, "tasks"))
    _of_icvs(found, right, report)
    _of_loops(found, right, report)
    return found


def _problem(report, what):
    for problem in report.get("problems") or []:
        if what in problem["what"]:
            return problem["why"]
    return None
