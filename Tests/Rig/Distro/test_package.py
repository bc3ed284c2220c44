"""Tests of the package: its commit, and the conditions for building it."""

import pathlib
import re
import tempfile
import unittest
from unittest import mock

import built_package
from store import ROOT, Cannot
from suites import SUITES


class BuiltPackageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def deb(self, name="framefast_0.1.0_amd64.deb", seconds=1_700_000_000):
        file = self.folder / name
        file.write_bytes(b"!<arch>\n" + b"debian-binary".ljust(16) + str(seconds).ljust(12).encode() + b"0     0     100644  4         `\n2.0\n")
        return file

    def test_reads_the_time_of_the_commit(self):
        self.assertEqual(built_package.seconds(self.deb()), 1_700_000_000)
        other = self.folder / "other"
        other.write_bytes(b"no package")
        for file in (other, self.folder / "missing"):
            with self.assertRaisesRegex(Cannot, "is not a Debian package"):
                built_package.seconds(file)

    def package(self, commit, builds=None):
        """Returns the package for a commit of this time. `builds` is called instead of scripts/package."""
        with mock.patch("built_package.FOLDER", self.folder), mock.patch("built_package._commit_seconds", lambda: commit), \
                mock.patch("built_package.run", lambda *words: "amd64\n"), mock.patch("built_package.subprocess.run") as run:
            run.side_effect = builds
            return built_package.package(None, say=lambda _: None)

    def test_uses_the_package_of_the_commit(self):
        file = self.deb()
        self.assertEqual(self.package(1_700_000_000), file)

    def test_builds_a_missing_or_outdated_package(self):
        def builds(words, **_):
            self.assertEqual(words, [ROOT / "scripts/package"])
            self.deb(seconds=1_800_000_000)
            return mock.Mock(returncode=0)

        for before in (None, 1_700_000_000):
            if before:
                self.deb(seconds=before)
            self.assertEqual(built_package.seconds(self.package(1_800_000_000, builds)), 1_800_000_000)

    def test_a_failed_build_ends_the_test(self):
        with self.assertRaisesRegex(Cannot, "cannot build the package"):
            self.package(1, lambda words, **_: mock.Mock(returncode=1))

    def test_reports_the_time_of_a_given_package_of_another_commit(self):
        with mock.patch("built_package._commit_seconds", lambda: 1):
            self.assertEqual(built_package.origin(self.deb()), "a commit of 2023-11-14 22:13 UTC")


class BuildServerTests(unittest.TestCase):
    def test_builds_on_the_oldest_release_and_tests_on_debian_13(self):
        workflow = (ROOT / ".github/workflows/ci.yml").read_text()
        self.assertIn("run: scripts/distro-test trixie\n", workflow)
        self.assertEqual(set(re.findall(r"image: swift:[\d.]+-(\w+)", workflow)), {next(iter(SUITES))})


if __name__ == "__main__":
    unittest.main()
