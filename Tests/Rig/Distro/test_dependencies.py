"""Tests of the names of the package's library dependencies."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from store import ROOT

EITHER_NAMES = ROOT / "packaging/debian/either-names"
# The output of dpkg-shlibdeps on Debian 12.
OLD = (
    "shlibs:Depends=libc6 (>= 2.36), libcurl4 (>= 7.68.0), libgcc-s1 (>= 3.0), libgphoto2-6 (>= 2.5.28), "
    "libgphoto2-port12 (>= 2.5.10), libjpeg62-turbo (>= 1.3.1), libusb-1.0-0 (>= 2:1.0.21)\n")
NEW = (
    "shlibs:Depends=libc6 (>= 2.36), libcurl4t64 (>= 7.68.0) | libcurl4 (>= 7.68.0), libgcc-s1 (>= 3.0), "
    "libgphoto2-6t64 (>= 2.5.28) | libgphoto2-6 (>= 2.5.28), libgphoto2-port12t64 (>= 2.5.10) | libgphoto2-port12 (>= 2.5.10), "
    "libjpeg62-turbo (>= 1.3.1), libusb-1.0-0 (>= 2:1.0.21)\n")


class EitherNamesTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def changed(self, text):
        file = self.folder / "framefast.substvars"
        file.write_text(text)
        subprocess.run([EITHER_NAMES, file], check=True)
        self.assertEqual(os.listdir(self.folder), [file.name])
        return file.read_text()

    def test_adds_the_old_name_of_a_renamed_library_with_its_version(self):
        self.assertEqual(self.changed(OLD), NEW)

    def test_adds_the_old_names_on_debian_13(self):
        self.assertEqual(self.changed("shlibs:Depends=libcurl4t64, libpng16-16t64 (>= 1.6)\n"),
                         "shlibs:Depends=libcurl4t64 | libcurl4, libpng16-16t64 (>= 1.6) | libpng16-16 (>= 1.6)\n")

    def test_keeps_other_variables_and_alternatives(self):
        text = "misc:Depends=systemd | systemd-standalone-sysusers\nshlibs:Depends=liba4 (>= 1) | liba5\nmisc:Pre-Depends=\n"
        self.assertEqual(self.changed(text), text)
        self.assertEqual(self.changed(NEW), NEW)

    def test_the_package_build_runs_the_script(self):
        rules = (ROOT / "packaging/debian/rules").read_text()
        self.assertRegex(rules, r"execute_after_dh_shlibdeps:\n\tdebian/either-names debian/framefast\.substvars\n")

    def test_debian_control_contains_no_library_names(self):
        # A library name in debian/control would be correct for one release only.
        depends = re.search(r"^Depends: (.*)$", (ROOT / "packaging/debian/control").read_text(), re.MULTILINE)[1]
        self.assertEqual(re.findall(r"\blib\w+", depends), ["libc6"])


if __name__ == "__main__":
    unittest.main()
