import Foundation
import FrameFastModel
import Testing
import WorkerProtocol

@Suite struct WorkerMessageTests {
    private static let iso = CameraSetting(
        key: .iso, name: "iso", value: CameraSettingValue("400", for: .iso), word: "400",
        choices: [CameraSetting.Choice(value: nil, word: "Auto ISO")],
        range: CameraSetting.Range(least: 100, most: 6_400, step: 100), writable: .unknown)

    @Test(arguments: [
        (-7 as Int32, true), (-10, true), (-1, false), (-52, false), (-53, false), (-60, false),
        (-110, false), (0, false),
    ])
    func `timeouts and I/O errors mean a missing response`(code: Int32, isMissing: Bool) {
        let failure = WorkerFailure(kind: .refused, code: code, during: "open", text: "")
        #expect(failure.meansMissingResponse == isMissing)
    }

    @Test(arguments: [
        WorkerCommand.open(
            id: 1,
            OpenRequest(
                port: "ptpip:192.168.1.5:15740", quarantinedHandles: [7], crashedWorkers: [4_711],
                zone: ZoneOffsets(seconds: 25_200, changes: [.init(at: 1_793_000_000, seconds: 28_800)]))),
        .list(id: 2),
        .reconcile(id: 3),
        .fetch(
            id: 4, FetchRequest(folder: "/store_1/DCIM", name: "a\n\"b", announcedSize: 5, partPath: "/x")),
        .delete(id: 5, CameraObject(folder: "/", name: "../../etc/x", size: 7, cameraTime: nil)),
        .trigger(id: 6),
        .refresh(id: 7),
        .readSettings(id: 8, names: ["iso"]),
        .writeSettings(
            id: 9,
            CameraSettingsCommand([CameraSettingChange(name: "iso", value: "100")], takesNearest: true)),
        .begin(
            id: 11,
            .interval(
                IntervalCommand(
                    epochNs: .max, periodMs: 200, count: 10,
                    ramp: [3: [CameraSettingChange(name: "iso", value: "100")]]))),
        .end(id: 12),
        .focus(id: 13, .drive(FocusStep(isFar: true))),
        .liveFrame(id: 14, LiveFrameCommand(size: "small")),
        .setClock(id: 10, zoneOffsetSeconds: -12_600),
        .close,
    ])
    func `decodes every command that it encodes`(command: WorkerCommand) throws {
        let frame = try WorkerMessage.encode(command)
        let length = try WorkerMessage.bodyLength(prefix: frame.prefix(WorkerMessage.prefixBytes))
        let body = Data(frame.dropFirst(WorkerMessage.prefixBytes))
        #expect(length == body.count)
        #expect(try WorkerMessage.decodeCommand(from: body) == command)
    }

    @Test(arguments: [
        WorkerEvent.hello(WorkerHello(protocolVersion: 1, pid: 7, libraryVersion: "2.5.30")),
        .opened(id: 1, CameraFacts(maker: "M", batteryPercent: 3, storages: [CameraStorage(folder: "/s")])),
        .listed(
            id: 2, [CameraObject(folder: "/", name: "\u{1}", size: 1 << 53, cameraTime: nil)], isLast: true,
            total: 3),
        .reconciled(id: 3, missing: 1, total: 2, refused: 1),
        .progress(id: 4, bytes: 1 << 40),
        .fetched(id: 4, FetchResult(bytes: 1, sha256: String(repeating: "0f", count: 32), transferMs: 2)),
        .settings(id: 5, [iso]),
        .settingResults(
            id: 6,
            [
                CameraSettingResult(
                    CameraSettingChange(name: "iso", value: "100"), .adjusted, now: iso, reason: "r")
            ]),
        .settingsChanged([iso], source: .request),
        .frame(id: .max, LiveFrame(jpeg: Data([0xFF, 0xD8, 0, 0x66, 0xFF, 0xD9]))),
        .operation(
            CameraOperationProgress(
                kind: .interval, state: .running, done: 2, total: 10,
                tick: IntervalTick(number: 3, outcome: .missed, reason: "r"), nextNs: 3_600_000_000_000,
                failedChanges: FailedSettingChanges(
                    count: 2, tick: 1, change: CameraSettingChange(name: "iso", value: "800"), reason: "r")
            )),
        .clockSet(id: 7, CameraClockSetting(driftBeforeMs: -7_200_000, driftAfterMs: nil)),
        .failed(id: 6, WorkerFailure(kind: .corrupt, code: -1, during: "fetch", text: "short")),
        .lost(WorkerFailure(kind: .timeout, during: "session", text: "silent")),
        .heartbeat(WorkerHeartbeat(call: nil, runningMs: 0, silentMs: nil)),
        .heartbeat(WorkerHeartbeat(call: "list files", runningMs: 12_000, silentMs: 0)),
    ])
    func `decodes every event that it encodes`(event: WorkerEvent) throws {
        let body = Data(try WorkerMessage.encode(event).dropFirst(WorkerMessage.prefixBytes))
        #expect(try WorkerMessage.decodeEvent(from: body) == event)
    }

