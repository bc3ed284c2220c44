public import FrameFastModel
public import Makers
public import USBHotplug

/// Guidance with facts about this computer: the program that uses a camera, and the owner of the camera's
/// device node.
extension KnowledgeBase {
    /// The prefixes of the process names of virtual machines: QEMU, VirtualBox and VMware. The kernel
    /// truncates process names to 15 characters.
    private static let virtualMachines = ["qemu-system-", "VirtualBoxVM", "VBoxHeadless", "vmware-vmx"]

    /// Returns guidance with the name of the program or kernel driver that uses the camera, if known. If the
    /// process is known, the steps contain the command to stop it, unless it is a virtual machine. If this
    /// process can't see the program, the steps contain the command that shows it.
    ///
    /// - Parameter node: The path of the camera's device node.
    public func held(by holder: USBHolder, node: String, maker: Maker?) -> Guidance {
        switch holder {
        case .driver(let driver): return guidance(for: .held, maker: maker, holder: driver)
        case .program(_, let name) where Self.virtualMachines.contains(where: name.hasPrefix):
            return Guidance(
                sentence: "A virtual machine is using the camera (\(name)).",
                steps: ["Detach the camera from the virtual machine, in its settings for USB devices."])
        case .program(let pid, let name):
            var guidance = guidance(for: .held, maker: maker, holder: name)
            guidance.steps.append("Or stop that program: kill \(pid)")
            return guidance
        case .hiddenProgram:
            var guidance =
                likelyHeld(amongPrograms: USBHolder.programsOfOthers())
                ?? self.guidance(for: .held, maker: maker)
            guidance.steps.append("To see the program, run: sudo lsof \(node)")
            return guidance
        }
    }

    /// Returns guidance for a device node that can't be opened. The guidance names the node's owner and the
    /// steps to get access.
    public func noPermission(
        name: String, node: String, _ owner: String, _ group: String, _ mode: UInt16, _ maker: Maker?
    ) -> Guidance {
        var guidance = guidance(for: .noPermission, maker: maker)
        guidance.sentence =
            "FrameFast has no permission to open \(name): \(node) belongs to \(owner):\(group) with permissions "
            + "0\(String(mode, radix: 8))."
        return guidance
    }

    /// Returns guidance for a camera whose USB device has no active configuration.
    public func unconfigured(name: String) -> Guidance {
        Guidance(
            sentence: "\(name) is plugged in, but this computer has not activated its USB connection.",
            steps: [
                "Connect the camera to a port of this computer, or to a hub with a power supply.",
                "If many cameras are connected, move some of them to another USB controller or computer.",
                "If a program such as USBGuard blocks USB devices, allow the camera in it.",
                "The kernel's messages contain the reason: sudo dmesg",
            ])
    }

    /// Returns guidance for a device node that the service's sandbox blocks although its permissions are
    /// correct.
    public func blocked(name: String, node: String) -> Guidance {
        Guidance(
            sentence:
                "FrameFast has no permission to open \(name): \(node) has the right permissions, but the service's sandbox "
                + "does not allow access to it.",
            steps: [
                "Restart the service: sudo systemctl restart framefastd",
                "If that does not help, check DeviceAllow= in the output of 'systemctl cat framefastd': it must contain "
                    + "char-usb_device.",
                "In a container, pass the devices: --device=/dev/bus/usb.",
            ])
    }
}
