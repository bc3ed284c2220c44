import Foundation
import FrameFastModel

extension Publisher {
    /// A photo whose bytes are complete in its `.part` file.
    struct Item: Sendable {
        var arrival: Arrival
        var name: String
        var partPath: String
        /// The size that the photo must have, in bytes: the size that the camera announced. `nil` if two
        /// fetches returned the same bytes. A different announced size is then wrong, so the publisher
        /// checks only the photo's structure.
        var expectedBytes: UInt64?
        /// The time of the capture, which becomes the file's modification time.
        var takenAt: Date?
        /// Whether a lost ledger may have contained the photo. If so, the publisher searches the disk for the
        /// photo's bytes.
        var mayBeOnDisk = false
    }
}
