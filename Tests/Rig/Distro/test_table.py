"""Tests of the tables and their sections in the document."""

import pathlib
import tempfile
import unittest

import table
from contract import FAIL, PASS, not_installed, result
from features import FEATURES
from gaps import GAP
from makers import MAKERS
from store import ROOT, Cannot
from suites import SUITES

TRIXIE = SUITES["trixie"]


def results():
    cells = [result(maker, feature, PASS) for maker in MAKERS for feature in (*FEATURES, "end")]
    cells[0].update(word=FAIL, reason="it failed\nwith more lines")
    cells[1].update(word=GAP, reason="it failed", gap="Known.")
    del cells[2]
    versions = {"library": "2.5.31", "libgphoto2": "2.5.31-4", "libc6": "2.41-12", "systemd": "257", "framefast": "0.1.0"}
    return {"versions": versions, "exposure": 1.6, "cells": cells}


class TextTests(unittest.TestCase):
    def test_table_has_a_mark_for_each_maker_and_feature(self):
        lines = table.text(TRIXIE, results()).splitlines()
        self.assertIn("libgphoto2 2.5.31-4", lines[0])
        self.assertIn("1.6 of 10", lines[0])
        self.assertEqual(lines[1].split("  ")[0].strip(), "")
        rows = {line.split()[0]: line.split()[1:] for line in lines[2:2 + len(MAKERS)]}
        self.assertEqual(set(rows), set(MAKERS))
        self.assertEqual(rows["canon"][:4], ["✗", "gap", "–", "✓"])
        self.assertEqual(set(rows["nikon"]), {"✓"})
        self.assertEqual(lines[2 + len(MAKERS):], ["✗ canon, tap: it failed", "gap canon, photos: Known."])

    def test_does_not_count_a_known_gap_as_a_failure(self):
        self.assertEqual([cell["feature"] for cell in table.failures(results())], ["tap"])

    def test_reports_a_release_without_the_package(self):
        said = table.text(TRIXIE, not_installed("unmet dependencies"))
        self.assertIn("the package cannot be installed", said)
        self.assertIn("✗ system, install: unmet dependencies", said)


class DocumentTests(unittest.TestCase):
    def test_the_document_has_a_section_for_each_release(self):
        document = table.DOCUMENT.read_text(encoding="utf-8")
        for suite in SUITES.values():
            changed = table.insert(document, suite.name, "| new |")
            self.assertEqual(changed.count("| new |"), 1)
            self.assertEqual(table.insert(changed, suite.name, "| newer |").count("new"), changed.count("new"))
            self.assertIn(f"`{suite.name}`", document)

    def test_the_document_explains_each_column(self):
        document = table.DOCUMENT.read_text(encoding="utf-8")
        for column in table.COLUMNS:
            self.assertIn(f"\n| {column} |", document)

    def test_keeps_the_other_tables(self):
        text = "a\n<!-- distro-test: x -->\nold\n<!-- end: x -->\nb\n<!-- distro-test: y -->\nkept\n<!-- end: y -->\n"
        self.assertEqual(table.insert(text, "x", "new"), text.replace("old", "new"))
        for broken in ("", text + text):
            with self.assertRaises(Cannot):
                table.insert(broken, "x", "new")

    def test_writes_a_markdown_table(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "document.md"
            file.write_text("<!-- distro-test: trixie -->\nnot run yet\n<!-- end: trixie -->\n")
            table.write(TRIXIE, results(), "commit 1a2b3c", file)
            lines = file.read_text().splitlines()
        rows = [line for line in lines if line.startswith("|")]
        self.assertEqual(len({line.count("|") for line in rows}), 1)
        self.assertEqual(len(rows), 2 + len(MAKERS))
        self.assertIn("From commit 1a2b3c.", lines[1])
        self.assertNotIn("not run yet", lines)
        self.assertNotIn(str(ROOT), "\n".join(lines))


if __name__ == "__main__":
    unittest.main()