    @Test(arguments: [
        "p", "p1", "p1 2", "p 2 ", "p1 x a", "px - a", "p1 2 \u{FFFD}",
        #"{"heartbeat":{"_0":{"runningMs":1}}}"#,
    ])
    func `rejects a malformed heartbeat`(body: String) {
        // The replacement character represents a byte that is not UTF-8.
        let bytes =
            body.utf8.elementsEqual("p1 2 \u{FFFD}".utf8) ? Array("p1 2 ".utf8) + [0xFF] : Array(body.utf8)
        #expect(throws: WorkerMessageError.self) { try WorkerMessage.decodeEvent(from: Data(bytes)) }
    }

    @Test func `prefixes a body with its big-endian length`() throws {
        #expect(try WorkerMessage.bodyLength(prefix: [0, 0, 1, 2]) == 258)
    }

    @Test(arguments: [[UInt8]([0, 64, 0, 1]), [255, 255, 255, 255]])
    func `rejects a length over the limit before reading the body`(prefix: [UInt8]) {
        #expect(throws: WorkerMessageError.self) { try WorkerMessage.bodyLength(prefix: prefix) }
    }

    @Test(arguments: [
        "", "{", "{}", "[]", #"{"fly":{"id":1}}"#, #"{"list":{}}"#, #"{"list":{"id":-1}}"#, "\u{0}",
    ])
    func `rejects a body that is not a command`(body: String) {
        #expect(throws: WorkerMessageError.self) {
            try WorkerMessage.decodeCommand(from: Data(body.utf8))
        }
    }

    @Test func `a full listing part with the longest names fits in a message`() throws {
        // PTP allows at most 255 UTF-16 units in a name. Each of these characters has three bytes in UTF-8.
        let object = CameraObject(
            folder: "/store_00010001/DCIM/100CANON", name: String(repeating: "写", count: 255), size: .max,
            cameraTime: .max)
        let part = [CameraObject](repeating: object, count: WorkerLimits.objectsPerListing)
        #expect(
            try WorkerMessage.encode(WorkerEvent.listed(id: .max, part, isLast: false, total: nil)).count
                < 1_000_000)
    }

    @Test(
        arguments: [
            (0x1008, 7, 7), (0x1009, 8, 8), (0x101B, 9, 9), (0x9805, 10, 10), (0x1007, 11, nil),
            (0x1004, 12, nil),
        ] as [(UInt32, UInt32, UInt32?)])
    func `a call trace contains the handle of an object operation`(
        operation: UInt32, parameter: UInt32, handle: UInt32?
    ) throws {
        let bytes = [operation, parameter, 5, 0].flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
        let trace = try #require(CallTrace(bytes: bytes))
        #expect(trace.objectHandle == handle)
        #expect(trace.requests == 5)
    }

    @Test func `rejects a call trace of invalid length`() {
        #expect(CallTrace(bytes: []) == nil)
        #expect(CallTrace(bytes: [UInt8](repeating: 0, count: 17)) == nil)
    }
}
