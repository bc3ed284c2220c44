import FrameFastModel
import UploadEngine

extension UploadReceipt {
    /// The evidence for a photo that the server accepted but whose content was not verified.
    static let notVerified = "not verified by the server"

    /// Returns the receipt for a photo that the server already had.
    ///
    /// - Parameter isRead: Whether the bytes were read back and compared. If `false`, only the size was
    ///   compared.
    static func alreadyExisted(_ item: UploadItem, named name: String, isRead: Bool = true) -> UploadReceipt {
        UploadReceipt(
            remoteName: name, proof: isRead ? .checksum : .size,
            evidence: isRead ? "sha256 \(item.sha256) read back" : "size \(item.bytes)", alreadyExisted: true)
    }
}
