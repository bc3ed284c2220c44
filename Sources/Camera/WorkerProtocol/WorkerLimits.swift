import FrameFastModel

/// Limits for the values in a worker's events. A worker parses the data of an untrusted device, which may
/// take control of it. The daemon rejects values beyond these limits and ends the worker. A correct worker
/// cuts the camera's values to them.
public enum WorkerLimits {
    /// The maximum length of an object's name, in bytes. PTP allows 255 characters of UTF-16, which are 765
    /// bytes.
    public static let nameBytes = 1_024
    /// The maximum length of an object's folder, in bytes: PATH_MAX.
    public static let folderBytes = 4_096
    /// The maximum length of a camera's word about itself (maker, serial number, a storage's label), in
    /// bytes: one PTP string.
    public static let wordBytes = 1_024
    /// The maximum length of a sentence (the library's message, a widget's value), in bytes.
    public static let textBytes = 4_096
    /// The maximum length of a name that the worker chooses (a call, a version), in bytes.
    public static let labelBytes = 64
    /// The maximum number of a camera's storages. Two card slots are usual.
    public static let storages = 32
    /// The maximum number of a camera's settings. A Nikon has 373.
    public static let settings = 1_024
    /// The maximum number of a setting's choices.
    public static let choices = 1_024
    /// The maximum of a size, in bytes: the largest integer that every JSON reader represents exactly, 9 PB.
    public static let bytes: UInt64 = 1 << 53
    /// The maximum number of objects or shots. Handles have 32 bits.
    public static let count = Int(Int32.max)
    /// The maximum duration, in milliseconds: 24 days.
    public static let milliseconds = Int(Int32.max)
    /// The latest time, in milliseconds since 1970: the year 2106.
    public static let wallMs = 1_000 * Int(UInt32.max)
    /// The maximum difference between two clocks, in seconds: 68 years.
    public static let driftSeconds = Int(Int32.max)
    /// The valid times of a camera's clock, in seconds since 1970: the range that PTP can express.
    public static let times = WallClock.range
}
