import Foundation
import UploadEngine

/// An rclone remote as a server for feature trials.
struct RcloneTrial: TrialServer {
    let daemon: RcloneDaemon

    private var place: String { daemon.settings.place }

    func store(_ name: String) async throws(UploadFailure) {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "framefast-trial-\(UUID().uuidString)")
        do { try Data(TrialFile.text.utf8).write(to: file) } catch {
            throw UploadFailure(.transient, "The trial file cannot be written on this computer: \(error).")
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let parameters = [
            "srcFs": file.deletingLastPathComponent().path, "srcRemote": file.lastPathComponent,
            "dstFs": place, "dstRemote": name,
        ]
        _ = try await daemon.call(
            "operations/copyfile", parameters, as: RcloneEmpty.self, at: .send, name: name,
            names: [file.path])
    }

    func size(_ name: String) async throws(UploadFailure) -> UInt64? {
        let response = try await daemon.call(
            "operations/stat", ["fs": place, "remote": name], as: Response.self, at: .look, name: name)
        return response.item.map { UInt64(clamping: $0.Size) }
    }

    /// Returns `true`, because rclone itself compares each copy.
    func readsBack(_ name: String) async throws(UploadFailure) -> Bool { true }

    func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool {
        _ = try await daemon.call(
            "operations/movefile",
            ["srcFs": place, "srcRemote": first, "dstFs": place, "dstRemote": second],
            as: RcloneEmpty.self, at: .rename, name: first, names: [second])
        return true
    }

    func remove(_ name: String) async throws(UploadFailure) {
        _ = try await daemon.call(
            "operations/deletefile", ["fs": place, "remote": name], as: RcloneEmpty.self, at: .remove,
            name: name)
    }

    private struct Response: Decodable {
        struct File: Decodable { var Size: Int64 }
        var item: File?
    }
}
