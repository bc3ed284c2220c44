import Crypto
import Foundation
import UploadEngine

/// A small file with a name of its own, to try a destination with. Removed with its value.
final class LocalProbeFile: Sendable {
    let item: UploadItem

    init() throws(UploadFailure) {
        let name = "framefast-probe-\(UUID().uuidString.prefix(8)).txt"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        let bytes = Data("FrameFast was here to try this destination. This file can be deleted.\n".utf8)
        do { try bytes.write(to: file, options: .withoutOverwriting) } catch {
            throw UploadFailure(.faulty, "cannot write \(file.path): \(error.localizedDescription)")
        }
        let sum = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        item = UploadItem(
            jobID: 0, localPath: file.path, bytes: UInt64(bytes.count), sha256: sum, remoteName: name,
            facts: ["PROBE": "1"])
    }

    deinit { try? FileManager.default.removeItem(atPath: item.localPath) }
}
