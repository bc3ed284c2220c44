/// The reads of one photo from the camera. If two reads return the same bytes, these bytes are treated as
/// correct.
public struct Readings: Hashable, Sendable {
    /// The number of different reads after which the result is `undecided`.
    public static let differentMax = 6

    /// The result of a read.
    public enum Outcome: Hashable, Sendable {
        /// The read is equal to the file on disk. The file is correct.
        case diskIsRight
        /// The read is equal to an earlier read, but not to the file on disk. The file is wrong.
        case diskIsWrong
        /// The read differs from all earlier reads. Another read is needed.
        case again
        /// ``differentMax`` reads returned different bytes.
        case undecided
    }

    /// The SHA-256 of each different read. The first element belongs to the file on disk.
    private var hashes: [String]

    /// - Parameter onDisk: The SHA-256 of the file on disk, which is the first read.
    public init(onDisk: String) { hashes = [onDisk] }

    /// Whether at least two reads differed.
    public var haveDiffered: Bool { hashes.count > 1 }

    /// Records another read.
    public mutating func record(_ sha256: String) -> Outcome {
        guard let index = hashes.firstIndex(of: sha256) else {
            hashes.append(sha256)
            return hashes.count < Self.differentMax ? .again : .undecided
        }
        return index == 0 ? .diskIsRight : .diskIsWrong
    }
}

/// The reliability of a camera's connection, measured by second reads.
public struct LinkTrust: Hashable, Sendable {
    /// The number of consecutive photos with equal reads after which a connection is treated as reliable
    /// again.
    public static let trustedAfter = 200

    /// The number of photos with different reads since the connection was last reliable.
    public private(set) var differing = 0
    private var consecutiveEqual = 0

    /// Creates the value for a reliable connection.
    public init() {}

    /// Whether the connection corrupts data.
    public var isCorrupting: Bool { differing > 0 }

    /// Records a photo whose reads are complete.
    public mutating func recordPhoto(readsDiffered differed: Bool) {
        guard !differed else {
            differing += 1
            consecutiveEqual = 0
            return
        }
        consecutiveEqual += 1
        if consecutiveEqual >= Self.trustedAfter { differing = 0 }
    }
}
