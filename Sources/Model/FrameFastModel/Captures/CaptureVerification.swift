/// How sure it is that a saved photo has the bytes of the one on the card.
public enum CaptureVerification: String, Codable, Hashable, Sendable, CaseIterable {
    /// Read once; size and structure are right.
    case structure
    /// Read once; the second reading is still to come.
    case awaitingReread = "awaiting_reread"
    /// Two readings gave the same bytes, and these are on disk.
    case reread
}

/// The readings of one photo: the bytes that come twice are its bytes.
public struct Readings: Hashable, Sendable {
    /// Different readings after which the link is not asked any more for the moment: not two of them were equal.
    public static let differentMax = 6

    /// What a reading says.
    public enum Verdict: Hashable, Sendable {
        /// It is as the file on disk: that one is right.
        case diskIsRight
        /// It is as an earlier one that differs from the file on disk: the file is wrong.
        case diskIsWrong
        /// It is as none before: read once more.
        case again
        /// None of many readings is as another one.
        case undecided
    }

    /// SHA-256 of each different reading; the first is that of the file on disk.
    private var hashes: [String]

    /// - Parameter onDisk: SHA-256 of the first reading, which is on disk.
    public init(onDisk: String) { hashes = [onDisk] }

    /// Whether one reading differed from another.
    public var haveDiffered: Bool { hashes.count > 1 }

    /// Takes a further reading.
    public mutating func read(_ sha256: String) -> Verdict {
        guard let index = hashes.firstIndex(of: sha256) else {
            hashes.append(sha256)
            return hashes.count < Self.differentMax ? .again : .undecided
        }
        return index == 0 ? .diskIsRight : .diskIsWrong
    }
}

/// Whether a camera's link can be believed, from second readings.
public struct LinkTrust: Hashable, Sendable {
    /// Photos in a row that came twice alike, after which a link is believed again.
    public static let trustedAfter = 200

    /// Photos of which readings differed, since the link was believed last.
    public private(set) var differing = 0
    private var alikeInRow = 0

    /// Nothing is known against it.
    public init() {}

    /// Whether it changes bytes.
    public var isCorrupting: Bool { differing > 0 }

    /// A photo was read again, and what is right of it is known.
    public mutating func settled(differed: Bool) {
        guard !differed else {
            differing += 1
            alikeInRow = 0
            return
        }
        alikeInRow += 1
        if alikeInRow >= Self.trustedAfter { differing = 0 }
    }
}
