import Synchronization

/// A record of whether the server sent checksums for the latest photo. If the server sends no checksums and
/// each copy is read back, uploads skip the other checks of the copy.
final class ShownChecksums: Sendable {
    private let seen = Mutex<Bool?>(nil)

    /// Whether the server sends checksums, or `nil` before the first photo.
    var areShown: Bool? { seen.withLock { $0 } }

    /// Records whether the responses for a photo contained a checksum.
    func record(_ isShown: Bool) { seen.withLock { $0 = isShown } }
}
