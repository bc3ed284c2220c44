import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    // MARK: Requests

    /// Enqueues a request to read settings.
    mutating func readSettings(_ id: UInt64, _ names: [String]) {
        guard !isExposing else { return refuseOccupied(id) }
        settings.readings.append(SettingsReading(id: id, left: names))
    }

    /// Enqueues a request to change settings.
    mutating func writeSettings(_ id: UInt64, _ command: CameraSettingsCommand) {
        guard !isExposing else { return refuseOccupied(id) }
        settings.writings.append(SettingsWriting(id: id, command, at: .now))
    }

    // MARK: Execution

    /// The time at which outdated settings must be read or published. `nil` in these cases: no setting is
    /// scheduled, the card is not listed yet, a request for settings or the clock is unfinished, the worker
    /// sees no packets, or the profile has no settings.
    var nextSettingsRefresh: Instant? {
        guard camera.isGuarded, settings.readings.isEmpty, settings.writings.isEmpty, clock.writing == nil
        else { return nil }
        guard shared.isListed, card.listing == nil, profile.settings != nil else { return nil }
        guard let table = settings.table else { return .start }
        return table.due(lastAnnouncement: shared.lastAnnouncement)
    }

    /// Records the settings that the camera reported as changed.
    mutating func recordChangedSettings() {
        let changed = camera.takeChangedSettings()
        guard !changed.isEmpty else { return }
        settings.table?.markStale(changed, at: .now)
        if !settings.writings.isEmpty { settings.writings[0].attempt?.reported.formUnion(changed) }
    }

    /// Returns the table of settings. The first call reads the driver's setting names.
    mutating func settingsTable() throws(CameraError) -> SettingsTable {
        if let table = settings.table { return table }
        let table = SettingsTable(profile, known: try camera.configNames())
        camera.watch(table.allCodes)
        settings.table = table
        settings.table?.scheduleReading(of: Set(CameraSettingKey.allCases), at: .now)
        return table
    }

    /// Publishes new values of settings. The worker does not wait for events, because some cameras send no
    /// event for a value that a request read or set.
    ///
    /// - Parameter isAtOnce: Whether to publish before the remaining settings are read.
    mutating func publishSettings(isAtOnce: Bool = true) {
        guard loss == nil, let unpublished = settings.table?.takeUnpublished(isAtOnce: isAtOnce),
            !unpublished.settings.isEmpty
        else {
            return
        }
        daemon.send(.settingsChanged(unpublished.settings, source: unpublished.source))
    }

    /// Reads a setting.
    ///
    /// - Parameters:
    ///   - key: The key, or `nil` for a setting that has only a driver's name.
    ///   - name: The driver's name.
    mutating func setting(_ key: CameraSettingKey?, _ name: String) throws(CameraError) -> CameraSetting {
        let table = try settingsTable()
        if key != .mode, table.needsMode(for: key), let name = table.names[.mode] {
            _ = try setting(.mode, name)
        }
        if camera.cachesSettings {
            try camera.requestWithheldSettings(key == nil ? nil : table.codes(of: key))
        }
        let entry = try camera.config(name)
        let setting = settings.table?.setting(key, entry) ?? table.setting(key, entry)
        settings.table?.record(
            setting, at: .now,
            settling: camera.cachesSettings || camera.pollsRefreshSettings
                ? .zero : CameraHandle.settingsCache,
            isOfRequest: settings.writings.first?.attempt?.hasSent(key) == true)
        if key != .mode { settings.lastRead = .now }
        recordChangedSettings()
        return setting
    }

    // MARK: Reading

    /// Performs the next step of the first request to read settings.
    mutating func readNext() {
        do throws(CameraError) {
            let table = try settingsTable()
            if settings.readings[0].left.isEmpty {
                let keys = CameraSettingKey.allCases.filter { table.names[$0] != nil }
                settings.readings[0].left = keys.map(\.rawValue)
            }
            if camera.pollsRefreshSettings, settings.readings[0].found.isEmpty { pollEvents() }
            repeat {
                guard !settings.readings[0].left.isEmpty else { break }
                let name = settings.readings[0].left.removeFirst()
                let key = CameraSettingKey(rawValue: name)
                guard let driverName = key.map({ table.names[$0] }) ?? name, loss == nil else { continue }
                settings.readings[0].found.append(try setting(key, driverName))
            } while camera.pollsRefreshSettings
        } catch { classify(error, during: "settings") }
        if let loss {
            for reading in settings.readings { daemon.send(.failed(id: reading.id, loss)) }
            settings.readings = []
            return
        }
        guard settings.readings[0].left.isEmpty else { return }
        let reading = settings.readings.removeFirst()
        publishSettings()
        daemon.send(.settings(id: reading.id, reading.found))
    }

    /// Reads the next outdated setting. In a new connection, creates the table, in which all settings are
    /// outdated.
    mutating func readStaleSettings() {
        do throws(CameraError) {
            if settings.table == nil {
                _ = try settingsTable()
                return
            }
            if camera.pollsRefreshSettings, settings.table?.isStale == true { pollEvents() }
            repeat {
                guard let key = settings.table?.next(), let name = settings.table?.names[key] else { break }
                _ = try setting(key, name)
            } while camera.pollsRefreshSettings
        } catch { classify(error, during: "settings") }
        publishSettings(isAtOnce: false)
    }
}
