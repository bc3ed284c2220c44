"""Sentences for computers and guests that the rig cannot work with."""
import dataclasses, unittest
from rig import host, trouble
from rig.trouble import GIB, Host

FINE = Host([], True, {"/": 100 * GIB}, 4 * GIB, True)


class HostTests(unittest.TestCase):
    def test_each_lack_has_a_sentence_that_says_what_to_do(self):
        for change, builds, kvm, words in (
                ({"missing": ["zstd"]}, False, False, "scripts/prepare --rig"),
                ({"is_root": False}, True, False, "sudo"),
                ({"free_bytes": {"/big": 100 * GIB, "/small": 7 * GIB}}, True, False, "/small has 7.0 GiB free, and the rig needs 11 GiB"),
                ({"memory_bytes": GIB}, False, False, "1024 MiB of memory are free"),
                ({"kvm": False}, False, True, "leave --kvm out")):
            said = list(trouble.host(dataclasses.replace(FINE, **change), builds, kvm))
            self.assertEqual(len(said), 1, change)
            self.assertIn(words, said[0])

    def test_a_computer_that_has_all_of_it_has_none(self):
        self.assertEqual(list(trouble.host(FINE, True, True)), [])
        # Neither root nor KVM is needed if the image exists and emulation is used.
        self.assertEqual(list(trouble.host(dataclasses.replace(FINE, is_root=False, kvm=False, free_bytes={"/": 7 * GIB}), False, False)), [])

    def test_reads_the_memory_that_is_left(self):
        self.assertEqual(host.available("MemTotal: 8 kB\nMemAvailable:    1234 kB\n"), 1234 * 1024)


class BootTests(unittest.TestCase):
    def test_the_console_says_why_a_guest_does_not_boot(self):
        for console, words in (
                ("x\nKernel panic - not syncing: VFS: Unable to mount root fs", "delete /image"),
                ("You are in emergency mode.", "systemd gave up"),
                ("[  OK  ] Reached target", "--patience"),
                ("", "printed nothing in 300 s")):
            self.assertIn(words, trouble.boot(console, 300, "/image"))

    def test_a_silent_guest_under_kvm_is_told_to_go_without(self):
        self.assertIn("leave --kvm out", trouble.boot("", 300, "/image", kvm=True))
        self.assertNotIn("--kvm", trouble.boot("Kernel panic", 300, "/image", kvm=True))

    def test_the_last_lines_of_the_console_are_shown(self):
        said = trouble.boot("\n".join(f"line {number}" for number in range(40)), 300, "/image")
        self.assertTrue(said.endswith("line 39"))
        self.assertNotIn("line 24\n", said)

    def test_a_qemu_that_ends_shows_its_last_words(self):
        self.assertIn("no such device", trouble.ended("x\nno such device\n"))
        self.assertIn("want of memory", trouble.ended(""))
        self.assertIn("Leave --kvm out", trouble.ended("failed to initialize kvm", kvm=True))

    def test_a_kernel_without_usb_is_named(self):
        said = trouble.without_usb("6.1.0-cloud-amd64", "modprobe: FATAL: Module vhci-hcd not found.\n")
        for words in ("6.1.0-cloud-amd64", "linux-image-amd64", "Module vhci-hcd not found."):
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
