import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Logging
import WorkerProtocol

/// The presets of sessions: every camera is set at the start, and at the end gets back what it had, when that was asked for.
/// What a camera had is on the disk before it is changed; one that is away at the end gets it when it is back.
actor SessionPresets {
    private let store: GiveBackStore
    private let registry: CameraRegistry
    private let changer: SettingsChanger
    private let logger: Logger
    /// What nobody has begun to give back.
    private var owed: [GiveBackRecord]
    /// What is being given back: it stays on the disk until the camera has it.
    private var inHand: [GiveBackRecord] = []

    init(store: GiveBackStore, registry: CameraRegistry, changer: SettingsChanger, logger: Logger) {
        self.store = store
        self.registry = registry
        self.changer = changer
        self.logger = logger
        owed = store.load()
    }

    /// Sets every connected camera to a preset.
    ///
    /// - Parameter isGivenBack: Whether what is there now is given back at the session's end.
    func start(
        _ changes: [CameraSettingChange], session: SessionID, isGivenBack: Bool
    ) async -> [SettingsChangeReply] {
        await forEachCamera { camera in
            if isGivenBack {
                do { try await self.remember(camera, changes, session) } catch {
                    let reason = (error as? WorkerFailure)?.text ?? "\(error)"
                    return changes.map {
                        CameraSettingResult(
                            $0, .skipped, reason: "cannot remember what the camera was set to: \(reason)")
                    }
                }
            }
            return await self.set(camera, changes).results
        }
    }

    /// Gives back what sessions that are over have changed, to every camera that is connected.
    ///
    /// - Parameter running: The session that is not over.
    func end(running: SessionID?) async -> [SettingsChangeReply] {
        await forEachCamera { camera in
            await self.giveBack(camera, await self.debts(to: camera.camera), running: running)
        }.filter { !$0.results.isEmpty }
    }

    /// The settings that a camera has to get back.
    func debts(to camera: CameraID) -> [GiveBackRecord] { owed.filter { $0.camera == camera } }

    /// Gives one camera back the settings of `debts`, unless their session runs.
    ///
    /// - Returns: The result of each setting, empty if nothing is due.
    func giveBack(
        _ camera: CameraSession, _ debts: [GiveBackRecord], running: SessionID?
    ) async -> [CameraSettingResult] {
        let due = owed.filter { debts.contains($0) && $0.session != running }
        guard !due.isEmpty else { return [] }
        owed.removeAll(where: due.contains)
        inHand += due
        var results: [CameraSettingResult] = []
        // Newest first: what was there before the first session is what stays.
        for record in due.reversed() {
            let changes = (try? SettingName.changes(record.settings)) ?? []
            let outcome = await set(camera, changes)
            results += outcome.results
            inHand.removeAll { $0 == record }
            if !outcome.isAnswered { owed.append(record) }
        }
        save()
        return results
    }

    /// Notes what a camera is set to, before it is changed.
    private func remember(
        _ camera: CameraSession, _ changes: [CameraSettingChange], _ session: SessionID
    ) async throws {
        let settings = try await camera.settings(changes.map(\.name))
        let values = settings.compactMap { setting in
            (setting.key == nil ? setting.word : setting.value?.text).map {
                (SettingName.written(key: setting.key, name: setting.name), $0)
            }
        }
        guard !values.isEmpty else { return }
        owed.append(
            GiveBackRecord(
                session: session, camera: camera.camera,
                settings: Dictionary(values) { first, _ in first }))
        try store.save(owed + inHand)
    }

    private func save() {
        do { try store.save(owed + inHand) } catch {
            logger.error("cannot note what cameras get back", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: What became of each change, and whether the camera answered.
    private func set(
        _ camera: CameraSession, _ changes: [CameraSettingChange]
    ) async -> (results: [CameraSettingResult], isAnswered: Bool) {
        do throws(WorkerFailure) {
            return (try await changer.change(camera, CameraSettingsOrder(changes)), true)
        } catch {
            return (changes.map { CameraSettingResult($0, .skipped, reason: error.text) }, false)
        }
    }

    private nonisolated func forEachCamera(
        _ body: @escaping @Sendable (CameraSession) async -> [CameraSettingResult]
    ) async -> [SettingsChangeReply] {
        let cameras = registry.all.compactMap { status in
            registry.session(of: status.id).map { (status: status, session: $0) }
        }
        return await withTaskGroup(of: SettingsChangeReply.self) { group in
            for (status, session) in cameras {
                group.addTask {
                    SettingsChangeReply(
                        camera: .init(status), results: await body(session).map(SettingResultReply.init))
                }
            }
            var replies: [SettingsChangeReply] = []
            for await reply in group { replies.append(reply) }
            return replies.sorted { $0.camera.name < $1.camera.name }
        }
    }
}
