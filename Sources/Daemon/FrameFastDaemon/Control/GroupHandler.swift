import APIServer
import Cameras
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem

/// The endpoints that list groups of cameras and release their shutters.
struct GroupHandler: EndpointHandler {
    let groups: GroupLookup
    let release: GroupRelease
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.groups.list, with: list)
        table.handle(\.groups.shoot, with: shoot)
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
        let (at, atNs) = (clock.now() + Double(inMs) / 1_000, clock.bootTimeNs() + UInt64(inMs) * 1_000_000)
        let result: GroupRelease.Result
        do throws(GroupRelease.TooFewReady) {
            result = try await release.release(ready, atNs: atNs, require: require)
        } catch {
            throw Self.tooFew(name, error.ready, require, missing + error.missing)
        }
        let ticks = result.fired.map(\.tick)
        return GroupShotReply(
            group: name, at: at, fired: result.fired.count, spreadMs: Self.spreadMs(ticks.map(\.latenessUs)),
            answersSpreadMs: Self.spreadMs(ticks.map { $0.latenessUs + $0.answerUs }),
            cameras: result.fired.map {
                .init(
                    name: $0.name, latenessMs: Double($0.tick.latenessUs) / 1_000,
                    answerMs: Double($0.tick.answerUs) / 1_000)
            },
            missing: missing + result.missing)
    }

    /// Returns the difference between the smallest and the largest time, in milliseconds, or `nil` for fewer
    /// than two times. The times are in microseconds.
    private static func spreadMs(_ times: [Int]) -> Double? {
        guard times.count > 1, let first = times.min(), let last = times.max() else { return nil }
        return Double(last - first) / 1_000
    }

    private static func tooFew(
        _ name: GroupName, _ ready: Int, _ require: Int, _ missing: [MissingCamera]
    ) -> ControlError {
        let reasons = missing.inWords
        return ControlError(
            .conflict,
            "no shutter of '\(name)' was released: \(ready) of \(require) required cameras are ready"
                + (reasons.isEmpty ? "" : " (\(reasons))"),
            nextStep: "Run 'framefast cameras' to see what the cameras need, or require fewer cameras.")
    }
}
