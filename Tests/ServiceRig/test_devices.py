"""Tests of QEMU's options for cameras and hardware."""
import pathlib, tempfile, types, unittest
from rig.cameras import QEMUCamera
from rig.machine import CONTROLLER, Machine


class DeviceTests(unittest.TestCase):
    def test_a_camera_has_equal_options_at_boot_and_later(self):
        asked = {}
        control = types.SimpleNamespace(ask=lambda command, **properties: asked.update(properties))
        with tempfile.TemporaryDirectory() as folder:
            camera = QEMUCamera(types.SimpleNamespace(machine=types.SimpleNamespace(control=control)), pathlib.Path(folder) / "mtp")
            self.assertTrue((pathlib.Path(folder) / "mtp").is_dir())
            with camera:
                properties = dict(asked)
        driver, *others = camera.option.split(",")
        self.assertEqual({"driver": driver, **dict(word.split("=") for word in others)}, properties)

    def test_command_line_has_the_requested_hardware(self):
        image = types.SimpleNamespace(vmlinux="v", initrd="i", kvm=False)
        machine = Machine(image, "disk", "/run", 2222)
        self.assertIn(CONTROLLER[1], machine.command())
        self.assertNotIn(CONTROLLER[1], machine.command(usb=False))
        self.assertEqual(machine.command(devices=["usb-mtp,id=x"]).count("usb-mtp,id=x"), 1)
        self.assertIn("tcg,thread=multi,tb-size=256", machine.command())
        self.assertEqual(machine.command(state="/s")[-2:], ["-incoming", "exec:cat /s"])
        image.kvm = True
        self.assertIn("kvm", machine.command())


if __name__ == "__main__":
    unittest.main()
