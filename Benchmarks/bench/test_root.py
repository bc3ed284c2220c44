"""Tests of the root of the measured programs. The tests change no root directory and mount nothing."""
import os, pathlib, subprocess, sysconfig, tempfile, unittest
from unittest import mock

from . import root


class RootTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def install(self, library="2.5.31", programs=("gphoto2",)):
        drivers = self.folder / "usr/lib" / sysconfig.get_config_var("MULTIARCH") / "libgphoto2" / library
        drivers.mkdir(parents=True)
        (drivers / "ptp2.so").touch()
        (self.folder / "usr/bin").mkdir()
        for program in programs:
            (self.folder / "usr/bin" / program).touch()

    def test_the_version_is_the_name_of_the_folder_with_the_driver(self):
        self.assertIsNone(root.version_in(self.folder))
        self.install("2.5.34")
        self.assertEqual(root.version_in(self.folder), "2.5.34")

    def test_ignores_the_library_of_another_architecture(self):
        drivers = self.folder / "usr/lib/i386-linux-other/libgphoto2/2.5.30"
        drivers.mkdir(parents=True)
        (drivers / "ptp2.so").touch()
        self.assertIsNone(root.version_in(self.folder))

    def test_needs_root_and_a_folder_with_the_library_and_gphoto2(self):
        with mock.patch("os.geteuid", return_value=0):
            self.assertIn("scripts/distro-test", root.problem_of(self.folder))
            self.install(programs=())
            self.assertIn("no gphoto2", root.problem_of(self.folder))
            (self.folder / "usr/bin/gphoto2").touch()
            self.assertIsNone(root.problem_of(self.folder))
        with mock.patch("os.geteuid", return_value=1000):
            self.assertIn("sudo", root.problem_of(self.folder))

    def test_restarts_the_script_with_private_mounts(self):
        self.install()
        with mock.patch("os.geteuid", return_value=0), mock.patch("os.execvpe", side_effect=InterruptedError) as replace, \
                mock.patch("sys.orig_argv", ["python3", "scripts/bench", "A"]), self.assertRaises(InterruptedError):
            root.use(self.folder)
        program, words, environment = replace.call_args.args
        self.assertEqual([program, *words], ["unshare", "unshare", "--mount", "python3", "scripts/bench", "A"])
        self.assertIn(root.PRIVATE_MOUNTS, environment)

    def test_programs_start_in_this_root_by_default(self):
        self.assertFalse(root.is_other())
        self.assertEqual(root.options(), {"cwd": None})
        self.assertEqual(subprocess.run(["pwd"], capture_output=True, text=True, **root.options("/usr")).stdout, "/usr\n")
        self.assertEqual(root.call(os.getpid), os.getpid())

    def test_programs_change_the_root_and_then_the_working_folder(self):
        with mock.patch.object(root, "_here", self.folder), \
                mock.patch("os.chroot") as chroot, mock.patch("os.chdir") as chdir:
            root.options()["preexec_fn"]()
            root.options(self.folder / "photos")["preexec_fn"]()
        self.assertEqual(chroot.call_args_list, [mock.call(self.folder)] * 2)
        self.assertEqual(chdir.call_args_list, [mock.call("/"), mock.call(self.folder / "photos")])

    def test_the_root_shares_the_temporary_folders_and_the_build_at_the_same_paths(self):
        with mock.patch("tempfile.gettempdir", return_value="/tmp"), mock.patch.dict(os.environ, {"BENCH_DIR": "/data"}), \
                mock.patch.object(root, "_here", pathlib.Path("/r")):
            self.assertEqual(root.shared(), [pathlib.Path("/tmp"), pathlib.Path("/data"), root.BIN])
            self.assertEqual(root.in_root(pathlib.Path("/data")), pathlib.Path("/r/data"))


if __name__ == "__main__":
    unittest.main()
