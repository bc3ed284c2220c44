@testable import CameraSimulator

/// A simulated camera for tests, with small photos and a fixed time.
struct TestCamera {
    static let noon = WallTime(hostMs: 1_700_000_000_000, offsetSeconds: 3600)
    static let allObjects: UInt32 = 0xFFFF_FFFF

    var camera: Camera

    init(
        _ maker: Maker = .generic, photoBytes: Int = 40_000, recording: Recording = .jpeg,
        cardBytes: Int = 1_000_000, firstNumber: Int = 1, isWide: Bool = false, isSessionOpen: Bool = true
    ) {
        var identity = CameraIdentity(maker)
        identity.isWide = isWide
        let source = PhotoSource(
            sizes: photoBytes...photoBytes, raw: identity.rawFormat, recording: recording, seed: 7)
        camera = Camera(identity: identity, source: source, cardBytes: cardBytes, firstNumber: firstNumber)
        if isSessionOpen { send(.openSession, 1) }
    }

    @discardableResult
    mutating func send(_ operation: PTPOperation, _ parameters: UInt32..., data: [UInt8] = []) -> PTPReply {
        camera.respond(
            to: PTPRequest(code: operation.code, parameters: parameters, data: data), at: Self.noon)
    }

    /// Takes photos and returns the handles of their files.
    @discardableResult
    mutating func shoot(_ count: Int = 1) throws -> [UInt32] {
        var handles: [UInt32] = []
        for _ in 0..<count { handles += try camera.shoot(at: Self.noon).map(\.handle) }
        return handles
    }

    /// Returns the 32-bit elements of an array data set.
    static func words(_ reply: PTPReply) -> [UInt32] {
        let bytes = reply.data?.bytes ?? []
        return stride(from: 4, to: bytes.count - 3, by: 4).map { word(bytes, $0) }
    }

    static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    static func half(_ bytes: [UInt8], _ at: Int) -> UInt16 { UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 }
}
