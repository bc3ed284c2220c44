import Foundation
import Glibc
public import UploadEngine

/// The copies that grow in the destination's folder, and their removal.
extension DirectoryDestination {
    /// The beginning of the names of an upload's copies: by station, job and content.
    static func partPrefix(_ item: UploadItem) -> String {
        "\(item.station)-\(item.jobID)-\(item.sha256.prefix(16))-"
    }

    /// In the names of all copies of this process.
    private static let processTag = "-\(UUID().uuidString.lowercased().prefix(8))-"

    /// Another name for each try: one that hangs in a share must not meet the next.
    static func partName(_ item: UploadItem) -> String {
        "\(partPrefix(item))\(processTag.dropFirst())\(UUID().uuidString.lowercased()).part"
    }

    /// Deletes the copies that an upload left: a share that goes away in mid-transfer keeps them. One that hangs may answer
    /// after the removal was cancelled, when another upload writes such copies.
    public func discard(_ item: UploadItem) async throws(UploadFailure) {
        let stop = StopFlag()
        try await run(stop) { () throws(UploadFailure) in
            try stop.check()
            let root = try self.identity.open()
            try stop.check()
            try self.removeParts(of: item, in: root)
        }
    }

    /// Removes what a crash left of this station's copies. Other stations may be writing theirs, and so may other uploads of
    /// this process, which begin at the same time.
    func sweep(_ root: OpenFolder, of station: String) {
        guard !station.isEmpty else { return }
        try? removeParts(in: root) { $0.hasPrefix(station + "-") && !$0.contains(Self.processTag) }
    }

    /// Removes the copies of an upload.
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
                var failure = FolderTrouble.failure(FolderTrouble.error("unlink", name), folder)
                failure.step = .remove
                throw failure
            }
        }
    }
}
