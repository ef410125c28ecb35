# SPDX-License-Identifier: Apache-2.0
"""The documents are a site without a warning, in which every link leads somewhere."""
import contextlib
import io
import os
import tempfile
import unittest

import docs_site
import xmltest


class Site(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.site = os.path.join(folder.name, "site")

    def test_the_documents(self):
        told, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(errors):
            status = docs_site.main([self.site])
        self.assertEqual((status, errors.getvalue()), (0, ""))
        self.assertRegex(told.getvalue(), r"^\d\d pages in ")

    def test_what_leads_nowhere_is_found(self):
        os.makedirs(self.site)
        pages = {"a.html": '<h1 id="x">a</h1><a href="b.html#y">b</a><a href="#x">x</a>',
                 "b.html": '<a href="a.html#z">a</a><a href="c.html">c</a><a href="a.html#x">a</a>'}
        for name, text in pages.items():
            with open(os.path.join(self.site, name), "w") as f:
                f.write(text)
        self.assertEqual(list(docs_site.broken(self.site)),
                         [("a.html", "b.html#y"), ("b.html", "a.html#z"), ("b.html", "c.html")])

    def test_each_page_is_in_the_navigation_once(self):
        nav = docs_site.navigation(["a.md", "abi/b.md", "c.md", "d.md", "index.md", "why/index.md",
                                    "why/one.md"],
                                   "# All\n\n## One\n[a](a.md) [c](c.md#x)\n"
                                   "## Two\n[a](a.md)\n[b](abi/b.md) [w](why/index.md)\n")
        self.assertEqual(nav, [{"Start": "index.md"}, {"One": ["a.md", "c.md"]},
                               {"Two": ["abi/b.md", "why/index.md", "why/one.md"]}, {"More": ["d.md"]}])


if __name__ == "__main__":
    xmltest.main()
