"""Tests of the parts of the contract suite that need no camera."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import tempfile
import unittest
from unittest import mock

import chroot
import contract
import features
import reworded
import service
import waiting
from chroot import Failed
from contract import FAIL, PASS
from makers import MAKERS


class SettingTests(unittest.TestCase):
    def value(self, value, *choices):
        return features.another({"key": "shutter", "value": value, "choices": list(choices)})

    def test_returns_the_next_value(self):
        self.assertEqual(self.value("1/125", "30", "1/125", "1/250"), "1/250")
        self.assertEqual(self.value("1/250", "30", "1/125", "1/250"), "1/125")

    def test_skips_values_that_are_not_numbers(self):
        self.assertEqual(self.value("100", "auto", "50", "100", "bulb"), "50")
        self.assertEqual(self.value("auto", "auto", "100"), "100")

    def test_a_setting_without_another_value_fails(self):
        for choices in ((), ("1/125",), ("1/60", "1/30")):
            with self.assertRaisesRegex(Failed, "offers no value of 'shutter'"):
                self.value("1/125", *choices)


class IntervalTests(unittest.TestCase):
    def shots(self, shot, missed=(), refused=(), state="ended"):
        parts = lambda numbers: [{"first": first, "last": last} for first, last in numbers]
        return features.shots_of(
            {"shot": shot, "missed": parts(missed), "refused": parts(refused), "state": state, "reason": "why"})

    def test_counts_each_photo_as_taken_or_missed(self):
        self.assertEqual(self.shots(5), 5)
        self.assertEqual(self.shots(2, missed=[(1, 2), (5, 5)]), 2)

    def test_fails_if_a_photo_is_not_reported(self):
        for wrong in (
                lambda: self.shots(4), lambda: self.shots(4, refused=[(2, 2)]), lambda: self.shots(1, missed=[(2, 5)]),
                lambda: self.shots(5, state="failed")):
            with self.assertRaisesRegex(Failed, "of 5 photos taken"):
                wrong()


class FocusStackTests(unittest.TestCase):
    def stack(self, maker="canon", files=2 * features.STACK_SHOTS, **state):
        camera, root_service = mock.Mock(), mock.Mock()
        taken = ["old"]
        root_service.cli.side_effect = lambda *words: taken.extend(f"new{number}" for number in range(files))
        camera.taken.side_effect = lambda: list(taken)
        camera.shutter.return_value = {"open": False, "opened_ns": None, "closed_ns": None, **state}
        features.focus_stack(features.Bed(None, MAKERS[maker], camera, root_service, "2.5.34"))
        return root_service

    def test_waits_for_the_photos_of_each_position(self):
        for state in ({}, {"button": "up"}):
            saved = self.stack(**state).until_saved
            self.assertEqual(len(saved.call_args.args[0]), 1 + 2 * features.STACK_SHOTS)

    def test_fails_if_the_button_stays_pressed_or_photos_differ(self):
        for options, words in (
                ({"button": "half"}, "still pressed"), ({"button": "full"}, "still pressed"), ({"open": True}, "still pressed"),
                ({"files": 2}, "made 2 files"), ({"files": 6}, "made 6 files"), ({"maker": "generic"}, "cannot move the focus")):
            with self.assertRaisesRegex(Failed, words):
                self.stack(**options)


class RewordedLogTests(unittest.TestCase):
    PHOTOS_ONLY = {"about": "camera", "code": "photos-only", "sentence": "studio supports photos only: … libgphoto2 2.5.34."}

    def check(self, conditions, refusal=Failed("cannot read settings: libgphoto2 2.5.34")):
        camera, root_service = mock.Mock(), mock.Mock()
        camera.taken.return_value = ["one"]
        root_service.json.return_value = {"conditions": conditions}

        def cli(verb, *_):
            if verb == "get" and refusal:
                raise refusal

        root_service.cli.side_effect = cli
        with mock.patch("features.reworded.install", return_value="/tmp/worker"):
            features.reworded_log(features.Bed(None, MAKERS["canon"], camera, root_service, "2.5.34"))
        return root_service

    def test_restarts_the_service_and_saves_photos_of_both_kinds(self):
        other = {"about": "service", "code": "clock", "sentence": "x"}
        root_service = self.check([other, self.PHOTOS_ONLY])
        root_service.restart.assert_called_once_with("/tmp/worker")
        self.assertEqual(root_service.until_saved.call_count, 2)

    def test_requires_exactly_one_condition_with_this_library_version(self):
        other = {**self.PHOTOS_ONLY, "code": "asleep"}
        older = {**self.PHOTOS_ONLY, "sentence": "libgphoto2 2.5.30"}
        for conditions in ([], [other], [self.PHOTOS_ONLY, other], [older]):
            with self.assertRaisesRegex(Failed, "these conditions of the camera"):
                self.check(conditions)

    def test_fails_if_settings_work_or_fail_for_another_reason(self):
        for refusal, words in ((None, "a setting was read"), (Failed("no camera"), "no camera")):
            with self.assertRaisesRegex(Failed, words):
                self.check([self.PHOTOS_ONLY], refusal)


@unittest.skipUnless(shutil.which("clang"), "clang is missing")
class AuditLibraryTests(unittest.TestCase):
    def test_compiles_the_library_and_writes_the_worker(self):
        with tempfile.TemporaryDirectory() as folder:
            root = chroot.Root(pathlib.Path(folder))
            (root.path / "tmp").mkdir()
            worker = root.path / reworded.install(root).lstrip("/")
            self.assertTrue(os.access(worker, os.X_OK))
            self.assertEqual((worker.parent / "reworded.so").read_bytes()[:4], b"\x7fELF")
            library = worker.read_text().split("LD_AUDIT=")[1].split()[0]
            self.assertTrue((root.path / library.lstrip("/")).exists())


class ProcessTests(unittest.TestCase):
    def test_finds_running_children_with_any_name(self):
        with tempfile.TemporaryDirectory() as folder:
            proc = pathlib.Path(folder)
            for pid, rest in ((7, "(a) S 5 7"), (8, "(b) 9 S) S 5 8"), (9, "(c) Z 5 9"), (10, "(d) S 1 10")):
                (proc / str(pid)).mkdir()
                (proc / f"{pid}/stat").write_text(f"{pid} {rest} 0 0")
            (proc / "self").mkdir()
            self.assertEqual(service.children(proc, 5), [7, 8])


class WaitingTests(unittest.TestCase):
    def test_polls_until_a_result_or_the_time_limit(self):
        answers, now = iter([None, 0, "found"]), [0.0]

        def sleep(seconds):
            now[0] += seconds

        self.assertEqual(waiting.until("x", lambda: next(answers), sleep=sleep, clock=lambda: now[0]), "found")
        with self.assertRaisesRegex(Failed, "waited 5 s for a camera"):
            waiting.until("a camera", lambda: False, 5, sleep, lambda: now[0])


class CellTests(unittest.TestCase):
    def run_quietly(self, function, *words):
        with contextlib.redirect_stdout(io.StringIO()):
            return function(*words)

    def test_a_check_passes_or_reports_its_reason(self):
        def fails(error):
            raise error

        for check, word, reason in (
                (lambda: None, PASS, ""), (lambda: fails(Failed("no photo")), FAIL, "no photo"),
                (lambda: fails(KeyError("state")), FAIL, "KeyError: 'state'")):
            cell = self.run_quietly(contract.cell, "canon", "photos", check)
            self.assertEqual((cell["word"], cell["reason"]), (word, reason))
            json.dumps(cell)

    def test_without_a_camera_each_feature_fails(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("contract.Camera", side_effect=Failed("it does not listen")):
            cells = self.run_quietly(contract.cells, None, MAKERS["sony"], "2.5.30", pathlib.Path(folder))
        self.assertEqual([cell["feature"] for cell in cells], list(features.FEATURES))
        self.assertEqual({cell["reason"] for cell in cells}, {"not run: it does not listen"})

    def test_ends_the_camera_if_the_service_does_not_start(self):
        camera = mock.Mock()
        with tempfile.TemporaryDirectory() as folder, mock.patch("contract.Camera", return_value=camera), \
                mock.patch("contract.Service", side_effect=Failed("framefastd ended")):
            cells = self.run_quietly(contract.cells, None, MAKERS["sony"], "2.5.30", pathlib.Path(folder))
        self.assertEqual({cell["word"] for cell in cells}, {FAIL})
        camera.stop.assert_called_once()


class MakerTests(unittest.TestCase):
    def test_restores_the_dials_after_a_long_exposure(self):
        for maker in MAKERS.values():
            self.assertEqual(bool(maker.bulb_dials), bool(maker.normal_dials), maker.name)

    def test_reads_the_exposure_of_the_unit_and_applies_the_limit(self):
        unit = pathlib.Path(contract.UNIT).name
        said = f"→ Overall exposure level for {unit}: 1.6 OK"
        fake = mock.Mock()
        for text, wanted in ((said, 1.6), (said.replace("1.6", "2.1"), None), ("Failed to load", None)):
            fake.run.return_value = text
            if wanted:
                self.assertEqual(contract.exposure(fake), wanted)
            else:
                with self.assertRaises(Failed):
                    contract.exposure(fake)

    def test_reports_the_dependency_that_apt_misses(self):
        said = "apt-get ended with status 100: Solving\n framefast : Depends: libnope9 but it is not installable\nE: Unable to correct"
        [cell] = contract.not_installed(said)["cells"]
        self.assertEqual(cell["reason"].splitlines()[0], "framefast : Depends: libnope9 but it is not installable")
        self.assertIn(said, cell["reason"])
        self.assertEqual(contract.not_installed("no words")["cells"][0]["reason"], "no words")

    def test_reads_the_library_version_under_both_package_names(self):
        for name in ("libgphoto2-6", "libgphoto2-6t64"):
            fake = mock.Mock()
            fake.run.return_value = f"{name} 2.5.34-2+b1\nlibgphoto2-6-dev 9\nlibc6 2.43-7\nsystemd 262-1\nframefast 0.1.0"
            found = contract.versions(fake)
            self.assertEqual((found["library"], found["libgphoto2"], found["libc6"]), ("2.5.34", "2.5.34-2+b1", "2.43-7"))


if __name__ == "__main__":
    unittest.main()
