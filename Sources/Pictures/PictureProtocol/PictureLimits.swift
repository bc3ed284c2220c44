/// Limits of `framefast-picture --descriptors`. A picture above a limit has the status
/// ``PictureResult/Status/tooLarge``.
public enum PictureLimits {
    /// The largest picture, in pixels. The largest sensors have 150 million pixels.
    public static let pixelsMax = 200_000_000
    /// The longest side, in pixels: the limit of libjpeg (`JPEG_MAX_DIMENSION`).
    public static let sideMax = 65_500
    /// The memory for the coefficients of a JPEG with several scans, for example a progressive JPEG, in
    /// bytes. Each pixel needs three bytes with the usual color subsampling, and up to six bytes without
    /// subsampling. A progressive JPEG of 60 million pixels is therefore below the limit.
    public static let coefficientBytesMax = 384 * 1_024 * 1_024
    /// The largest JPEG to read, in bytes.
    public static let jpegBytesMax = 160 * 1_024 * 1_024
    /// The memory of the worker, in bytes.
    public static let memoryBytesMax = 512 * 1_024 * 1_024
    /// The processor time for one picture, in seconds. A JPEG of 60 million pixels takes a third of a second
    /// on a desktop computer.
    public static let pictureSecondsMax = 10
    /// The processor time after which a worker exits and another worker replaces it, in seconds. The worker
    /// completes its current request first (``PictureResult/isLast``).
    public static let workerSecondsMax = 100
}
