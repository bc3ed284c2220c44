"""Tests of the known gaps: features that do not work with some versions of libgphoto2."""

import dataclasses
import unittest

import gaps
from contract import FAIL, PASS, SYSTEM, not_installed, result
from features import FEATURES
from gaps import GAP, Gap
from makers import MAKERS

ONE = Gap(("sony",), ("bulb",), "2.5.31", "2.5.34", "no shutter", "why")


def results(*cells, library="2.5.32"):
    return {"versions": {"library": library}, "exposure": 1.0, "cells": list(cells)}


class TableTests(unittest.TestCase):
    def test_each_gap_has_makers_features_words_and_a_reason(self):
        found = gaps.load()
        self.assertTrue(found)
        for gap in found:
            self.assertLessEqual(set(gap.makers), set(MAKERS), gap)
            self.assertLessEqual(set(gap.features), set(FEATURES), gap)
            self.assertTrue(gap.makers and gap.features, gap)
            for limit in (gap.since, gap.until):
                self.assertRegex(limit or "2.5.30", r"^\d+(\.\d+)+$")
            self.assertGreater(len(gap.words), 10, gap)
            self.assertRegex(gap.reason, r"^[A-Za-z].{20,}\.$")

    def test_a_gap_covers_a_range_of_versions(self):
        for library, covered in (("2.5.9", False), ("2.5.31", True), ("2.5.33", True), ("2.5.34", False), ("2.6", False)):
            self.assertEqual(ONE.covers("sony", "bulb", library), covered, library)
        self.assertFalse(ONE.covers("canon", "bulb", "2.5.32") or ONE.covers("sony", "photos", "2.5.32"))
        self.assertTrue(Gap(("sony",), ("bulb",), None, None, "x", "y").covers("sony", "bulb", "1.0"))


class MarkTests(unittest.TestCase):
    def marked(self, word, reason="", **options):
        found = results(result("sony", "bulb", word, reason), **options)
        closed = gaps.mark_known(found, [ONE])
        return found["cells"][0]["word"], len(closed)

    def test_a_failure_with_the_words_of_a_gap_is_accepted(self):
        self.assertEqual(self.marked(FAIL, "there is no shutter here"), (GAP, 0))

    def test_any_other_failure_fails_the_run(self):
        self.assertEqual(self.marked(FAIL, "framefastd ended"), (FAIL, 0))
        self.assertEqual(self.marked(FAIL, "no shutter", library="2.5.34"), (FAIL, 0))

    def test_a_lost_photo_is_never_a_gap(self):
        self.assertEqual(self.marked(FAIL, "[loss] 1 of 2 photos are missing: no shutter"), (FAIL, 0))

    def test_reports_a_closed_gap(self):
        self.assertEqual(self.marked(PASS), (PASS, 1))

    def test_one_run_does_not_close_an_intermittent_gap(self):
        found = results(result("sony", "bulb", PASS))
        self.assertEqual(gaps.mark_known(found, [dataclasses.replace(ONE, is_intermittent=True)]), [])

    def test_a_failed_installation_is_never_a_gap(self):
        found = not_installed("unmet dependencies")
        self.assertEqual(gaps.mark_known(found, gaps.load()), [])
        self.assertEqual([(one["maker"], one["word"]) for one in found["cells"]], [(SYSTEM, FAIL)])


if __name__ == "__main__":
    unittest.main()
