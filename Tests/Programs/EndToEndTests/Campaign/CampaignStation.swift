import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig

/// One computer with its service, cameras and disk.
final class CampaignStation {
    let rig: DaemonRig
    let cameras: [Simulator]
    /// Folders that somebody moved away, with the photos in them.
    private(set) var moved: [String] = []
    private var order: [Int]
    private let disk: SmallDisk?
    private let folder: ScratchFolder

    /// What errors say that the campaign provokes.
    private static let provoked = [
        "condition=photo-damaged", "condition=disk-full", "condition=destination-away",
        // A folder that was moved is to be made anew on a full disk.
        "cannot be used, because a disk is full",
    ]

    init(_ folder: ScratchFolder, name: String, cameras: [Simulator], destination: String) throws {
        self.folder = folder
        self.cameras = cameras
        order = Array(cameras.indices)
        let disk =
            SmallDisk.isPossible ? try SmallDisk(folder.path("\(name)-disk"), options: "size=300m") : nil
        self.disk = disk
        rig = try DaemonRig(
            cameras: [], captures: (disk?.path ?? folder.path("\(name)-disk")) + "/captures",
            tables: [
                "[[destination]]", "name = \"gallery\"", "kind = \"directory\"", "path = \"\(destination)\"",
            ])
        rig.expectedErrors = Self.provoked
        try writeCameras()
    }

    private func writeCameras() throws {
        try rig.configure(
            cameras: zip(CampaignCast.names, order).map { ($0, cameras[$1].address) })
    }

    /// Each name stands for another address; counts from the next start on.
    func exchangeAddresses() throws {
        order = Array(order.dropFirst() + order.prefix(1))
        try writeCameras()
    }

    /// Moves everything that was captured to another folder of the same disk.
    func moveCaptures() throws {
        // Before the first photo after the last move there is none.
        guard FileManager.default.fileExists(atPath: rig.captures) else { return }
        let away = URL(filePath: rig.captures).deletingLastPathComponent().path + "/moved-\(moved.count)"
        try FileManager.default.moveItem(atPath: rig.captures, toPath: away)
        moved.append(away)
    }

    /// Leaves no room on the disk while `body` runs.
    func whileFull(_ body: () async throws -> Void) async throws {
        guard let disk else { return }
        try disk.fill()
        do { try await body() } catch {
            disk.remove()
            throw error
        }
        disk.remove()
    }

    /// Every photo under a final name, wherever somebody moved it.
    func saved() throws -> [CampaignFile] {
        try ([rig.captures] + moved).filter { FileManager.default.fileExists(atPath: $0) }
            .flatMap { try CampaignFile.all(below: $0) }
    }

    /// How often a camera was connected in this station's life.
    var connections: Int { rig.log.components(separatedBy: "[Cameras] connected").count - 1 }

    /// Whether people were told that photos stayed in a camera whose card cannot be listed.
    var hasToldOfPhotosLeft: Bool { rig.log.contains("condition=photos-left-in-camera") }

    /// Waits until every camera is connected.
    func ready() async throws {
        try await rig.status("every camera to be ready", within: 90) { status in
            status.cameras.count == cameras.count
                && status.cameras.allSatisfy { $0.state == .ready || $0.state == .downloading }
        }
    }

    /// Waits until every photo is at an end, and what was saved is delivered.
    ///
    /// Faults that wait for the same photo take ten seconds each: it is tried again at that pace.
    func settled(_ photos: @autoclosure () throws -> Int) async throws {
        do {
            let saved = try await rig.settled(try photos(), within: 240).count { $0.savedAt != nil }
            try await rig.until("everything to be delivered", within: 60) {
                // Photos from before a session wait for a person.
                try rig.releaseHeld()
                return try $0.parts.isEmpty && $0.status.uploads.delivered >= saved
            }
        } catch {
            throw Impatience(description: "\(try photos()) photos were taken; \(error)")
        }
    }
}

/// A file, ours or somebody else's. A list of them is no dictionary: two names that differ only in their Unicode form are
/// one `String` and two files.
struct CampaignFile {
    let path: String
    let sha256: String

    /// Every file below a folder that is no part of our own bookkeeping.
    static func all(below folder: String) throws -> [CampaignFile] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { name in
            guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { return nil }
            var isFolder: ObjCBool = false
            let path = folder + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
            else { return nil }
            return CampaignFile(path: path, sha256: try DaemonRig.sha256(ofFile: path))
        }
    }
}
