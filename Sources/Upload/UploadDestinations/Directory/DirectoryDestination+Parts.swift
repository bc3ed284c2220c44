import Foundation
import Glibc
public import UploadEngine

/// The copies that grow in the destination's folder, and their removal.
extension DirectoryDestination {
    /// The beginning of the names of an upload's copies: by station, job and content.
    static func partPrefix(_ item: UploadItem) -> String {
        "\(item.station)-\(item.jobID)-\(item.sha256.prefix(16))-"
    }

    /// Deletes the copies that an upload left: a share that goes away in mid-transfer keeps them. One that hangs may answer
    /// after the removal was cancelled, when another upload writes such copies.
    public func discard(_ item: UploadItem) async throws(UploadFailure) {
        let stop = StopFlag()
        try await run(stop) { () throws(UploadFailure) in
            try stop.check()
            let root = try self.identity.open()
            try stop.check()
            try self.removeParts(in: root, beginning: Self.partPrefix(item))
        }
    }

    /// Removes what a crash left of this station's copies; other stations may be writing theirs.
    func sweep(_ root: OpenFolder, of station: String) {
        guard !station.isEmpty else { return }
        try? removeParts(in: root, beginning: station + "-")
    }

    /// Removes the copies whose names begin so.
    func removeParts(in root: OpenFolder, beginning prefix: String) throws(UploadFailure) {
        let work = root.path(FolderIdentity.workFolder)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []
        where name.hasPrefix(prefix) && name.hasSuffix(".part") {
            guard unlink("\(work)/\(name)") == 0 || errno == ENOENT else {
                var failure = FolderTrouble.failure(FolderTrouble.error("unlink", name), folder)
                failure.step = .remove
                throw failure
            }
        }
    }
}
