import Foundation
import FrameFastModel
import Logging
import Makers
import Testing

@testable import Cameras

/// What is known of a camera's card when its USB changes.
@Suite struct CardShownTests {
    private struct NoOwner: SessionOwner {
        func serve(_ session: CameraSession) async -> SessionEnd { .stopping }
    }

    @Test(
        arguments: [(.mtp, false), (.massStorage, false), (.tether, true), (.charging, true)]
            as [(CameraMode, Bool)])
    func `photos that were left in a camera are spoken of until its card can be copied`(
        mode: CameraMode, isStanding: Bool
    ) async throws {
        let health = HealthBoard { _ in }
        let settings = ConfiguredCamera(
            id: "body", name: "body", port: "", zone: .gmt, deletesAfterSave: false)
        let fleet = CameraFleet(
            options: .init(configured: [], newcomer: settings, kept: settings, allowances: .init()),
            storage: RosterStorage(load: { [] }, keep: { _ in }, forget: { _ in }),
            knowledge: try .bundled(),
            workers: WorkerStart(
                settings: WorkerSettings(program: "", homes: "", drivers: [], photos: ""), drivers: "",
                guid: .random()),
            bus: nil, owner: NoOwner(), registry: CameraRegistry { _ in }, health: health,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await fleet.take("one")
        health.raise(
            .photosLeftInCamera, subject: .camera("one"), sentence: "Four.", nextStep: "Copy them.")
        await fleet.show("one", Verdict(maker: .sony, mode: mode, action: .leave))
        #expect(health.current.contains { $0.kind == .photosLeftInCamera } == isStanding)
    }
}

extension CameraFleet {
    fileprivate func take(_ id: CameraID) {
        var camera = options.kept
        (camera.id, camera.name) = (id, id.rawValue)
        members[id] = CameraMember(camera: camera, origin: .plugged)
    }
}
