import Foundation
import FrameFastModel
import Testing
import WorkerProtocol

/// Tests of events within the limits, and of events that only a compromised worker sends.
@Suite struct WorkerLimitsTests {
    private static let long = String(repeating: "x", count: WorkerLimits.textBytes + 1)
    private static let digest = String(repeating: "0a", count: 32)

    private static func object(
        folder: String = "/store_00010001/DCIM", name: String = "IMG_0001.JPG", size: UInt64 = 1,
        time: Int64? = 1_795_271_130
    ) -> CameraObject {
        CameraObject(folder: folder, name: name, size: size, cameraTime: time)
    }

    private static func setting(name: String = "iso", word: String = "400", choices: Int = 1) -> CameraSetting
    {
        CameraSetting(
            key: .iso, name: name, value: nil, word: word,
            choices: [CameraSetting.Choice](
                repeating: CameraSetting.Choice(value: nil, word: ""), count: choices),
            writable: .yes)
    }

    private static func unrestored(_ names: [String]) -> CameraFacts {
        var facts = CameraFacts()
        facts.unrestored = names
        return facts
    }

    private func decoded(_ event: WorkerEvent) throws -> WorkerEvent {
        try WorkerMessage.decodeEvent(from: WorkerMessage.encode(event).dropFirst(WorkerMessage.prefixBytes))
    }

    private static func failure(
        count: Int = 1, tick: Int = 0, name: String = "iso", value: String = "800", reason: String = "r"
    ) -> WorkerEvent {
        let change = CameraSettingChange(name: name, value: value)
        let failed = FailedSettingChanges(count: count, tick: tick, change: change, reason: reason)
        return .operation(
            CameraOperationProgress(kind: .interval, state: .running, failedChanges: failed))
    }

    /// Events beyond the limits. The test's arguments are indices of this array, because a debug build takes
    /// a second to describe an event with thousands of values.
    private static let impossible: [WorkerEvent] = [
        .facts(CameraFacts(clockDriftSeconds: .min)),
        .facts(CameraFacts(clockDriftSeconds: .max)),
        .facts(CameraFacts(batteryPercent: -1)),
        .facts(CameraFacts(batteryPercent: 101)),
        .facts(CameraFacts(shotsLeft: .min)),
        .facts(CameraFacts(bufferBytes: .max)),
        .facts(CameraFacts(bufferedBytes: .max)),
        .facts(CameraFacts(bufferedObjects: -1)),
        .facts(CameraFacts(serial: long)),
        .facts(CameraFacts(captureTarget: long)),
        .facts(unrestored([long])), .facts(unrestored(Array(repeating: "iso", count: 2_000))),
        .facts(CameraFacts(storages: [CameraStorage(folder: "/s", freeBytes: .max)])),
        .facts(CameraFacts(storages: [CameraStorage](repeating: CameraStorage(folder: "/s"), count: 33))),
        .opened(id: 1, CameraFacts(model: long)),
        .objectAdded(object(time: .min)),
        .objectAdded(object(time: .max)),
        .objectAdded(object(time: -62_135_596_801)),
        .objectAdded(object(time: 253_402_300_800)),
        .objectAdded(object(size: .max)),
        .objectAdded(object(name: long)),
        .objectAdded(object(folder: long)),
        .listed(id: 1, [object(), object(time: .min)], isLast: true, total: nil),
        .listed(id: 1, [object()], isLast: true, total: -1),
        .listed(id: 1, [CameraObject](repeating: object(), count: 501), isLast: true, total: nil),
        .reconciled(id: 1, missing: .min, total: 0),
        .reconciled(id: 1, missing: 0, total: .max),
        .reconciled(id: 1, missing: 0, total: 0, refused: -1),
        .progress(id: 1, bytes: .max),
        .fetched(id: 1, FetchResult(bytes: .max, sha256: digest, transferMs: 1)),
        .fetched(id: 1, FetchResult(bytes: 1, sha256: "0", transferMs: 1)),
        .fetched(id: 1, FetchResult(bytes: 1, sha256: digest.uppercased(), transferMs: 1)),
        .fetched(id: 1, FetchResult(bytes: 1, sha256: digest, transferMs: .min)),
        .settings(id: 1, [setting(word: long)]),
        .settings(id: 1, [setting(choices: 1_025)]),
        .settings(id: 1, [CameraSetting](repeating: setting(), count: 1_025)),
        .settingsChanged([setting(name: long)], source: nil),
        .settingResults(
            id: 1, [CameraSettingResult(CameraSettingChange(name: "n", value: ""), .refused, reason: long)]),
        .frame(id: 1, LiveFrame(jpeg: Data(count: LiveFrame.bytesMax + 1))),
        .operation(CameraOperationProgress(kind: .bulb, state: .running, elapsedMs: -1)),
        .operation(CameraOperationProgress(kind: .bulb, state: .failed, reason: long)),
        .operation(CameraOperationProgress(kind: .interval, state: .running, nextAtMs: .max)),
        .operation(
            CameraOperationProgress(
                kind: .interval, state: .running, tick: IntervalTick(number: -1, outcome: .shot))),
        failure(count: 0), failure(tick: -1), failure(name: long), failure(value: long),
        failure(reason: long),
        .clockSet(id: 1, CameraClockSetting(driftBeforeMs: .max, driftAfterMs: nil)),
        .failed(id: 1, WorkerFailure(kind: .refused, during: "fetch", text: long)),
        .lost(WorkerFailure(kind: .refused, during: long, text: "")),
        .listChanged(reason: long),
        .hello(WorkerHello(protocolVersion: 1, pid: 1, libraryVersion: long)),
        .heartbeat(WorkerHeartbeat(call: long, runningMs: 0, silentMs: nil)),
        .heartbeat(WorkerHeartbeat(call: nil, runningMs: .min, silentMs: nil)),
        .heartbeat(WorkerHeartbeat(call: nil, runningMs: 0, silentMs: .max)),
    ]

