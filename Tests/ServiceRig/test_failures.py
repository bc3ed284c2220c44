"""Tests of the sentences about computers and guests that the rig cannot use."""
import dataclasses, unittest
from rig import failures, host
from rig.failures import GIB, Host

FINE = Host([], True, {"/": 100 * GIB}, 4 * GIB, True)


class HostTests(unittest.TestCase):
    def test_each_missing_resource_has_a_next_step(self):
        for change, builds, kvm, words in (
                ({"missing": ["zstd"]}, False, False, "scripts/prepare --rig"),
                ({"is_root": False}, True, False, "sudo"),
                ({"free_bytes": {"/big": 100 * GIB, "/small": 7 * GIB}}, True, False, "/small has 7.0 GiB free, and the rig needs 11 GiB"),
                ({"memory_bytes": GIB}, False, False, "1024 MiB of memory are free"),
                ({"kvm": False}, False, True, "leave --kvm out")):
            said = list(failures.host(dataclasses.replace(FINE, **change), builds, kvm))
            self.assertEqual(len(said), 1, change)
            self.assertIn(words, said[0])

    def test_complete_computer_has_no_obstacle(self):
        self.assertEqual(list(failures.host(FINE, True, True)), [])
        # Neither root nor KVM is needed if the image exists and emulation is used.
        self.assertEqual(list(failures.host(dataclasses.replace(FINE, is_root=False, kvm=False, free_bytes={"/": 7 * GIB}), False, False)), [])

    def test_reads_the_available_memory(self):
        self.assertEqual(host.available("MemTotal: 8 kB\nMemAvailable:    1234 kB\n"), 1234 * 1024)


class BootTests(unittest.TestCase):
    def test_explains_a_failed_boot_from_the_console(self):
        for console, words in (
                ("x\nKernel panic - not syncing: VFS: Unable to mount root fs", "delete /image"),
                ("You are in emergency mode.", "systemd gave up"),
                ("[  OK  ] Reached target", "--patience"),
                ("", "printed nothing in 300 s")):
            self.assertIn(words, failures.boot(console, 300, "/image"))

    def test_silent_guest_under_kvm_suggests_emulation(self):
        self.assertIn("leave --kvm out", failures.boot("", 300, "/image", kvm=True))
        self.assertNotIn("--kvm", failures.boot("Kernel panic", 300, "/image", kvm=True))

    def test_shows_the_last_lines_of_the_console(self):
        said = failures.boot("\n".join(f"line {number}" for number in range(40)), 300, "/image")
        self.assertTrue(said.endswith("line 39"))
        self.assertNotIn("line 24\n", said)

    def test_shows_the_last_output_of_an_ended_qemu(self):
        self.assertIn("no such device", failures.ended("x\nno such device\n"))
        self.assertIn("memory was short", failures.ended(""))
        self.assertIn("Leave --kvm out", failures.ended("failed to initialize kvm", kvm=True))

    def test_names_the_status_that_a_guest_does_not_reach(self):
        said = failures.status("suspended", "running", 300, "a line\nPM: Some devices failed to suspend")
        for words in ("'running' and not 'suspended' after 300 s", "journalctl -k -b", "PM: Some devices failed to suspend"):
            self.assertIn(words, said)

    def test_reports_a_kernel_without_usb(self):
        said = failures.without_usb("6.1.0-cloud-amd64", "modprobe: FATAL: Module vhci-hcd not found.\n")
        for words in ("6.1.0-cloud-amd64", "linux-image-amd64", "Module vhci-hcd not found."):
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
