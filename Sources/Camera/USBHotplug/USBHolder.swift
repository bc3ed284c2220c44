import Glibc

/// Who holds a device.
public enum USBHolder: Hashable, Sendable {
    /// A driver in the kernel, by name: `usb-storage`, `uvcvideo`.
    case driver(String)
    /// A program that has the device's node open, by the command's name (15 bytes at most).
    case program(pid: Int32, name: String)
    /// A program that this process may not see: that of another user, or in a container.
    case hiddenProgram

    /// Most processes that are looked at, and most descriptors of each: a bound for a machine gone mad.
    private static let processesMax = 20_000
    private static let descriptorsMax = 5_000
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
        for name in SystemFiles.names(in: "/proc", limit: processesMax) {
            guard let pid = Int32(name), hasOpen(node, pid) else { continue }
            guard excluded.contains(pid) else {
                return .program(pid: pid, name: SystemFiles.text("/proc/\(pid)/comm") ?? "?")
            }
            isOurs = true
        }
        return isOurs ? nil : .hiddenProgram
    }

    /// Names of the running programs whose open files this process may not see: one of them is a ``hiddenProgram``.
    /// Blocks for some milliseconds.
    public static func programsOfOthers() -> Set<String> {
        Set(
            SystemFiles.names(in: "/proc", limit: processesMax).compactMap { name in
                guard Int32(name) != nil, access("/proc/\(name)/fd", R_OK) != 0 else { return nil }
                return SystemFiles.text("/proc/\(name)/comm")
            })
    }

    /// Whether a process has a node open, also under another path to it.
    private static func hasOpen(_ node: String, _ pid: Int32) -> Bool {
        var wanted = stat()
        guard stat(node, &wanted) == 0 else { return false }
        for name in SystemFiles.names(in: "/proc/\(pid)/fd", limit: descriptorsMax) {
            let path = "/proc/\(pid)/fd/\(name)"
            guard let target = SystemFiles.target(path) else { continue }
            if target == node { return true }
            // Only what is under /dev is asked: looking at a file on a network that is gone would wait for it.
            var facts = stat()
            if target.hasPrefix("/dev/"), stat(path, &facts) == 0,
                facts.st_ino == wanted.st_ino, facts.st_dev == wanted.st_dev
            {
                return true
            }
        }
        return false
    }
}
