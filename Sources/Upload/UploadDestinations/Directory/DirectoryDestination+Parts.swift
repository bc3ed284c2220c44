import Foundation
import Glibc
public import UploadEngine

/// The part files in the destination's folder, and their removal.
extension DirectoryDestination {
    /// Returns the common prefix of an upload's part files, which consists of the station name, the job and
    /// the hash.
    static func partPrefix(_ item: UploadItem) -> String {
        "\(item.station)-\(item.jobID)-\(item.sha256.prefix(16))-"
    }

    /// A tag in the names of all part files of this process.
    private static let processTag = "-\(UUID().uuidString.lowercased().prefix(8))-"

    /// Returns a unique part name for an attempt. A hung attempt on a share can't interfere with the next
    /// attempt.
    static func partName(_ item: UploadItem) -> String {
        "\(partPrefix(item))\(processTag.dropFirst())\(UUID().uuidString.lowercased()).part"
    }

    /// Deletes the part files of an upload, which stay behind if a share disappears during a transfer. A hung
    /// share may respond only after this call was cancelled. At that time, the upload's next attempt may
    /// already be writing a part file. The function therefore checks for cancellation directly before the
    /// removal.
    public func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        let stop = StopFlag()
        try await run(stop) { () throws(UploadFailure) in
            try stop.check()
            let root = try self.identity.open()
            try stop.check()
            try self.removeParts(of: item, in: root)
        }
    }

    /// Deletes the part files that this installation left behind in a crash. Skips files of other
    /// installations. Also skips the files of this process, because their uploads may be running.
    func sweep(_ root: OpenFolder, of station: String) {
        guard !station.isEmpty else { return }
        try? removeParts(in: root) { $0.hasPrefix(station + "-") && !$0.contains(Self.processTag) }
    }

    /// Deletes the part files of an upload.
    func removeParts(of item: UploadItem, in root: OpenFolder) throws(UploadFailure) {
        try removeParts(in: root) { $0.hasPrefix(Self.partPrefix(item)) }
    }

    private func removeParts(
        in root: OpenFolder, where isMeant: (String) -> Bool
    ) throws(UploadFailure) {
        let work = root.path(FolderIdentity.workFolder)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []
        where name.hasSuffix(".part") && isMeant(name) {
            guard unlink("\(work)/\(name)") == 0 || errno == ENOENT else {
                var failure = FolderFailureMapping.failure(FolderFailureMapping.error("unlink", name), folder)
                failure.step = .remove
                throw failure
            }
        }
    }
}