    @Test(arguments: impossible.indices)
    func `rejects an event beyond the limits and accepts the reduced event`(number: Int) throws {
        let event = Self.impossible[number]
        #expect(throws: WorkerMessageError.self) { try decoded(event) }
        // A correct worker always sends the event with its values reduced to the limits.
        #expect(try decoded(event.reducedToLimits) == event.reducedToLimits)
    }

    private static let possible: [WorkerEvent] = [
        .facts(
            CameraFacts(
                maker: "Canon Inc.", batteryPercent: 100, shotsLeft: 0,
                storages: [CameraStorage(folder: "/s")],
                clockDriftSeconds: -1_700_000_000)),
        .facts(CameraFacts(batteryPercent: 0, bufferBytes: 1 << 40, bufferedBytes: 0)),
        .objectAdded(object(name: String(repeating: "写", count: 255), size: 1 << 53, time: nil)),
        .objectAdded(object(time: -62_135_596_800)),
        .objectAdded(object(time: 253_402_300_799)),
        .listed(
            id: 1, [CameraObject](repeating: object(), count: WorkerLimits.objectsPerListing), isLast: false,
            total: 1_000_000),
        .fetched(id: 1, FetchResult(bytes: 0, sha256: digest, transferMs: 0)),
    ]

    @Test(arguments: possible.indices)
    func `accepts events within the limits unchanged`(number: Int) throws {
        let event = Self.possible[number]
        #expect(try decoded(event) == event)
    }

    @Test func `omits an object with an overlong name and reports a changed list`() {
        let good = Self.object()
        guard
            case .listed(_, let objects, let isLast, _) = WorkerEvent.listed(
                id: 1, [Self.object(name: Self.long), good], isLast: true, total: nil
            ).reducedToLimits,
            case .listChanged = WorkerEvent.objectAdded(Self.object(name: Self.long)).reducedToLimits
        else {
            Issue.record("the event was not replaced by listChanged")
            return
        }
        #expect(objects == [good] && isLast)
    }
}
