"""The tables of parts and areas, against the tests of this repository."""

import re
import unittest

import parts


class PartTests(unittest.TestCase):
    def test_each_target_is_in_an_area(self):
        covered = [re.compile(f) for area in parts.AREAS for f in parts.filters_of_area(area)]
        targets = {p.name for p in (parts.ROOT / "Tests").rglob("*Tests") if p.is_dir()}
        self.assertGreater(len(targets), 25)
        for target in targets - {"EndToEndTests"}:
            self.assertTrue(any(c.search(f"{target}.Suite/a()/A.swift:1:1") for c in covered), target)
        for file in (parts.ROOT / "Tests/Programs/EndToEndTests").rglob("*Tests.swift"):
            test = f"EndToEndTests.Suite/a()/{file.name}:1:1"
            self.assertTrue(any(c.search(test) for c in covered), file)

    def test_each_line_of_the_table_of_programs_names_existing_targets_and_suites(self):
        sources = "\n".join(
            path.read_text(encoding="utf-8") for path in (parts.ROOT / "Tests").rglob("*.swift")
        )
        folders = {p.name for p in (parts.ROOT / "Tests").rglob("*Tests") if p.is_dir()}
        for expression in parts.PROGRAMS:
            names = re.findall(r"(?<![\\*])\b([A-Z]\w*Tests)\b", expression)
            self.assertTrue(names, expression)
            for found in names:
                declared = re.search(rf"(struct|enum|class|actor) {found}\b", sources)
                self.assertTrue(found in folders or declared, f"{found} in {expression}")

    def test_servers_belong_to_the_programs(self):
        self.assertTrue(any("LoopbackServerTests" in e for e in parts.PROGRAMS))


if __name__ == "__main__":
    unittest.main()
