/// The result of one request to `framefast-picture --descriptors`.
public struct PictureResult: Hashable, Sendable {
    /// The size of an encoded result, in bytes.
    public static let byteCount = 32 + 3 * PictureHistogram.levels * 4

    private static let version: UInt8 = 1

    /// The outcome of a request.
    public enum Status: Hashable, Sendable {
        /// The picture was decoded. The file is complete, if the task writes one.
        case ready
        /// The photo has no picture that the worker can decode. A retry has the same result.
        case noPreview(NoPreviewReason)
        /// The photo has only pictures above the limits of the worker. A retry has the same result.
        case tooLarge
        /// A system call on a descriptor failed with this error number (errno), for example `ENOSPC` for the
        /// result file or `EIO` for the photo. A retry may succeed.
        case failed(errno: Int32)
    }

    /// The reason why a photo has no picture.
    public enum NoPreviewReason: UInt8, Hashable, Sendable, CaseIterable {
        /// The file contains no JPEG. Examples are movies, sound files and HEIF files.
        case notFound = 1
        /// The decoder rejects every JPEG in the file.
        case damaged = 2
        /// Decoding needs more processor time than one picture may use.
        case tooSlow = 3
    }

    /// The number of the request.
    public var number: UInt32
    /// The outcome of the request.
    public var status: Status
    /// The width of the upright original, in pixels, or 0 if it is not known.
    ///
    /// For a RAW file, the original is the largest picture that the file describes.
    public var width: Int
    /// The height of the upright original, in pixels, or 0 if it is not known.
    public var height: Int
    /// The mean color of the picture in sRGB, or black if the picture was not decoded.
    public var meanColor: PictureColor
    /// The histogram of the decoded picture in sRGB. Its counts are 0 if the picture was not decoded.
    public var histogram: PictureHistogram
    /// The share of pixels whose three channels are 0, in 1/10,000.
    public var clippedShadows: Int
    /// The share of pixels with at least one channel at 255, in 1/10,000.
    public var clippedHighlights: Int
    /// The size of the written file, in bytes, or 0 if the status is not ``Status/ready``.
    public var bytesWritten: Int
    /// Whether the worker exits after this result, because it has used the processor time of one process
    /// (``PictureLimits/workerSecondsMax``). The daemon starts another worker for the next request.
    public var isLast: Bool

    /// Creates a result. The default values describe a picture that was not decoded.
    public init(
        number: UInt32, status: Status, width: Int = 0, height: Int = 0,
        meanColor: PictureColor = PictureColor(red: 0, green: 0, blue: 0),
        histogram: PictureHistogram = PictureHistogram(), clippedShadows: Int = 0, clippedHighlights: Int = 0,
        bytesWritten: Int = 0, isLast: Bool = false
    ) {
        self.number = number
        self.status = status
        self.width = width
        self.height = height
        self.meanColor = meanColor
        self.histogram = histogram
        self.clippedShadows = clippedShadows
        self.clippedHighlights = clippedHighlights
        self.bytesWritten = bytesWritten
        self.isLast = isLast
    }

    /// Encodes the result.
    ///
    /// Layout, big-endian: version (1 byte), status (1), reason (1), whether the result is the last (1),
    /// number (4), errno (4), width (4), height (4), red, green and blue of the mean color (3), zero (1),
    /// shadows (2), highlights (2), written bytes (4), histogram (3 × 256 × 4).
    public func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        var (kind, reason, errno): (UInt8, UInt8, Int32) = (0, 0, 0)
        switch status {
        case .ready: kind = 0
        case .noPreview(let why): (kind, reason) = (1, why.rawValue)
        case .tooLarge: kind = 2
        case .failed(let number): (kind, errno) = (3, number)
        }
        bytes += [Self.version, kind, reason, isLast ? 1 : 0]
        bytes.append(bigEndian: number)
        bytes.append(bigEndian: UInt32(bitPattern: errno))
        bytes.append(bigEndian: UInt32(clamping: width))
        bytes.append(bigEndian: UInt32(clamping: height))
        bytes += [meanColor.red, meanColor.green, meanColor.blue, 0]
        bytes.append(bigEndian: UInt16(clamping: clippedShadows))
        bytes.append(bigEndian: UInt16(clamping: clippedHighlights))
        bytes.append(bigEndian: UInt32(clamping: bytesWritten))
        for channel in [histogram.red, histogram.green, histogram.blue] {
            for count in channel { bytes.append(bigEndian: count) }
        }
        return bytes
    }

    /// Decodes a result. Returns `nil` if the bytes are not a result of this version, or if a value is out of
    /// its range. The check is necessary because a hostile picture may control the worker.
    public init?(bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        guard bytes.count == Self.byteCount, reader.byte() == Self.version else { return nil }
        let (kind, reason, last) = (reader.byte(), reader.byte(), reader.byte())
        number = reader.word()
        let errno = Int32(bitPattern: reader.word())
        switch kind {
        case 0: status = .ready
        case 1:
            guard let why = NoPreviewReason(rawValue: reason) else { return nil }
            status = .noPreview(why)
        case 2: status = .tooLarge
        case 3: status = .failed(errno: errno)
        default: return nil
        }
        isLast = last != 0
        width = Int(reader.word())
        height = Int(reader.word())
        meanColor = PictureColor(red: reader.byte(), green: reader.byte(), blue: reader.byte())
        _ = reader.byte()
        clippedShadows = Int(reader.half())
        clippedHighlights = Int(reader.half())
        bytesWritten = Int(reader.word())
        let channels = (0..<3).map { _ in (0..<PictureHistogram.levels).map { _ in reader.word() } }
        guard let histogram = PictureHistogram(red: channels[0], green: channels[1], blue: channels[2]),
            width <= PictureLimits.sideMax, height <= PictureLimits.sideMax,
            clippedShadows <= 10_000, clippedHighlights <= 10_000
        else { return nil }
        self.histogram = histogram
    }
}

/// A color in sRGB with eight bits for each channel.
public struct PictureColor: Hashable, Sendable {
    /// The red channel, 0...255.
    public var red: UInt8
    /// The green channel, 0...255.
    public var green: UInt8
    /// The blue channel, 0...255.
    public var blue: UInt8

    /// Creates a color.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// The number of pixels at each level of each channel of a decoded picture.
///
/// The decoded picture is usually smaller than the original, because the worker decodes a preview, or a
/// reduced form of the picture. Compare the counts with each other, not with the number of pixels in the
/// original.
public struct PictureHistogram: Hashable, Sendable {
    /// The number of levels of a channel.
    public static let levels = 256

    /// The counts of the red channel, from level 0 to level 255.
    public var red: [UInt32]
    /// The counts of the green channel, from level 0 to level 255.
    public var green: [UInt32]
    /// The counts of the blue channel, from level 0 to level 255.
    public var blue: [UInt32]

    /// Creates a histogram whose counts are 0.
    public init() {
        let empty = [UInt32](repeating: 0, count: Self.levels)
        (red, green, blue) = (empty, empty, empty)
    }

    /// Creates a histogram. Returns `nil` if a channel does not have 256 counts.
    public init?(red: [UInt32], green: [UInt32], blue: [UInt32]) {
        guard [red, green, blue].allSatisfy({ $0.count == Self.levels }) else { return nil }
        (self.red, self.green, self.blue) = (red, green, blue)
    }
}
