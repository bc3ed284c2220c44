import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The copy of rclone's configuration that rclone writes new tokens into. Remotes with OAuth replace their refresh token:
/// one that can't be saved works once.
enum RcloneConfiguration {
    /// Keeps the copy until a person changes the original.
    ///
    /// - Returns: The path for `--config`.
    static func writable(_ settings: RcloneSettings) throws(UploadFailure) -> String {
        guard let copy = settings.writableConfigFile else { return settings.configFile }
        let bytes: [UInt8]
        do { bytes = [UInt8](try Data(contentsOf: URL(filePath: settings.configFile))) } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil),
                "rclone's configuration \(settings.configFile) can't be read: \(error.localizedDescription)",
                nextStep: "Put it where the service can read it, for example at "
                    + "/etc/framefast/rclone.conf: home folders are closed to a service of systemd.")
        }
        do {
            let sum = Hex.text(SHA256.hash(data: bytes))
            let mark = copy + ".source"
            if DurableFile.exists(copy), (try? String(contentsOfFile: mark, encoding: .utf8)) == sum {
                return copy
            }
            try DurableFile.createFolder(DurableFile.parent(of: copy))
            // The mark last: a copy that was cut off is made again.
            for (path, content) in [(copy, bytes), (mark, Array(sum.utf8))] {
                if DurableFile.exists(mark) { try DurableFile.remove(mark) }
                if DurableFile.exists(path) { try DurableFile.remove(path) }
                try DurableFile.write(content, new: path, mode: 0o600)
            }
            return copy
        } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil),
                "rclone's configuration can't be copied to \(copy): \(error).",
                nextStep: "Check the disk that holds the state directory.")
        }
    }
}
