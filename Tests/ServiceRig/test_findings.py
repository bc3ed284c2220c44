"""Tests of the parsers and checks that scenarios use."""
import json, types, unittest
from scenarios import ALL, capture_folders, consistency, newcomer, operations, package, unplugged

# The scenarios whose defects were found in the first installation in booted guests.
FINDINGS = [
    "boot-without-usb", "sandbox-without-usb", "sony-movie", "unplugged-nameless", "unplugged-sony",
    "interval-complete", "interval-lost-event", "interval-reboot", "interval-restart", "doctor-conditions",
    "doctor-names", "accepted-folders", "changed-settings", "purge-settings",
]


class FindingTests(unittest.TestCase):
    def test_each_finding_states_the_original_symptom(self):
        for name in FINDINGS:
            self.assertIn("Seen on 34c558d", ALL[name].__doc__, name)

    def test_purge_may_leave_photos_folders_and_disk_marks(self):
        photo = "/var/lib/framefast/captures/Wedding/a b.jpg"
        found = ["/var/lib/framefast/captures", "/var/lib/framefast/captures/Wedding", photo, "/var/lib/framefast/captures/.framefast",
                 "/var/lib/framefast/captures/.framefast/incoming", "/var/lib/framefast/presets", "/var/lib/framefast/cameras/1/pieces.json"]
        self.assertEqual(package.leftovers(found, [photo]), ["/var/lib/framefast/cameras/1/pieces.json", "/var/lib/framefast/presets"])
        self.assertEqual(package.leftovers(["/var/lib/framefast/captures/empty"], [photo]), ["/var/lib/framefast/captures/empty"])

    def test_reads_commands_from_the_output_of_a_check(self):
        said = "the configuration is valid (x)\nThe service cannot write there:\n  sudo install -d /srv/a\n  printf '%s\\n' x | sudo tee /etc/x\n"
        self.assertEqual(capture_folders.advice(said), ["sudo install -d /srv/a", "printf '%s\\n' x | sudo tee /etc/x"])
        self.assertEqual(capture_folders.advice("the configuration is valid (x)\n"), [])
        joined = "sudo install -d -o framefast -g framefast /srv/photos && sudo systemctl restart framefastd"
        fault = "/etc/x.toml: the service cannot write to /srv/photos (/srv: Permission denied). Run: "
        self.assertEqual(capture_folders.advice(f"{fault}{joined}\n{fault}{joined}\n"), [joined, joined])
        self.assertEqual(capture_folders.advice("/etc/x.toml: /srv/photos does not answer: run 'sudo framefastd --check-config'\n"), [])

    def test_reads_the_usermod_command_without_quotes(self):
        for text in ("log out and in again: `sudo usermod -aG framefast $USER`\n", "Join the group: sudo usermod -aG framefast $USER\n"):
            self.assertEqual(newcomer.usermod(text), "sudo usermod -aG framefast $USER")
        self.assertIsNone(newcomer.usermod("Run it as root, or as a member of group framefast"))

    def test_counts_reported_photos_per_camera(self):
        def condition(code, subject, sentence):
            return {"code": code, "subject": subject, "sentence": sentence}
        status = {"conditions": [
            condition("photos-left-in-camera", "a", "a: up to 3 photo(s) were still in the camera"),
            condition("photos-left-in-camera", "b", "b: up to 5 photo(s) were still in the camera"),
            condition("battery-low", "a", "7 percent")]}
        self.assertEqual((unplugged.photos_left(status, "a"), unplugged.photos_left(status, "b"), unplugged.photos_left(status, "c")), (3, 5, 0))

    def test_reads_a_setting_from_the_camera_status(self):
        status = {"cameras": [{"id": "a", "exposure": None}, {"id": "b", "exposure": {"aperture": "5.6", "iso": None}}]}
        self.assertEqual(consistency.shown_value(status, "b", "aperture"), "5.6")
        for body, key in (("a", "aperture"), ("b", "iso"), ("c", "iso")):
            self.assertIsNone(consistency.shown_value(status, body, key))


    def test_reads_a_setting_from_the_last_event_of_a_camera(self):
        def camera(name, iso):
            return {"id": name, "exposure": {"iso": iso}}
        events = [{"kind": "snapshot", "snapshot": {"cameras": [camera("a", "100"), camera("b", "200")]}}, {"kind": "camera", "camera": camera("a", "400")},
                  {"kind": "resync"}, {"kind": "camera", "camera": camera("b", "800")}]
        lines = "".join(json.dumps(event) + "\n" for event in events)
        self.assertEqual([consistency.streamed_value(lines + '{"kind": "cam', name, "iso") for name in "abc"], ["400", "800", None])


class IntervalTests(unittest.TestCase):
    def bed(self, reply, on_card):
        service = types.SimpleNamespace(
            until=lambda look, *_: self.assertTrue(look({})), ask=lambda *_: reply, until_saved=lambda wanted: wanted, check_files=lambda _: None)
        return (types.SimpleNamespace(service=service, report=types.SimpleNamespace(add_figure=lambda _: None)),
                types.SimpleNamespace(photos=lambda: {str(number): "a.jpg" for number in range(on_card)}))

    def test_counts_every_photo_of_an_interval_once(self):
        whole = {"state": "ended", "count": 6, "past": 6, "shot": 6, "missed": [], "refused": [], "reason": None}
        for change, on_card, is_fine in (
                ({}, 6, True), ({"shot": 4, "missed": [{"first": 3, "last": 4}]}, 4, True),
                ({"state": "stopped", "past": 2, "shot": 2, "reason": "the session ends"}, 2, False),
                ({"shot": 5}, 5, False), ({}, 5, False), ({"shot": 4, "missed": [{"first": 3, "last": 3}]}, 4, False)):
            bed, camera = self.bed({**whole, **change}, on_card)
            if is_fine:
                operations.finish_interval(bed, camera, "a")
            else:
                with self.assertRaises(AssertionError, msg=change):
                    operations.finish_interval(bed, camera, "a")


if __name__ == "__main__":
    unittest.main()
