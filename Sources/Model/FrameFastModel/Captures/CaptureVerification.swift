/// The level of verification that a saved photo has the same bytes as the original on the card.
public enum CaptureVerification: String, Codable, Hashable, Sendable, CaseIterable {
    /// Read once, with the right size and structure.
    case structure
    /// Read once. The second read is pending.
    case awaitingReread = "awaiting_reread"
    /// Read twice with equal bytes, which are on disk.
    case reread
}

/// The reads of one photo. Bytes that arrive twice are the right ones.
public struct Readings: Hashable, Sendable {
    /// The number of different reads after which the worker stops for now, if no two of them were equal.
    public static let differentMax = 6

    /// The result of a read.
    public enum Verdict: Hashable, Sendable {
        /// Equal to the file on disk, which is therefore right.
        case diskIsRight
        /// Equal to an earlier read that differs from the file on disk, which is therefore wrong.
        case diskIsWrong
        /// Different from all earlier reads. Another read is needed.
        case again
        /// Undecided: many reads, of which no two are equal.
        case undecided
    }

    /// The SHA-256 of each different read. The first one is that of the file on disk.
    private var hashes: [String]

    /// - Parameter onDisk: The SHA-256 of the first read, which is on disk.
    public init(onDisk: String) { hashes = [onDisk] }

    /// Whether two reads differed.
    public var haveDiffered: Bool { hashes.count > 1 }

    /// Records a further read.
    public mutating func record(_ sha256: String) -> Verdict {
        guard let index = hashes.firstIndex(of: sha256) else {
            hashes.append(sha256)
            return hashes.count < Self.differentMax ? .again : .undecided
        }
        return index == 0 ? .diskIsRight : .diskIsWrong
    }
}

/// The reliability of a camera's link, as second reads show it.
public struct LinkTrust: Hashable, Sendable {
    /// The number of consecutive photos with equal reads after which a link counts as reliable again.
    public static let trustedAfter = 200

    /// The number of photos with different reads since the link was last reliable.
    public private(set) var differing = 0
    private var consecutiveEqual = 0

    /// Creates the value of a reliable link.
    public init() {}

    /// Whether the link corrupts data.
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
