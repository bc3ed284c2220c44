import UploadEngine

extension UploadReceipt {
    /// The evidence of a photo that a server took and tells nothing about.
    static let notVerified = "not verified by the server"

    /// The receipt of a photo that was at the server already.
    ///
    /// - Parameter isRead: Whether its bytes were read back and compared, rather than its size.
    static func wasThere(_ item: UploadItem, named name: String, isRead: Bool = true) -> UploadReceipt {
        UploadReceipt(
            remoteName: name, proof: isRead ? .checksum : .size,
            evidence: isRead ? "sha256 \(item.sha256) read back" : "size \(item.bytes)", wasThere: true)
    }
}
