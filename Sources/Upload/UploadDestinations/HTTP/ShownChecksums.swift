import Synchronization

/// A record of whether a server shows checksums, from the latest photo. If it shows none and each copy is
/// read back, no other check of the copy is made.
final class ShownChecksums: Sendable {
    private let seen = Mutex<Bool?>(nil)

    /// Whether the server shows checksums, or `nil` before the first photo.
    var areShown: Bool? { seen.withLock { $0 } }

    /// Records whether the responses for a photo contained a checksum.
    func record(_ isShown: Bool) { seen.withLock { $0 = isShown } }
}
