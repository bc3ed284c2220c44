import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Logging
import WorkerProtocol

/// Applies the presets of sessions to all cameras. On request, restores the previous settings at the end of
/// the session.
///
/// The previous settings are written to disk before the preset is applied. If a camera is not connected at
/// the end of the session, its settings are restored at its next connection.
actor SessionPresets {
    private let store: GiveBackStore
    private let registry: CameraRegistry
    private let changer: SettingsChanger
    private let logger: Logger
    /// The records of settings that must be restored.
    private var pending: [GiveBackRecord]
    /// The records that are being restored. A record stays on disk until the worker has responded.
    private var inProgress: [GiveBackRecord] = []

    init(store: GiveBackStore, registry: CameraRegistry, changer: SettingsChanger, logger: Logger) {
        self.store = store
        self.registry = registry
        self.changer = changer
        self.logger = logger
        pending = store.load()
    }

    /// Applies a preset to every connected camera.
    ///
    /// - Parameter isGivenBack: Whether the current settings of the cameras are restored at the end of the
    ///   session.
    func apply(
        _ changes: [CameraSettingChange], session: SessionID, isGivenBack: Bool
    ) async -> [SettingsChangeReply] {
        await forEachCamera { camera in
            if isGivenBack {
                do { try await self.saveSettings(camera, changes, session) } catch {
                    let reason = (error as? WorkerFailure)?.text ?? "\(error)"
                    return changes.map {
                        CameraSettingResult(
                            $0, .skipped, reason: "cannot save the camera's previous settings: \(reason)")
                    }
                }
            }
            return await self.applyChanges(camera, changes).results
        }
    }

    /// Restores the settings that the presets of ended sessions changed, on every connected camera.
    ///
    /// - Parameter running: The session that still runs, if any.
    func giveBackAll(running: SessionID?) async -> [SettingsChangeReply] {
        await forEachCamera { camera in
            await self.giveBack(camera, await self.pendingRecords(for: camera), running: running)
        }.filter { !$0.results.isEmpty }
    }

    /// Returns the records of settings that must be restored on a camera.
    func pendingRecords(for camera: CameraConnection) -> [GiveBackRecord] {
        pending.filter { $0.camera == camera.camera && camera.canBe($0.serial) }
    }

    /// Restores the settings of one camera from the records of ended sessions. If the worker does not
    /// respond, keeps a record for the next connection.
    ///
    /// - Returns: The result of each setting, or an empty list if nothing is due.
    func giveBack(
        _ camera: CameraConnection, _ records: [GiveBackRecord], running: SessionID?
    ) async -> [CameraSettingResult] {
        let due = pending.filter { records.contains($0) && $0.session != running }
        guard !due.isEmpty else { return [] }
        pending.removeAll(where: due.contains)
        inProgress += due
        var results: [CameraSettingResult] = []
        // Start with the newest record, so the settings from before the first session are applied last.
        for record in due.reversed() {
            let changes = (try? SettingName.changes(record.settings)) ?? []
            let outcome = await applyChanges(camera, changes, isAutomatic: true)
            results += outcome.results
            inProgress.removeAll { $0 == record }
            if !outcome.isAnswered { pending.append(record) }
        }
        save()
        return results
    }

    /// Saves the current values of the settings that will change.
    private func saveSettings(
        _ camera: CameraConnection, _ changes: [CameraSettingChange], _ session: SessionID
    ) async throws {
        let settings = try await camera.settings(changes.map(\.name))
        let values = settings.compactMap { setting in
            (setting.key == nil ? setting.word : setting.value?.text).map {
                (SettingName.text(key: setting.key, name: setting.name), $0)
            }
        }
        guard !values.isEmpty else { return }
        pending.append(
            GiveBackRecord(
                session: session, camera: camera.camera, serial: camera.serial,
                settings: Dictionary(values) { first, _ in first }))
        try store.save(pending + inProgress)
    }

    private func save() {
        do { try store.save(pending + inProgress) } catch {
            logger.error("cannot save the previous settings of cameras", metadata: ["error": "\(error)"])
        }
    }

    /// Changes settings of a camera.
    ///
    /// - Parameter isAutomatic: Whether the service, instead of a user, requests the changes. If the driver
    ///   crashed during an automatic change, the worker skips that change in later connections.
    /// - Returns: The result of each change, and whether the worker responded.
    private func applyChanges(
        _ camera: CameraConnection, _ changes: [CameraSettingChange], isAutomatic: Bool = false
    ) async -> (results: [CameraSettingResult], isAnswered: Bool) {
        do throws(WorkerFailure) {
            let command = CameraSettingsCommand(changes, isAutomatic: isAutomatic)
            return (try await changer.change(camera, command), true)
        } catch {
            return (changes.map { CameraSettingResult($0, .skipped, reason: error.text) }, false)
        }
    }

    private nonisolated func forEachCamera(
        _ body: @escaping @Sendable (CameraConnection) async -> [CameraSettingResult]
    ) async -> [SettingsChangeReply] {
        let cameras = registry.all.compactMap { status in
            registry.connection(of: status.id).map { (status: status, connection: $0) }
        }
        return await withTaskGroup(of: SettingsChangeReply.self) { group in
            for (status, connection) in cameras {
                group.addTask {
                    SettingsChangeReply(
                        camera: .init(status), results: await body(connection).map(SettingResultReply.init))
                }
            }
            var replies: [SettingsChangeReply] = []
            for await reply in group { replies.append(reply) }
            return replies.sorted { $0.camera.name < $1.camera.name }
        }
    }
}
