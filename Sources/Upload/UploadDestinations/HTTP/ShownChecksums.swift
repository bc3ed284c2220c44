import Synchronization

/// Whether a server shows a checksum of what it has, as it was seen at the last photo. Where it shows none and each copy
/// is read back, nothing else about the copy is asked for.
final class ShownChecksums: Sendable {
    private let seen = Mutex<Bool?>(nil)

    /// `nil` before the first photo.
    var areShown: Bool? { seen.withLock { $0 } }

    /// Notes what the answers for a photo had.
    func saw(_ isShown: Bool) { seen.withLock { $0 = isShown } }
}
