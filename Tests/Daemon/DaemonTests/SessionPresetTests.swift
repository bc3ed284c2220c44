import Cameras
import FrameFastAPI
import FrameFastModel
import ScriptedWorker
import TestRig
import Testing
import WorkerProtocol

@testable import FrameFastDaemon

/// Tests of sessions that apply a preset to cameras and restore the previous settings.
@Suite(.blocking) struct SessionPresetTests {
    private static func iso(_ body: ScriptedService.Body) -> String? {
        body.worker.settings.settings.first { $0.key == .iso }?.value?.text
    }

    private static func service() async throws -> ScriptedService {
        let service = try await ScriptedService()
        _ = try await service.control.presets.save("studio", .init(settings: ["iso": "400"]))
        return service
    }

    @Test func `applies a session's preset and restores the settings afterwards`() async throws {
        let body = SettingsHandlerTests.body()
        let service = try await Self.service()
        try await service.running(with: [body], photos: 0) { control in
            let started = try await control.sessions.start(.init(name: "A", preset: "studio", giveBack: true))
            #expect(started.applied?.map(\.camera.name) == ["left"])
            #expect(started.applied?.first?.results.map(\.result) == [.set])
            #expect(Self.iso(body) == "400")
            let stopped = try await control.sessions.stop()
            #expect(stopped.applied?.first?.results.map(\.value) == ["200"])
            #expect(Self.iso(body) == "200")
            // Without `giveBack`, the preset's settings stay.
            _ = try await control.sessions.start(.init(name: "B", preset: "studio"))
            #expect(try await control.sessions.stop().applied == nil)
            #expect(Self.iso(body) == "400")
            #expect(GiveBackStore(path: service.folder.path("state/give-back.json")).load().isEmpty)
            // A person applied the preset twice, and the service restored the settings once.
            #expect(body.worker.settings.commands.map(\.isAutomatic) == [false, true, false])
        }
    }

    @Test func `a connecting camera keeps the preset of a session just started`() async throws {
        let body = SettingsHandlerTests.body()
        let service = try await Self.service()
        try await service.running(with: [body], photos: 0) { control in
            let presets = service.parts.sessionPresets
            let connection = try #require(service.registry.connection(of: body.id))
            let records = await presets.pendingRecords(for: connection)
            _ = try await control.sessions.start(.init(name: "A", preset: "studio", giveBack: true))
            // The service read this camera's records and the running session before session A started.
            #expect(await presets.giveBack(connection, records, running: nil).isEmpty)
            #expect(Self.iso(body) == "400")
        }
    }

    @Test func `the next session restores settings before it applies its own preset`() async throws {
        let body = SettingsHandlerTests.body()
        let service = try await Self.service()
        _ = try await service.control.presets.save("low", .init(settings: ["iso": "100"]))
        try await service.running(with: [body], photos: 0) { control in
            _ = try await control.sessions.start(.init(name: "A", preset: "studio", giveBack: true))
            _ = try await control.sessions.start(.init(name: "B", preset: "low", giveBack: true))
            #expect(Self.iso(body) == "100")
            _ = try await control.sessions.stop()
            #expect(Self.iso(body) == "200")
        }
    }

    @Test func `restores the settings of a camera that reconnects later`() async throws {
        let body = SettingsHandlerTests.body()
        let service = try await Self.service()
        try await service.running(with: [body], photos: 0) { control in
            _ = try await control.sessions.start(.init(name: "A", preset: "studio", giveBack: true))
            await service.disconnect(body)
            #expect(try await control.sessions.stop().applied == nil)
            #expect(Self.iso(body) == "400")
            let store = GiveBackStore(path: service.folder.path("state/give-back.json"))
            #expect(store.load().map(\.settings) == [["iso": "200"]])
            try service.connect(body)
            try await eventually("the setting to be restored and its backup to be removed") {
                Self.iso(body) == "200" && store.load().isEmpty ? () : nil
            }
        }
    }

    @Test func `does not restore settings on another body with the same address`() async throws {
        var (body, other) = (SettingsHandlerTests.body(), SettingsHandlerTests.body())
        (body.serial, other.serial) = ("1111", "2222")
        let (first, second) = (body, other)
        let service = try await Self.service()
        try await service.running(with: [first], photos: 0) { control in
            _ = try await control.sessions.start(.init(name: "A", preset: "studio", giveBack: true))
            await service.disconnect(first)
            try service.connect(second)
            #expect(try await control.sessions.stop().applied == nil)
            #expect(second.worker.settings.commands.isEmpty)
            await service.disconnect(second)
            try service.connect(first)
            try await eventually("the setting to be restored") { Self.iso(first) == "200" ? () : nil }
        }
    }

    @Test func `restores settings after a restart of the service`() async throws {
        let body = SettingsHandlerTests.body()
        let service = try await Self.service()
        try await service.running(with: [body], photos: 0) { control in
            let session = try await control.sessions.start(.init(name: "A", preset: "studio", giveBack: true))
            let again = SessionPresets(
                store: GiveBackStore(path: service.folder.path("state/give-back.json")),
                registry: service.registry, changer: service.parts.changer, logger: ScriptedService.silence)
            #expect(await again.giveBackAll(running: session.id).isEmpty && Self.iso(body) == "400")
            #expect(await again.giveBackAll(running: nil).count == 1 && Self.iso(body) == "200")
        }
    }

    @Test func `retries restoring settings after a timeout but not after a refusal`() async throws {
        let body = SettingsHandlerTests.body()
        let service = try await Self.service()
        let store = GiveBackStore(path: service.folder.path("state/give-back.json"))
        try await service.running(with: [body], photos: 0) { control in
            _ = try await control.sessions.start(.init(name: "A", preset: "studio", giveBack: true))
            body.worker.settingsFail(WorkerFailure(kind: .timeout, during: "settings", text: "it is silent"))
            #expect(try await control.sessions.stop().applied?.first?.results.first?.reason == "it is silent")
            #expect(store.load().count == 1)
            body.worker.settingsFail(nil)
            body.worker.set { $0.refusals["iso"] = .refused }
            #expect(
                await service.parts.sessionPresets.giveBackAll(running: nil).first?.results.map(\.result) == [
                    .refused
                ])
            #expect(store.load().isEmpty)
        }
    }

    @Test func `rejects an unknown preset, and giveBack without a preset`() async throws {
        let service = try await Self.service()
        let control = service.control
        let unknown = await #expect(throws: ControlError.self) {
            try await control.sessions.start(.init(name: "A", preset: "stduio"))
        }
        #expect(unknown?.code == .notFound)
        #expect(try await control.sessions.running() == nil)
        #expect(throws: ControlError.self) { try SessionStartRequest(name: "A", giveBack: true).checked() }
    }
}
