import Foundation
import FrameFastSystem
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
        try? removeParts(in: root.path(FolderIdentity.workFolder)) {
            $0.hasPrefix(station + "-") && !$0.contains(Self.processTag)
        }
    }

    /// Deletes the part files of an upload. If the photo's folder is on another disk, an earlier run may have
    /// left a copy of a part file there (``DurableFile/copyPath(of:as:)``). Copies of this process stay,
    /// because a hung attempt may still complete the upload.
    func removeParts(of item: UploadItem, in root: OpenFolder) throws(UploadFailure) {
        let prefix = Self.partPrefix(item)
        try removeParts(in: root.path(FolderIdentity.workFolder)) { $0.hasPrefix(prefix) }
        guard !RemoteName.leavesFolder(item.remoteName) else { return }
        let folder = DurableFile.parent(of: item.remoteName)
        try removeParts(in: root.path(folder.isEmpty ? "." : folder)) {
            $0.hasPrefix(".\(prefix)") && !$0.contains(Self.processTag)
        }
    }

    /// Deletes part files in a folder that can be listed.
    private func removeParts(
        in work: String, where isMeant: (String) -> Bool
    ) throws(UploadFailure) {
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
