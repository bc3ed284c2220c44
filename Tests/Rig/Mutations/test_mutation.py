"""Tests of the list of mutations, and of the change of a file."""

import re
import tempfile
import unittest
from pathlib import Path

import mutation
from mutation import ROOT, Mutation, Stale

RULES, MUTATIONS = mutation.load()


class ListTests(unittest.TestCase):
    def test_each_old_text_occurs_exactly_once_in_its_file(self):
        for one in MUTATIONS:
            with self.subTest(one.name):
                self.assertNotEqual(one.changed(ROOT), (ROOT / one.file).read_text(encoding="utf-8"))

    def test_each_mutation_is_small_and_changes_the_service(self):
        for one in MUTATIONS:
            with self.subTest(one.name):
                self.assertRegex(one.name, r"^[a-z]+(-[a-z]+)*$")
                self.assertRegex(one.defect, r"^[A-Z].{10,110}\.$")
                self.assertTrue(one.file.startswith("Sources/"))
                self.assertTrue(1 <= len(one.old.split("\n")) <= 6 and 1 <= len(one.new.split("\n")) <= 8)
                # The old text must be whole lines, because a part of a line may be part of a longer word.
                self.assertIn(f"\n{one.old}\n", (ROOT / one.file).read_text(encoding="utf-8"))

    def test_the_simulation_builds_the_modules_of_all_mutations(self):
        manifest = (ROOT / "Package.swift").read_text(encoding="utf-8")
        modules = dict(re.findall(r'module\(\s*\.\w+, "(\w+)",?\s*(\[[^]]*\])?', manifest))
        modules |= dict(re.findall(r'rig\(\s*"(Simulation)",\s*(\[[^]]*\])', manifest))
        needed, queue = set(), ["Simulation"]
        while queue:
            name = queue.pop()
            if name not in needed:
                needed.add(name)
                queue += re.findall(r'"(\w+)"', modules.get(name, ""))
        self.assertIn("UploadEngine", needed)
        for one in MUTATIONS:
            self.assertIn(one.file.split("/")[2], needed, one.name)

    def test_the_names_are_unique_and_each_rule_has_a_mutation(self):
        self.assertEqual(len({one.name for one in MUTATIONS}), len(MUTATIONS))
        self.assertEqual({one.rule for one in MUTATIONS}, set(RULES))
        self.assertGreaterEqual(len({one.file for one in MUTATIONS}), 12)


class ChangeTests(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.root / "a.swift"
        self.file.write_text("one\ntwo\ntwo\n")

    def mutation(self, old):
        return Mutation("name", "A defect.", "a.swift", "photos", old, "three")

    def test_restores_the_file(self):
        with self.assertRaises(KeyboardInterrupt), self.mutation("one").applied(self.root):
            self.assertEqual(self.file.read_text(), "three\ntwo\ntwo\n")
            raise KeyboardInterrupt
        self.assertEqual(self.file.read_text(), "one\ntwo\ntwo\n")

    def test_refuses_a_text_that_does_not_occur_once(self):
        for old, count in (("two", 2), ("four", 0)):
            with self.assertRaisesRegex(Stale, f"occurs {count} times in a.swift"):
                self.mutation(old).changed(self.root)
        self.file.unlink()
        with self.assertRaisesRegex(Stale, "occurs 0 times"):
            self.mutation("one").changed(self.root)


if __name__ == "__main__":
    unittest.main()
