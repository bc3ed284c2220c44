import FrameFastModel

/// What a worker may tell at most. It parses what an untrusted device sends, and may have been taken over by it: the
/// daemon takes nothing beyond these, and ends a worker that tries. An honest worker cuts what its camera says to them.
public enum WorkerLimits {
    /// Bytes of an object's name. PTP has 255 characters of UTF-16, which are 765 bytes.
    public static let nameBytes = 1_024
    /// Bytes of an object's folder: PATH_MAX.
    public static let folderBytes = 4_096
    /// Bytes of a word that a camera says of itself (maker, serial number, a storage's label): one PTP string.
    public static let wordBytes = 1_024
    /// Bytes of a sentence: the library's own words, a widget's value.
    public static let textBytes = 4_096
    /// Bytes of a name that the worker itself gives to something: a call, a version.
    public static let labelBytes = 64
    /// Storages of a camera; two card slots are usual.
    public static let storages = 32
    /// Settings of a camera: a Nikon names 373.
    public static let settings = 1_024
    /// Choices of a setting.
    public static let choices = 1_024
    /// Size of anything, in bytes: the largest whole number that every reader of JSON agrees on, 9 PB.
    public static let bytes: UInt64 = 1 << 53
    /// Number of objects or shots: handles have 32 bits.
    public static let count = Int(Int32.max)
    /// Time that anything may have taken, in milliseconds: 24 days.
    public static let milliseconds = Int(Int32.max)
    /// The latest time of day, in milliseconds since 1970: the year 2106.
    public static let wallMs = 1_000 * Int(UInt32.max)
    /// Difference between two clocks, in seconds: 68 years.
    public static let driftSeconds = Int(Int32.max)
    /// Times of a camera's clock, in seconds since 1970: what PTP can write.
    public static let times = WallClock.range
}
