"""Tests of the copy of the repository, with a small repository and a script instead of a build."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from tree import Cannot, Tree

# Prints the path of the program, like scripts/simulate --build.
SCRIPT = """#!/bin/sh
echo "compiling $1" >&2
[ -e "$(dirname "$0")/../broken" ] && exit 1
echo "Installing packages"
echo /built/framefast-simulate
"""


class TreeTests(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        subprocess.run(["git", "init", "--quiet", str(self.root)], check=True)
        self.write(".gitignore", ".build*/\nPackage.resolved\n")
        self.write("Sources/a.swift", "a")
        self.write("scripts/simulate", SCRIPT).chmod(0o755)
        self.tree = Tree(self.root / ".build-mutate", self.root)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, name):
        return (self.tree.path / name).read_text(encoding="utf-8")

    def test_copies_changed_and_new_files_and_removes_others(self):
        self.tree.update()
        self.write("Sources/a.swift", "changed")
        self.write("Sources/b.swift", "b")
        (self.tree.path / "Sources/old.swift").write_text("old", encoding="utf-8")
        self.tree.update()
        self.assertEqual((self.read("Sources/a.swift"), self.read("Sources/b.swift")), ("changed", "b"))
        self.assertFalse((self.tree.path / "Sources/old.swift").exists())

    def test_a_file_with_the_same_bytes_keeps_its_time(self):
        self.tree.update()
        copy = self.tree.path / "Sources/a.swift"
        before = copy.stat().st_mtime_ns
        (self.root / "Sources/a.swift").touch()
        self.tree.update()
        self.assertEqual(copy.stat().st_mtime_ns, before)

    def test_an_update_keeps_builds_and_reverts_a_mutation(self):
        self.tree.update()
        (self.tree.path / ".build-simulate").mkdir()
        (self.tree.path / ".build-simulate/object").write_text("object", encoding="utf-8")
        (self.tree.path / "Sources/a.swift").write_text("mutation", encoding="utf-8")
        self.tree.update()
        self.assertEqual((self.read(".build-simulate/object"), self.read("Sources/a.swift")), ("object", "a"))

    def test_copies_package_resolved_only_once(self):
        self.write("Package.resolved", "versions")
        self.tree.update()
        (self.tree.path / "Package.resolved").write_text("written by the build", encoding="utf-8")
        self.tree.update()
        self.assertEqual(self.read("Package.resolved"), "written by the build")

    def test_leaves_no_file_in_the_repository(self):
        self.tree.update()
        self.tree.build("name")
        status = ["git", "status", "--porcelain", "--untracked-files=all", "--", ".build-mutate"]
        self.assertEqual(subprocess.run(status, cwd=self.root, capture_output=True, check=True).stdout, b"")

    def test_a_build_returns_the_program_and_keeps_a_log(self):
        self.tree.update()
        self.assertEqual(self.tree.build("name"), Path("/built/framefast-simulate"))
        self.assertEqual(self.tree.log("name").read_text(encoding="utf-8"), "compiling --build\n")

    def test_a_failed_build_returns_no_program(self):
        self.write("broken", "")
        self.tree.update()
        self.assertIsNone(self.tree.build("name"))

    def test_a_second_run_fails_with_a_sentence(self):
        with self.tree.locked(), self.assertRaisesRegex(Cannot, "Another run uses"):
            with Tree(self.root / ".build-mutate", self.root).locked():
                pass

    def test_a_folder_without_git_fails_with_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(Cannot, "git cannot list the files"):
            Tree(Path(folder) / "copy", Path(folder)).update()


if __name__ == "__main__":
    unittest.main()
