import Foundation
import FrameFastModel

extension Publisher {
    /// A photo whose bytes are complete in its `.part` file.
    struct Item: Sendable {
        var arrival: Arrival
        var name: String
        var partPath: String
        /// The size that the camera announced, in bytes, or `nil` if a second fetch returned the same
        /// bytes. In that case the announced size is wrong, and only the structure is checked.
        var expectedBytes: UInt64?
        /// The time of the capture, which becomes the file's modification time.
        var takenAt: Date?
        /// Whether a lost ledger may have contained the photo. If so, the publisher searches the disk for the
        /// photo's bytes.
        var mayBeOnDisk = false
    }
}
