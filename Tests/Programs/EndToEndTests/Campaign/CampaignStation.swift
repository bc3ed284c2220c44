import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig

/// One computer with its service, cameras and disk.
final class CampaignStation {
    let rig: DaemonRig
    let cameras: [Simulator]
    /// The new paths of the capture folders that the campaign moved.
    private(set) var moved: [String] = []
    private var order: [Int]
    private let disk: SmallDisk
    private let folder: ScratchFolder

    /// Texts in log errors that the campaign causes.
    private static let causedErrors = [
        "condition=photo-damaged", "condition=disk-full", "condition=destination-away",
        // The service cannot recreate a moved folder while the disk is full.
        "cannot be used, because a disk is full",
    ]

    init(_ folder: ScratchFolder, name: String, cameras: [Simulator], destination: String) throws {
        self.folder = folder
        self.cameras = cameras
        order = Array(cameras.indices)
        disk = try SmallDisk(folder.path("\(name)-disk"), options: "size=300m")
        rig = try DaemonRig(
            cameras: [], captures: disk.path + "/captures",
            tables: [
                "[[destination]]", "name = \"gallery\"", "kind = \"directory\"", "path = \"\(destination)\"",
            ])
        rig.expectedErrors = Self.causedErrors
        rig.expectedFindings = [.fileMissing: "the campaign moves folders with photos"]
        try writeCameras()
    }

    private func writeCameras() throws {
        try rig.configure(
            cameras: zip(CampaignSetup.names, order).map { ($0, cameras[$1].address) })
    }

    /// Gives each camera name the next camera's address. The service uses the addresses after its next start.
    func exchangeAddresses() throws {
        order = Array(order.dropFirst() + order.prefix(1))
        try writeCameras()
    }

    /// Moves all captures to another folder of the same disk.
    func moveCaptures() throws {
        // After a move, the folder does not exist until the next photo.
        guard FileManager.default.fileExists(atPath: rig.captures) else { return }
        let away = URL(filePath: rig.captures).deletingLastPathComponent().path + "/moved-\(moved.count)"
        try FileManager.default.moveItem(atPath: rig.captures, toPath: away)
        moved.append(away)
    }

    /// Fills the disk while `body` runs.
    func withFullDisk(_ body: () async throws -> Void) async throws {
        try disk.fill()
        do { try await body() } catch {
            disk.remove()
            throw error
        }
        disk.remove()
    }

    /// Every photo under a final name, including those in folders that were moved away.
    func savedFiles() throws -> [CampaignFile] {
        try ([rig.captures] + moved).filter { FileManager.default.fileExists(atPath: $0) }
            .flatMap { try CampaignFile.all(below: $0) }
    }

    /// The number of camera connections of this station so far.
    var connections: Int { rig.log.components(separatedBy: "[Cameras] connected").count - 1 }

    /// Whether the station has reported photos that are left in a camera.
    var hasReportedPhotosLeft: Bool { rig.log.contains("condition=photos-left-in-camera") }

    /// Waits until every camera is connected.
    func waitUntilReady() async throws {
        try await rig.status("every camera to be ready", within: 90, isReady)
    }

    /// Whether every camera is connected.
    func isReady(_ status: StatusReply) -> Bool {
        status.cameras.count == cameras.count
            && status.cameras.allSatisfy { $0.state == .ready || $0.state == .downloading }
    }

    /// The maximum time until no photo is pending, in seconds. In the gate, this time is shorter than the
    /// time limit of a test without progress. A missing photo is therefore usually reported as such, and not
    /// as a hang.
    private static let settleSecondsMax = Tier.isNight || CampaignTests.soakMinutes != nil ? 240.0 : 100.0

    /// Waits until no photo is pending and every saved photo is delivered.
    ///
    /// The station retries a photo every ten seconds, so each further fault on the same photo adds ten
    /// seconds.
    func waitUntilDelivered(_ photos: @autoclosure () throws -> Int) async throws {
        do {
            let records = try await rig.waitUntilSettled(try photos(), within: Self.settleSecondsMax)
            let saved = records.count { $0.savedAt != nil }
            try await rig.waitUntil("everything to be delivered", within: 60) {
                // Photos from before a session are held until the user releases them.
                try rig.releaseHeld()
                return try $0.parts.isEmpty && $0.status.uploads.delivered >= saved
            }
        } catch {
            throw WaitTimeout(description: "\(try photos()) photos were taken; \(error)")
        }
    }
}

/// A file that FrameFast saved, or a foreign file that the campaign created. Collect these values in an
/// array. A dictionary by name would merge two files whose names differ only in their Unicode form.
struct CampaignFile {
    let path: String
    let sha256: String

    /// Returns every file below a folder, except the files that FrameFast creates for itself.
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
