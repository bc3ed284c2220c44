public import FrameFastModel
import PictureProtocol

/// A saved photo whose pictures a client requests.
public struct PreviewPhoto: Hashable, Sendable {
    /// The number of the file in the ledger.
    public let capture: CaptureID
    /// The SHA-256 of the file, in lower-case hex.
    public let sha256: String
    /// The absolute path of the file.
    public let path: String
    /// The size of the file, in bytes.
    public let bytes: UInt64

    /// Creates a photo. Returns `nil` if `sha256` is not a SHA-256 in lower-case hex, because the hash
    /// becomes a part of file names.
    public init?(capture: CaptureID, sha256: String, path: String, bytes: UInt64) {
        guard Self.isDigest(sha256) else { return nil }
        (self.capture, self.sha256, self.path, self.bytes) = (capture, sha256, path, bytes)
    }

    /// Returns whether a text is a SHA-256 in lower-case hex.
    static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == digestDigits
            && text.utf8.allSatisfy { digit in
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
                default: false
                }
            }
    }

    /// The number of hexadecimal digits of a SHA-256.
    private static let digestDigits = 64
}

/// A request for one picture of one photo. Equal orders share one result.
struct PreviewOrder: Hashable, Sendable {
    var task: PictureTask
    var photo: PreviewPhoto
}
