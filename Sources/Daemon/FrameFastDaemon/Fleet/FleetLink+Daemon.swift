import Cameras
import FleetLink
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import MQTT
import SettingKeys
import Store

extension FleetLink.Options {
    /// `nil` where no broker is configured, and where its password cannot be read: photos are taken without it.
    init?(_ configuration: Configuration, boot: String, health: HealthBoard) {
        let fleet = configuration.fleet
        guard let broker = fleet.broker else { return nil }
        let host = configuration.host
        let password: String?
        do throws(SecretFileError) {
            password = if let file = fleet.passwordFile { try SecretFile.read(file) } else { nil }
        } catch {
            health.raise(
                .fleetAway, sentence: "The broker of the fleet is not connected: \(error).",
                nextStep: "Check password_file in [fleet], then restart the service.")
            return nil
        }
        self.init(
            host: host,
            broker: MQTTSettings(
                host: broker.host, port: broker.port, isTLS: broker.isTLS, certificates: fleet.caFile,
                user: fleet.user ?? (password == nil ? nil : host.rawValue), password: password,
                clientID: "framefast-\(host)-\(boot)"),
            accept: fleet.accept, clockErrorMaxMs: fleet.clockErrorMax / .milliseconds(1),
            isInHomeAssistant: fleet.homeAssistant)
    }
}

extension Configuration {
    /// What this computer is called: in the fleet, and in names of photos.
    var host: FleetHostName { FleetHostName(rawValue: fleet.name ?? Self.hostName) }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension FleetStorage {
    init(_ ledger: LedgerStore, boot: String) {
        self.init(
            boot: boot,
            events: { try await ledger.fleetEvents(after: $0, limit: $1) },
            forget: { try await ledger.forgetFleetEvents($0) },
            count: { (try? await ledger.fleetEventCounts().waiting) ?? 0 },
            claim: { try await ledger.claimFleetOrder($0, at: $1) },
            answer: { try await ledger.answerFleetOrder($0, $1) })
    }
}

extension FleetHostStatus {
    /// What this computer is and does.
    init(_ status: StatusReply, boot: String, seq: Int64, clock: ClockQuality?, at now: Date) {
        let uploads = status.uploads
        self.init(
            version: status.version, boot: boot, startedAt: status.startedAt, at: now, seq: seq,
            sessionName: status.session?.name,
            camerasReady: status.cameras.count { [.ready, .downloading].contains($0.state) },
            cameras: status.cameras.count { !$0.isIgnored }, shots: status.captures.shots,
            shotsToday: status.captures.shotsToday, diskFreeBytes: status.disk.freeBytes,
            diskGuard: status.disk.guard,
            uploadsWaiting: uploads.held + uploads.queued + uploads.uploading + uploads.verifying
                + uploads.retrying + uploads.failed,
            uploadsFailed: uploads.failed,
            clock: .init(isKept: clock?.isKept, errorMs: clock?.errorMs),
            conditions: status.conditions.prefix(Self.conditionsMax).map {
                .init(code: $0.code, severity: $0.severity, name: $0.name, sentence: $0.sentence)
            })
    }
}

extension FleetCameraStatus {
    init(_ camera: CameraReply, groups: [Configuration.Group]) {
        self.init(
            name: camera.name, model: camera.model, state: camera.state,
            groups: groups.filter {
                $0.cameras.contains(camera.name) || $0.cameras.contains(camera.id.rawValue)
            }
            .map { GroupName(rawValue: $0.name) },
            batteryPercent: camera.batteryPercent, shotsLeft: camera.shotsLeft,
            lastSavedAt: camera.lastCapture?.savedAt)
    }
}

/// Carries out what other computers ask, and tells them what this one does.
struct FleetSurroundings: Sendable {
    let service: ServiceHandler
    let groups: GroupHandler
    let sessions: SessionHandler
    let mode: ModeHandler
    let uploads: UploadHandler
    let configuration: CurrentValue<Configuration>
    let ledger: LedgerStore
    let health: HealthBoard
    let boot: String

    /// For the link.
    var surroundings: FleetLink.Surroundings {
        FleetLink.Surroundings(
            snapshot: snapshot,
            groups: { Set(configuration.now.groups.map { GroupName(rawValue: $0.name) }) },
            clockErrorMs: { ClockQuality.now?.errorMs },
            carryOut: carryOut, trouble: trouble, storage: FleetStorage(ledger, boot: boot))
    }

    private func snapshot() async -> FleetLink.Snapshot? {
        guard let status = try? await service.status() else { return nil }
        let seq = (try? await ledger.fleetEventCounts().last) ?? 0
        let configured = configuration.now.groups
        return FleetLink.Snapshot(
            status: FleetHostStatus(status, boot: boot, seq: seq, clock: ClockQuality.now, at: Date()),
            cameras: status.cameras.filter { !$0.isIgnored }.map { FleetCameraStatus($0, groups: configured) }
        )
    }

    private func carryOut(
        _ verb: FleetVerb, _ order: FleetOrder, _ group: GroupName?
    ) async throws(ControlError) -> GroupShotReply? {
        switch verb {
        case .shoot:
            guard let group else { throw ControlError(.invalid, "the order names no group") }
            let inMs = order.at.map { Int(($0.timeIntervalSinceNow * 1_000).rounded()) }
            return try await groups.shoot(
                group, GroupShootRequest(inMs: inMs, require: order.require).checked())
        case .session:
            if let name = order.sessionName {
                _ = try await sessions.start(SessionStartRequest(name: name).checked())
            } else {
                _ = try await sessions.stop()
            }
        case .mode:
            guard let word = order.mode else { throw ControlError(.invalid, "the order names no mode") }
            _ = try await mode.set(ModeRequest(mode: .init(rawValue: word)).checked())
        case .retry:
            _ = try await uploads.retry(UploadSelection(all: true).checked())
        }
        return nil
    }

    private func trouble(_ troubles: Set<FleetLink.Trouble>) {
        var open: Set<ConditionKind> = [.fleetAway, .fleetRefused, .fleetNameTaken]
        for trouble in troubles {
            let (kind, sentence, nextStep): (ConditionKind, String, String) =
                switch trouble {
                case .away(let reason):
                    (
                        .fleetAway, "The broker of the fleet is not connected: \(reason).",
                        "Photos are taken and uploaded without it. Check [fleet] and the broker."
                    )
                case .refused:
                    (
                        .fleetRefused, "The broker of the fleet does not take what this computer says.",
                        "Check its access list: each computer writes below framefast/v1/host/ and its name."
                    )
                case .nameTaken:
                    (
                        .fleetNameTaken, "Another computer of the fleet has the name of this one.",
                        "Give each a name of its own in [fleet], then restart the service."
                    )
                }
            open.remove(kind)
            health.raise(kind, sentence: sentence, nextStep: nextStep)
        }
        for kind in open { health.clear(kind) }
    }
}
