import FrameFastModel
import UploadEngine

/// The facts of a remote file, as rclone reports them.
struct RcloneFile: Decodable {
    /// The size in bytes, or -1 if it is unknown. Google Photos reports no sizes, unless `read_size` is set
    /// in rclone's configuration.
    var Size: Int64
    var IsDir: Bool
    var Hashes: [String: String]?

    /// Returns whether the file may have a number of bytes.
    func mayHave(bytes: UInt64) -> Bool { Size < 0 || Size == Int64(clamping: bytes) }

    /// Returns the difference between the file and a photo, or `nil` if no difference is known.
    ///
    /// - Parameters:
    ///   - bytes: The photo's size.
    ///   - hash: The name of a hash that the remote supports, or `nil`.
    ///   - localHash: The photo's hash of this kind.
    func difference(bytes: UInt64, hash: String?, localHash: String) -> String? {
        guard mayHave(bytes: bytes) else { return "has \(Size) bytes instead of \(bytes)" }
        guard let hash, let remoteHash = Hashes?[hash], !remoteHash.isEmpty, remoteHash != localHash
        else { return nil }
        return "has a different \(hash) at the destination"
    }

    /// Returns the proof and the evidence of a file without a difference.
    func proof(hash: String?) -> (UploadReceipt.Proof, String) {
        if let hash, let sum = Hashes?[hash], !sum.isEmpty { return (.checksum, "\(hash) \(sum)") }
        return Size < 0 ? (.word, UploadReceipt.notVerified) : (.size, "size \(Size)")
    }
}
