import Glibc

/// The user of a device: a kernel driver or a program.
public enum USBHolder: Hashable, Sendable {
    /// A kernel driver, by name: `usb-storage`, `uvcvideo`.
    case driver(String)
    /// A program that has the device's node open, by its command name (at most 15 bytes).
    case program(pid: Int32, name: String)
    /// A program that this process can't see, because another user runs it or it is in a container.
    case hiddenProgram

    /// The maximum number of processes to search. The limit shortens the search on an overloaded system.
    private static let processesMax = 20_000
    /// The maximum number of descriptors to search in each process.
    private static let descriptorsMax = 5_000
    /// The driver name that the kernel shows for an interface that a program has claimed.
    private static let programDriver = "usbfs"

    /// The kernel's default driver for a whole device.
    private static let ordinaryDriver = "usb"

    /// Finds the holder of a device by its driver links. If a program has claimed the device, searches the
    /// open files of all processes, which blocks for a few milliseconds.
    static func find(_ device: USBDevice, excluding excluded: Set<Int32>) -> USBHolder? {
        // A device that is exported to another computer or a virtual machine has a special driver,
        // `usbip-host`.
        if let driver = device.currentDriver, driver != ordinaryDriver { return .driver(driver) }
        let stillImage = device.interfaces.filter(\.isStillImage)
        let drivers = (stillImage.isEmpty ? device.interfaces : stillImage).compactMap {
            device.currentDriver(of: $0)
        }
        if let driver = drivers.first(where: { $0 != programDriver }) { return .driver(driver) }
        return drivers.isEmpty ? nil : program(with: device.nodePath, excluding: excluded)
    }

    /// Returns the program that has a claimed device open.
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

    /// Returns the names of the running programs of other users whose open files this process can't see. One
    /// of these programs is the ``hiddenProgram``. Blocks for a few milliseconds.
    ///
    /// The service can't see the open files of its workers either, because they hide their memory. The
    /// result also omits kernel threads, which have no command line. For example, each USB disk has a thread
    /// `usb-storage` (gphoto2#268).
    ///
    /// - Parameter processes: The folder of processes in procfs.
    public static func programsOfOthers(in processes: String = "/proc") -> Set<String> {
        Set(
            SystemFiles.names(in: processes, limit: processesMax).compactMap { name in
                guard Int32(name) != nil, access("\(processes)/\(name)/fd", R_OK) != 0,
                    userID(ofProcess: "\(processes)/\(name)") != getuid(),
                    SystemFiles.text("\(processes)/\(name)/cmdline") != nil
                else { return nil }
                return SystemFiles.text("\(processes)/\(name)/comm")
            })
    }

    /// Returns the real user id of a process, or `nil` if the process has ended. The owner of the folder is
    /// root if the process hides its memory.
    private static func userID(ofProcess folder: String) -> uid_t? {
        SystemFiles.text("\(folder)/status")?.split(separator: "\n").first { $0.hasPrefix("Uid:") }?
            .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { uid_t($0) }
    }

    /// Returns whether a process has a node open, possibly under another path.
    private static func hasOpen(_ node: String, _ pid: Int32) -> Bool {
        var wanted = stat()
        guard stat(node, &wanted) == 0 else { return false }
        for name in SystemFiles.names(in: "/proc/\(pid)/fd", limit: descriptorsMax) {
            let path = "/proc/\(pid)/fd/\(name)"
            guard let target = SystemFiles.target(path) else { continue }
            if target == node { return true }
            // Checks only files below /dev, because stat blocks for a file on an unreachable network share.
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
