@testable import CameraSimulator

/// A client of an EOS in remote mode, which polls for records.
struct EOSClient {
    struct Record: Equatable {
        var type: UInt32
        var content: [UInt8]

        func word(_ index: Int) -> UInt32 { TestCamera.word(content, index * 4) }
    }

    var test: TestCamera
    /// The host's time, which tests advance.
    var now = TestCamera.noon

    /// Creates a client that has sent no request yet.
    init(_ test: TestCamera) { self.test = test }

    /// Creates a connected client that has read all initial records.
    init() {
        test = TestCamera(.canon)
        connect()
        poll()
    }

    mutating func connect() {
        send(.canonSetRemoteMode, 1)
        send(.canonSetEventMode, 1)
        send(.canonSetRequestOLCInfoGroup, 0x1FFF)
    }

    @discardableResult
    mutating func send(_ operation: PTPOperation, _ parameters: UInt32..., data: [UInt8] = []) -> PTPReply {
        test.camera.respond(
            to: PTPRequest(code: operation.code, parameters: parameters, data: data), at: now)
    }

    /// Returns the records since the last call, without the end record.
    @discardableResult
    mutating func poll() -> [Record] {
        let bytes = send(.canonGetEvent).data?.bytes ?? []
        var found: [Record] = []
        var at = 0
        while at + 8 <= bytes.count {
            let size = Int(TestCamera.word(bytes, at))
            guard size >= 8, at + size <= bytes.count else { break }
            found.append(
                Record(type: TestCamera.word(bytes, at + 4), content: Array(bytes[at + 8..<at + size])))
            at += size
        }
        return found.dropLast()
    }

    /// Returns the records of one type since the last call.
    mutating func poll(_ type: UInt32) -> [Record] { poll().filter { $0.type == type } }

    /// Sets a property to a number.
    mutating func set(_ code: UInt32, to value: UInt32) -> PTPResponse {
        let words = [12, code, value]
        return send(
            .canonSetDevicePropValueEx,
            data: words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
        ).response
    }

    /// Makes the body too hot for live view, or cools it down.
    mutating func setHot(_ isHot: Bool) throws { _ = try test.camera.run(.hot(isHot), at: now) }
}
