"""Tests of roots: when a base is created again, and which roots may be removed."""

import functools
import os
import pathlib
import tempfile
import time
import unittest
from unittest import mock

import roots
from roots import BASE_SECONDS_MAX, Roots
from store import Cannot, Unreachable, retried
from suites import SUITES


class RootsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.roots = Roots(SUITES["trixie"], pathlib.Path(folder.name))
        self.now = time.time()

    def make_base(self, recipe="r"):
        self.roots.base.mkdir(parents=True)
        (self.roots.folder / "base.recipe").write_text(recipe)

    def test_reuses_a_base_of_the_same_recipe_for_some_days(self):
        self.assertFalse(self.roots.is_fresh("r", self.now))
        self.make_base()
        self.assertTrue(self.roots.is_fresh("r", self.now))
        self.assertFalse(self.roots.is_fresh("another", self.now))
        self.assertFalse(self.roots.is_fresh("r", self.now + BASE_SECONDS_MAX + 60))

    def test_recreates_a_base_from_the_future(self):
        self.make_base()
        future = self.now + BASE_SECONDS_MAX + 60
        os.utime(self.roots.folder / "base.recipe", (future, future))
        self.assertFalse(self.roots.is_fresh("r", self.now))

    def test_a_recipe_without_its_base_is_not_fresh(self):
        self.make_base()
        self.roots.base.rmdir()
        self.assertFalse(self.roots.is_fresh("r", self.now))

    def test_removes_a_root_and_refuses_one_with_a_mount(self):
        self.make_base()
        roots.remove(self.roots.base)
        self.assertFalse(self.roots.base.exists())
        roots.remove(self.roots.base)
        with self.assertRaisesRegex(Cannot, "something is mounted below /"):
            roots.remove(pathlib.Path("/proc/self/.."))

    def install(self, fails, words):
        """Installs a package. The first `fails` attempts fail with `words`. Returns the jobs in the root."""
        (self.roots.root / "var/tmp").mkdir(parents=True)
        package = self.roots.folder / "x.deb"
        package.write_bytes(b"")
        jobs, left = [], [fails]

        def inside(job, *_):
            jobs.append(job)
            if job == "install" and left[0]:
                left[0] -= 1
                raise Cannot(words)

        at_once = functools.partial(retried, pause=lambda _: None)
        with mock.patch("roots.inside", inside), mock.patch("roots.retried", at_once):
            self.roots.install(package, say=lambda _: None)
        return jobs

    def test_updates_the_lists_when_the_archive_has_other_versions(self):
        self.assertEqual(self.install(1, "E: Failed to fetch x  404  Not Found"), ["install", "update", "install"])

    def test_a_package_that_cannot_be_installed_is_reported_at_once(self):
        with self.assertRaisesRegex(Cannot, "unmet dependencies"):
            self.install(9, "E: The following packages have unmet dependencies")

    def test_an_unreachable_archive_is_a_network_failure(self):
        with self.assertRaises(Unreachable):
            self.install(9, "Could not resolve 'mirror.example'")


if __name__ == "__main__":
    unittest.main()
