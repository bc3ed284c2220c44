import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// A writable copy of rclone's configuration, in which rclone saves new tokens. Some OAuth remotes replace
/// the refresh token at each use. If rclone cannot save the new token, the next sign-in fails.
enum RcloneConfiguration {
    /// Creates the copy. Keeps an existing copy if the original is unchanged.
    ///
    /// - Returns: The path for `--config`: the path of the copy, or the original's path if the settings
    ///   contain no path for a copy.
    static func writable(_ settings: RcloneSettings) throws(UploadFailure) -> String {
        guard let copy = settings.writableConfigFile else { return settings.configFile }
        let bytes: [UInt8]
        do { bytes = [UInt8](try Data(contentsOf: URL(filePath: settings.configFile))) } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil),
                "rclone's configuration \(settings.configFile) can't be read: \(error.localizedDescription)",
                nextStep: "Move the file to a folder that the service can read, for example "
                    + "/etc/framefast/rclone.conf: systemd services cannot read home folders.")
        }
        do {
            let sum = Hex.text(SHA256.hash(data: bytes))
            let mark = copy + ".source"
            if DurableFile.exists(copy), (try? String(contentsOfFile: mark, encoding: .utf8)) == sum {
                return copy
            }
            try DurableFile.createFolder(DurableFile.parent(of: copy))
            // Writes the checksum last. A copy without a checksum is incomplete and is written again.
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
