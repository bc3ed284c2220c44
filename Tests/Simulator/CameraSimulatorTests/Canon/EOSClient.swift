@testable import CameraSimulator

/// A client of an EOS: it has the remote mode, polls for records and keeps what they say.
struct EOSClient {
    struct Record: Equatable {
        var type: UInt32
        var content: [UInt8]

        func word(_ index: Int) -> UInt32 { TestCamera.word(content, index * 4) }
    }

    var test: TestCamera
    /// The host's time, which a test moves on.
    var now = TestCamera.noon

    /// A client that has not said anything yet.
    init(_ test: TestCamera) { self.test = test }

    /// A client that has heard everything there is at the start.
    init() {
        test = TestCamera(.canon)
        connect()
        poll()
    }

    mutating func connect() {
        ask(.canonSetRemoteMode, 1)
        ask(.canonSetEventMode, 1)
        ask(.canonSetRequestOLCInfoGroup, 0x1FFF)
    }

    @discardableResult
    mutating func ask(_ operation: PTPOperation, _ parameters: UInt32..., data: [UInt8] = []) -> PTPReply {
        test.camera.respond(
            to: PTPRequest(code: operation.code, parameters: parameters, data: data), at: now)
    }

    /// The records since the last call, without the end mark.
    @discardableResult
    mutating func poll() -> [Record] {
        let bytes = ask(.canonGetEvent).data?.bytes ?? []
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

    /// The records of one type since the last call.
    mutating func poll(_ type: UInt32) -> [Record] { poll().filter { $0.type == type } }

    /// Sets a property to a number.
    mutating func set(_ code: UInt32, to value: UInt32) -> PTPResponse {
        let words = [12, code, value]
        return ask(
            .canonSetDevicePropValueEx,
            data: words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
        ).response
    }
}
