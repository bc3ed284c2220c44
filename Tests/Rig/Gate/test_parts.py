"""Tests that compare the tables of parts and areas with the tests of this repository."""

import re
import unittest

import parts
import suites

# Suites with `.programs(` outside the table `parts.PROGRAMS`, with the reasons.
NOT_PROGRAMS = {
    "TestRigTests.ProcessTokensTests/": "tests the trait and starts no program",
}
# Suites without `.programs(` that the table selects with their target, with the reasons. The gate does not repeat a
# failed test that held no process tokens.
NO_TRAIT = {
    **dict.fromkeys(
        [f"CameraWorkerTests.{name}Tests/" for name in (
            "AwaitedPhotos", "CameraProfile", "CardReading", "ClockDrift", "ClockWriting", "DialAfterRest",
            "DutyTable", "EventPace", "ExposureEnd", "FolderRefusals", "Instant", "IntervalTicks", "LiveView",
            "NoiseReduction", "OfferedValues", "OperationReasons", "PhotoSink", "PhotoWait",
            "ReleaseSequence", "SavedOperation", "ChunkSize",
            "InterruptedChange", "SessionParts", "SettingChoice", "SettingsMemory", "SettingsTable", "SettingsWriting",
        )], "values",
    ),
    "SimulationTests.PowerFailureTests/": "values",
    "SimulationTests.SimulatedDiskTests/": "values",
    "SimulationTests.SimulationExecutorTests/": "values",
    "USBHotplugTests.AccessTests/": "values",
    "USBHotplugTests.DescriptorTests/": "values",
    "USBHotplugTests.OtherProgramsTests/": "values",
    "USBHotplugTests.PresentDevicesTests/": "values",
    "ChildProcessesTests.ChildOutputTests/": "has .blocking: pipes and short children",
    "UploadDestinationsTests.RcloneFileTests/": "values",
    "UploadDestinationsTests.LoopbackServerTests/": "holds only suites, and each has the trait",
}

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

    def test_the_program_table_contains_existing_targets_and_suites(self):
        sources = "\n".join(
            path.read_text(encoding="utf-8") for path in (parts.ROOT / "Tests").rglob("*.swift")
        )
        types = set(re.findall(r"(?:struct|enum|class|actor) (\w+)", sources))
        folders = {p.name for p in (parts.ROOT / "Tests").rglob("*Tests") if p.is_dir()}
        for expression in parts.PROGRAMS:
            names = re.findall(r"(?<![\\*])\b([A-Z]\w*Tests)\b", expression)
            self.assertTrue(names, expression)
            for found in names:
                self.assertIn(found, folders | types, expression)

    def selected(self, suite) -> bool:
        return any(re.search(expression, suite.id) for expression in parts.PROGRAMS)

    def test_the_program_table_contains_each_suite_that_starts_programs(self):
        outside = {suite.id for suite in suites.suites() if suite.has_programs and not self.selected(suite)}
        self.assertEqual(outside, set(NOT_PROGRAMS), "add the suite to PROGRAMS in parts.py")

    def test_each_suite_in_the_program_table_has_the_trait(self):
        without = {suite.id for suite in suites.suites() if not suite.has_programs and self.selected(suite)}
        self.assertEqual(without, set(NO_TRAIT), "give the suite .programs(…), or take it out of PROGRAMS")

    def test_server_suites_belong_to_the_program_tests(self):
        self.assertTrue(any("LoopbackServerTests" in e for e in parts.PROGRAMS))

class SuitesTests(unittest.TestCase):
    def test_finds_suites_in_extensions_and_traits_over_several_lines(self):
        text = '''
extension Servers {
    @Suite(
        .serialized,
        .programs(3)
    )
    struct Inner {
        @Test func `a`() {}
    }
}
@Suite struct Plain {
    // .programs(2)
    @Test func `says ".programs(2)"`() { let a = ".programs(2)" }
}
struct WithoutAttribute {
    struct Row {}
    @Test(
        .programs(1), arguments: [1])
    func `b`(n: Int) {}
}
enum Helper {}
'''
        self.assertEqual(suites.in_file(text), {"Servers/Inner": True, "Plain": False, "WithoutAttribute": True})


if __name__ == "__main__":
    unittest.main()
