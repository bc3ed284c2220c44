import Glibc

/// Devices that the kernel could not take on: they appear nowhere else, for it has no room for them.
public enum KernelRefusals {
    /// What it says then (Linux, drivers/usb/host/xhci.c and drivers/usb/core/hub.c).
    static let words = [
        "Not enough host controller resources", "Not enough bandwidth",
        "can't set config #1, error -12", "couldn't allocate usb_device",
    ]

    /// Records that are kept, at most: the newest.
    private static let recordsMax = 20
    /// One record of the kernel's log is never longer, in bytes.
    private static let recordBytesMax = 8192

    /// What the kernel said of them since it started, oldest first; `nil` where this process may not read its log.
    ///
    /// - Parameter log: The kernel's log: each read gives one record.
    public static func read(_ log: String = "/dev/kmsg") -> [String]? {
        let descriptor = open(log, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found: [String] = []
        var buffer = [UInt8](repeating: 0, count: recordBytesMax)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            // EPIPE: a record was overwritten before it was read.
            if count < 0, errno == EINTR || errno == EPIPE { continue }
            guard count > 0 else { return found.suffix(recordsMax) }
            // 4,1234,56789,-;usb 1-1: Not enough host controller resources for new device state.
            for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
            where words.contains(where: { line.contains($0) }) {
                found.append(String(line.split(separator: ";", maxSplits: 1).last ?? line))
            }
        }
    }
}
