/// What the kernel lends to all programs of the computer together for data on the wire.
///
/// A transfer that finds none left fails with ENOMEM. The limit is `usbfs_memory_mb` of the module `usbcore`: 16 MB unless
/// somebody changed it, 0 for none (Linux, drivers/usb/core/devio.c).
public enum USBMemory {
    /// Where the kernel shows its limit, and takes another one.
    public static let path = "/sys/module/usbcore/parameters/usbfs_memory_mb"
    /// Bytes of one read: what libgphoto2 2.5.30 asks for at a time (`READLEN` in camlibs/ptp2/usb.c), which libusb hands to the
    /// kernel as one, with what the kernel keeps for it.
    public static let readBytes = 520 << 10
    /// Bytes that are left to other programs and to the cameras' announcements.
    public static let spareBytes = 2 << 20

    /// The limit in bytes; `nil` where there is none, or no USB.
    public static var limitBytes: Int? {
        guard let text = SystemFiles.text(path) else { return nil }
        return limitBytes(text)
    }

    /// How many cameras may read at a time within a limit: at least 1.
    public static func readers(limitBytes: Int?) -> Int {
        guard let limitBytes else { return .max }
        return max(1, (limitBytes - spareBytes) / readBytes)
    }

    /// The limit that the kernel's text tells: a number of MB; 0 is none.
    static func limitBytes(_ text: String) -> Int? {
        guard let megabytes = Int(text), (1...Int(Int32.max)).contains(megabytes) else { return nil }
        return megabytes << 20
    }
}
