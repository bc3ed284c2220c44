import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Store

/// Cameras that take photos together.
struct GroupHandler: EndpointHandler {
    let groups: GroupLookup
    let shots: GroupShots
    let frames: GroupFrames
    let ledger: LedgerStore
    let engine: CaptureEngine

    func attach(to table: inout EndpointTable) {
        table.on(\.groups.list, list)
        table.on(\.groups.shoot, shoot)
        table.on(\.groups.shots, shots)
        table.on(\.groups.check, check)
    }

    func list() async throws(ControlError) -> GroupsReply {
        GroupsReply(
            groups: groups.all.map { group in
                GroupReply(
                    name: GroupName(rawValue: group.name),
                    cameras: group.cameras.map(CameraReference.init(rawValue:)),
                    away: groups.members(of: group).missing.map { CameraReference(rawValue: $0.name) })
            })
    }

    func shoot(_ name: GroupName, _ request: GroupShootRequest) async throws(ControlError) -> GroupShotReply {
        let group = try groups.group(name)
        let (ready, missing) = groups.members(of: group)
        let require = request.requireAll == true ? group.cameras.count : request.require ?? 1
        guard ready.count >= require else { throw Self.tooFew(name, ready.count, require, missing) }
        let inMs = request.inMs ?? GroupShootRequest.inUsualMs
        let (at, atNs) = (Date() + Double(inMs) / 1_000, BootTime.nowNs + UInt64(inMs) * 1_000_000)
        let expected =
            ready.map { GroupShot.Frame(name: $0.name, bodyID: engine.identity(ofCamera: $0.id)) }
            + missing.map { GroupShot.Frame(name: $0.name, missing: $0.reason) }
        // In the ledger before the first shutter: whatever happens then, a photo finds its shot.
        let shot = try await ledger.asking {
            try await $0.beginGroupShot(name, at: at, frames: expected)
        }
        let outcome: GroupShots.Outcome
        do throws(GroupShots.TooFew) {
            outcome = try await shots.shoot(ready, atNs: atNs, require: require)
        } catch {
            // Why nobody shot is told, whatever the ledger says.
            try? await ledger.forgetGroupShot(shot)
            throw Self.tooFew(name, error.ready, require, missing + error.missing)
        }
        let refused = outcome.missing.filter { !outcome.silent.contains($0.name) }
        let reasons = Dictionary(refused.map { ($0.name, $0.reason) }) { first, _ in first }
        try? await ledger.closeFrames(of: shot, reasons)
        frames.expect(shot)
        return GroupShotReply(
            shot: shot, group: name, at: at, fired: outcome.fired.count,
            spreadMs: Self.spreadMs(outcome.fired.map(\.tick.latenessUs)),
            answersSpreadMs: Self.spreadMs(outcome.fired.map { $0.tick.latenessUs + $0.tick.answerUs }),
            cameras: outcome.fired.map {
                .init(
                    name: $0.name, latenessMs: Double($0.tick.latenessUs) / 1_000,
                    answerMs: Double($0.tick.answerUs) / 1_000)
            },
            missing: missing + outcome.missing)
    }

    func shots(_ name: GroupName, _ query: GroupShotsQuery) async throws(ControlError) -> GroupShotsReply {
        _ = try groups.group(name)
        let shots = try await ledger.asking { try await $0.groupShots(name, limit: query.limit) }
        return GroupShotsReply(
            shots: shots.map { shot in
                .init(
                    shot: shot.id, at: shot.at,
                    frames: shot.frames.map {
                        .init(
                            camera: CameraReference(rawValue: $0.name), capture: $0.capture, reason: $0.reason
                        )
                    })
            })
    }

    func check(_ name: GroupName) async throws(ControlError) -> GroupCheckReply {
        let (ready, away) = groups.members(of: try groups.group(name))
        let counts = try await ledger.asking { try await $0.shotsOfRunningSession() }
        let compared = ready.compactMap { member -> GroupComparison.Member? in
            guard let status = groups.cameras.registry.camera(member.id), let facts = status.facts else {
                return nil
            }
            let shots = engine.identity(ofCamera: member.id).flatMap { counts[$0] } ?? 0
            return .init(name: member.name, facts: facts, settings: status.settings, shots: shots)
        }
        let odd = away.map { GroupComparison.Oddity(name: $0.name, what: .away, value: $0.reason) }
        return GroupCheckReply(
            compared: compared.count,
            odd: (odd + GroupComparison(compared).oddities).map {
                .init(
                    camera: CameraReference(rawValue: $0.name), what: .init(rawValue: $0.what.rawValue),
                    value: $0.value, others: $0.others)
            })
    }

    /// Between the first and the last of some times in microseconds; `nil` for fewer than two.
    private static func spreadMs(_ times: [Int]) -> Double? {
        guard times.count > 1, let first = times.min(), let last = times.max() else { return nil }
        return Double(last - first) / 1_000
    }

    private static func tooFew(
        _ name: GroupName, _ ready: Int, _ require: Int, _ missing: [MissingCamera]
    ) -> ControlError {
        let told = missing.inWords
        return ControlError(
            .conflict,
            "no shutter of '\(name)' was released: \(ready) of the \(require) cameras that are required are ready"
                + (told.isEmpty ? "" : " (\(told))"),
            nextStep: "See 'framefast cameras' for what they need, or require fewer.")
    }
}
