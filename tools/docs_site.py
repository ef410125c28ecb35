#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The documents as a site: mkdocs over docs/ as it is, ordered by docs/index.md.

    docs_site.py FOLDER

A warning of mkdocs, and a link or anchor that leads nowhere, is an error: exit 1.
"""

import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Beside docs/, where the documents name them.
BESIDE = ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
_LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)]*)?\)")


def navigation(pages, index):
    """mkdocs' `nav`: each section of the index with the pages that it names first, then all others. With the
    index of a folder come the folder's pages."""
    nav, rest = [{"Start": "index.md"}], [page for page in pages if page != "index.md"]
    for section in index.split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        named = []
        for page in dict.fromkeys(_LINK.findall(text)):
            folder = page[:-len("index.md")] if page.endswith("/index.md") else None
            named += [other for other in rest if other == page or folder and other.startswith(folder)]
        named = list(dict.fromkeys(named))
        rest = [page for page in rest if page not in named]
        if named:
            nav.append({title: named})
    return nav + ([{"More": rest}] if rest else [])


def collect(folder):
    """Copies the documents to FOLDER, those beside docs/ too; their paths."""
    # The README is for who looks at the folder; mkdocs would take it for the index.
    shutil.copytree(os.path.join(ROOT, "docs"), folder,
                    ignore=shutil.ignore_patterns("BUILD", "README.md", "man", "*.xz"))
    for name in BESIDE:
        if os.path.exists(os.path.join(ROOT, name)):
            shutil.copy(os.path.join(ROOT, name), folder)
    pages = []
    for at, _, names in os.walk(folder):
        for name in sorted(names):
            if not name.endswith(".md"):
                continue
            path = os.path.join(at, name)
            page = os.path.relpath(path, folder)
            pages.append(page)
            with open(path, encoding="utf-8") as f:
                text = f.read()
            for other in BESIDE:
                text = text.replace("](../%s" % other, "](%s" % other)
            if page in BESIDE:
                text = text.replace("](docs/", "](")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
    return sorted(pages)


class _Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if found.get("id"):
            self.anchors.add(found["id"])
        if tag == "a" and found.get("name"):
            self.anchors.add(found["name"])
        link = found.get("href" if tag in ("a", "link") else "src")
        if link:
            self.links.append(link)


def broken(site):
    """(page, link) of what leads nowhere inside the site."""
    pages = {}
    for at, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                page = _Page()
                with open(os.path.join(at, name), encoding="utf-8") as f:
                    page.feed(f.read())
                pages[os.path.join(at, name)] = page
    for path, page in sorted(pages.items()):
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or os.path.basename(path) in ("404.html", "search.html"):
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) \
                if parts.path else path
            to = os.path.join(to, "index.html") if os.path.isdir(to) else to
            if not os.path.exists(to) or parts.fragment and to in pages \
                    and urllib.parse.unquote(parts.fragment) not in pages[to].anchors:
                yield os.path.relpath(path, site), link


def main(argv):
    if len(argv) != 1 or argv[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    site = os.path.abspath(argv[0])
    with tempfile.TemporaryDirectory() as work:
        pages = collect(os.path.join(work, "docs"))
        with open(os.path.join(work, "docs/index.md"), encoding="utf-8") as f:
            nav = navigation(pages, f.read())
        # JSON is YAML.
        with open(os.path.join(work, "mkdocs.yml"), "w", encoding="utf-8") as f:
            json.dump({"site_name": "ompd", "docs_dir": "docs", "site_dir": site, "theme": "mkdocs",
                       "use_directory_urls": False, "strict": True, "nav": nav}, f)
        built = subprocess.run(["mkdocs", "build", "--clean", "-f", os.path.join(work, "mkdocs.yml")],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if built.returncode:
        print(built.stdout, end="", file=sys.stderr)
        return 1
    found = list(broken(site))
    for page, link in found:
        print("%s: the link %s leads nowhere" % (page, link), file=sys.stderr)
    print("%d pages in %s" % (len(pages), site))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
