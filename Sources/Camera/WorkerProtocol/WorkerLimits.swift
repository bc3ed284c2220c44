import FrameFastModel

/// Limits for the values in a worker's events. A worker parses data from an untrusted device, and this data
/// may compromise the worker. A correct worker reduces the camera's values to the limits. If a value exceeds
/// a limit, the daemon ends the worker.
public enum WorkerLimits {
    /// The maximum length of an object's name, in bytes. PTP permits 255 characters of UTF-16, which are up
    /// to 765 bytes.
    public static let nameBytes = 1_024
    /// The maximum length of an object's folder, in bytes. The value is equal to PATH_MAX.
    public static let folderBytes = 4_096
    /// The maximum length of a camera's text (maker, serial number, label of a storage), in bytes. The text
    /// is a PTP string.
    public static let wordBytes = 1_024
    /// The maximum length of a long text (the library's message, a setting's value), in bytes.
    public static let textBytes = 4_096
    /// The maximum length of a name that the worker defines (a call, a version), in bytes.
    public static let labelBytes = 64
    /// The maximum number of objects in one `listed` event. With this limit, the message stays well below
    /// ``WorkerMessage/maximumBytes``.
    public static let objectsPerListing = 500
    /// The maximum number of a camera's storages. Most cameras have one or two card slots.
    public static let storages = 32
    /// The maximum number of a camera's settings. One Nikon model has 373 settings.
    public static let settings = 1_024
    /// The maximum number of a setting's choices.
    public static let choices = 1_024
    /// The maximum size of an object or a storage, in bytes: 9 PB. Every JSON parser represents integers up
    /// to this limit exactly.
    public static let bytes: UInt64 = 1 << 53
    /// The maximum number of objects or shots. Handles have 32 bits.
    public static let count = Int(Int32.max)
    /// The maximum duration, in milliseconds: 24 days.
    public static let milliseconds = Int(Int32.max)
    /// The latest time, in milliseconds since 1970: the year 2106.
    public static let wallMs = 1_000 * Int(UInt32.max)
    /// The maximum difference between two clocks, in seconds: 68 years.
    public static let driftSeconds = Int(Int32.max)
    /// The valid times of a camera's clock, in seconds since 1970: the range of PTP's date format.
    public static let times = WallClock.range
}
