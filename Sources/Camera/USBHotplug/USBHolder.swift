import Glibc
import USBTopology

/// Who holds a device.
public enum USBHolder: Hashable, Sendable {
    /// A driver in the kernel, by name: `usb-storage`, `uvcvideo`.
    case driver(String)
    /// A program that has the device's node open, by the command's name (15 bytes at most).
    case program(pid: Int32, name: String)
    /// A program that this process may not see: that of another user, or in a container.
    case hiddenProgram

    /// The driver that the kernel names when a program has claimed an interface.
    private static let programDriver = "usbfs"

    /// The kernel's driver for a whole device that nothing special has.
    private static let ordinaryDriver = "usb"

    /// Looks at the driver links; when they say that it is a program, looks through the open files of all processes,
    /// which blocks for some milliseconds.
    static func find(_ device: USBDevice, excluding excluded: Set<Int32>) -> USBHolder? {
        // A device that is lent to another computer or a virtual machine has a driver of its own: `usbip-host`.
        if let driver = device.currentDriver, driver != ordinaryDriver { return .driver(driver) }
        let stillImage = device.interfaces.filter(\.isStillImage)
        let drivers = (stillImage.isEmpty ? device.interfaces : stillImage).compactMap {
            device.currentDriver(of: $0)
        }
        if let driver = drivers.first(where: { $0 != programDriver }) { return .driver(driver) }
        return drivers.isEmpty ? nil : program(with: device.nodePath, excluding: excluded)
    }

    /// The program that has a claimed device open.
    private static func program(with node: String, excluding excluded: Set<Int32>) -> USBHolder? {
        var isOurs = false
        for user in NodeUser.all(of: node) {
            guard excluded.contains(user.pid) else { return .program(pid: user.pid, name: user.name) }
            isOurs = true
        }
        return isOurs ? nil : .hiddenProgram
    }

    /// Names of the running programs whose open files this process may not see: one of them is a ``hiddenProgram``.
    /// Blocks for some milliseconds.
    public static func programsOfOthers() -> Set<String> {
        Set(
            SystemFiles.names(in: "/proc", limit: NodeUser.processesMax).compactMap { name in
                guard Int32(name) != nil, access("/proc/\(name)/fd", R_OK) != 0 else { return nil }
                return SystemFiles.text("/proc/\(name)/comm")
            })
    }
}
