"""Tests of images: recipes, compressed kernels and modules, and failed downloads."""
import lzma, pathlib, tempfile, unittest, zlib
from unittest import mock
from rig import image, kernel
from rig.place import Cannot, Unreachable, retried
from rig.suites import SUITES

ELF = b"\x7fELF" + bytes(range(256)) * 8


def gzip(data):
    packer = zlib.compressobj(wbits=31)
    return packer.compress(data) + packer.flush()


class RecipeTests(unittest.TestCase):
    def test_each_release_has_its_own_image(self):
        folders = {image.folder(suite) for suite in SUITES.values()}
        self.assertEqual(len(folders), len(SUITES))
        for suite in SUITES.values():
            self.assertIn(suite.name, image.folder(suite).name)
            self.assertEqual(len(set(suite.packages)), len(suite.packages))

    def test_another_build_makes_another_image(self):
        suite = SUITES["bookworm"]
        before = image.folder(suite)

        def build(suite, folder, say):
            """Another build."""

        with mock.patch.object(image, "build", build):
            self.assertNotEqual(image.folder(suite), before)

    def test_boot_does_not_load_usb_modules(self):
        # If the boot loaded usbcore, the tests would not find a unit that does not wait for usbcore.
        self.assertNotIn("vhci", image.SETUP)
        self.assertNotIn("usb", " ".join(kernel.MODULES))


class KernelTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_finds_the_kernel_between_loader_and_trailing_bytes(self):
        for pack in (lzma.compress, gzip):
            file = self.folder / "vmlinuz"
            file.write_bytes(b"loader" * 9 + pack(ELF) + b"tail")
            self.assertEqual(kernel.uncompressed(file), ELF)

    def test_reports_a_kernel_with_unknown_compression(self):
        file = self.folder / "vmlinuz"
        file.write_bytes(b"\x02\x21\x4c\x18 lz4")
        with self.assertRaisesRegex(Cannot, "vmlinuz"):
            kernel.uncompressed(file)

    def test_unpacks_modules_for_busybox(self):
        for data in (ELF, lzma.compress(ELF), gzip(ELF)):
            self.assertEqual(kernel.plain(data), ELF)

    def test_loads_modules_after_their_dependencies(self):
        (self.folder / "modules.builtin").write_text("kernel/fs/mbcache.ko\n")
        (self.folder / "modules.dep").write_text(
            "kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz kernel/lib/crc16.ko.xz\nkernel/fs/jbd2/jbd2.ko.xz:\nkernel/lib/crc16.ko.xz:\n")
        self.assertEqual(kernel.in_order(self.folder, ["mbcache", "ext4", "crc32c_generic"]),
                         ["kernel/lib/crc16.ko.xz", "kernel/fs/jbd2/jbd2.ko.xz", "kernel/fs/ext4/ext4.ko.xz"])
        with self.assertRaisesRegex(Cannot, "no module virtio_blk"):
            kernel.in_order(self.folder, ["virtio_blk"])


class RetryTests(unittest.TestCase):
    def failing(self, times, words):
        self.calls, self.pauses = 0, []

        def attempt():
            self.calls += 1
            if self.calls <= times:
                raise Cannot(words)
            return "done"
        return retried(attempt, "download Debian 12", say=lambda _: None, pause=self.pauses.append)

    def test_retries_while_the_network_fails(self):
        self.assertEqual(self.failing(2, "E: Failed to fetch http://x"), "done")
        self.assertEqual((self.calls, self.pauses), (3, [5, 10]))

    def test_gives_up_with_the_infrastructure_status(self):
        with self.assertRaisesRegex(Unreachable, "check the network") as caught:
            self.failing(9, "Could not resolve 'deb.debian.org'")
        self.assertEqual((self.calls, caught.exception.status), (3, 75))

    def test_raises_other_failures_at_once(self):
        with self.assertRaisesRegex(Cannot, "no space left"):
            self.failing(9, "no space left on device")
        self.assertEqual(self.calls, 1)


if __name__ == "__main__":
    unittest.main()
