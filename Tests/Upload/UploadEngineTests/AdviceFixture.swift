import Foundation
import FrameFastModel
import Store
import Synchronization
import Testing

@testable import UploadEngine

/// A queue with one destination. A test raises a condition, follows its next step, and expects that the
/// condition is cleared.
final class AdviceFixture: Sendable {
    let rig: UploadRig
    let place = ScriptedDestination()
    let isMetered = Mutex(false)
    private let session = Mutex<SessionID?>(nil)
    private static let destination: DestinationName = "nas"

    init() throws { rig = try UploadRig() }

    var target: UploadTarget { rig.target(place, holdsWhenMetered: true) }

    /// Creates the service whose condition the test raises.
    ///
    /// - Parameter isConfigured: Whether the destination is configured.
    func service(isConfigured: Bool) async throws -> UploadService {
        try await rig.service(isConfigured ? [target] : []) { self.isMetered.withLock(\.self) }
    }

    /// Saves photos in a new session with this mode, or without a session if `mode` is `nil`.
    func save(
        _ names: [String] = ["1.jpg"], mode: UploadMode? = nil, isUnsorted: Bool = false,
        bytes: @Sendable (String) -> Data = { Data("bytes of \($0)".utf8) }
    ) async throws {
        let session: SessionID? =
            if let mode {
                try await rig.store.startSession(name: "Wedding", uploadMode: mode, at: rig.time.now).id
            } else { nil }
        self.session.withLock { $0 = session }
        try await rig.save(names, session: session, isUnsorted: isUnsorted, bytes: bytes)
    }

    /// Runs a service until it has queued the photos, and stops the service before an upload ends.
    func queue() async throws {
        place.setBehavior(.hangs)
        try await rig.running(try await service(isConfigured: true)) {
            await place.calls.wait { $0.starts > 0 }
        }
        place.setBehavior(.works)
    }

    func fail(_ kind: UploadFailure.Kind) { place.setBehavior(.fails(UploadFailure(kind, "It says no."))) }

    /// Refuses one photo, and accepts other photos and probes.
    func refuse(_ name: String, _ reason: UploadFailure.Reason) {
        place.fail(name, UploadFailure(.permanent(reason), "It says no."))
    }

    // MARK: Next steps

    func retry(_ service: UploadService) async throws {
        _ = try await service.retry(UploadFilter(state: .failed))
    }

    func drop(_ service: UploadService) async throws {
        _ = try await service.drop(UploadFilter(destination: Self.destination))
    }

    func release(_ service: UploadService) async throws { _ = try await service.release(UploadFilter()) }

    /// Releases held uploads by their numbers.
    func releaseEach(_ service: UploadService) async throws {
        let held = try await service.jobs(UploadFilter(state: .held), limit: 9)
        _ = try await service.release(UploadFilter(ids: held.map(\.id)))
    }

    func resume(_ service: UploadService) async throws { try await service.resume(Self.destination) }

    func add(_ service: UploadService) async throws {
        let ids = try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record.id)
        _ = try await service.add(captures: ids, to: [Self.destination])
    }

    func putBackDestination(_ service: UploadService) async throws {
        try await service.reconfigure(
            [Self.destination], changed: [target], policy: UploadModePolicy(), keep: .forever)
    }

    func switchSession(_ service: UploadService, to mode: UploadMode) async throws {
        _ = try await service.setMode(mode, session: session.withLock(\.self))
    }

    /// Replaces the owner's rating of the first shot.
    func rate(stars: Int? = nil, pick: Bool? = nil) async throws {
        let opinion = Opinion(
            stars: stars, pick: pick, author: "eva", authorKey: "user:eva", role: .owner, at: rig.time.now)
        _ = try await rig.store.saveOpinion(opinion, shot: 1)
    }

    // MARK: Files

    private var aside: String { rig.folder + "/aside" }

    /// Returns the path of a photo's saved file.
    private func file(_ name: String) async throws -> String {
        let records = try await rig.store.captures(CaptureQuery(limit: 9)).map(\.record)
        return try #require(records.first { $0.object.name == name }?.path)
    }

    func moveAway(_ name: String) async throws {
        try FileManager.default.moveItem(atPath: try await file(name), toPath: aside)
    }

    func bringBack(_ name: String) async throws {
        let path = try await file(name)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: aside, toPath: path)
    }

    /// Writes other bytes to a photo's file after it was saved.
    func edit(_ name: String) async throws {
        let path = try await file(name)
        try FileManager.default.copyItem(atPath: path, toPath: aside)
        try Data("other bytes".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(60)], ofItemAtPath: path)
    }

    func movePhotosAway() throws { try FileManager.default.moveItem(atPath: rig.photos, toPath: aside) }

    func putPhotosBack() throws { try FileManager.default.moveItem(atPath: aside, toPath: rig.photos) }
}
