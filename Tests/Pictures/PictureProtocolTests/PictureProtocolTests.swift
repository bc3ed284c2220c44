import PictureProtocol
import TestRig
import Testing

@Suite struct PictureProtocolTests {
    private static let counts = (0..<3).map { channel in
        (0..<UInt32(PictureHistogram.levels)).map { $0 &* 16_777_259 &+ UInt32(channel) }
    }

    private static func result(_ status: PictureResult.Status) throws -> PictureResult {
        PictureResult(
            number: 0xFFFF_FFFE, status: status, width: 65_500, height: 3,
            meanColor: PictureColor(red: 1, green: 2, blue: 255),
            histogram: try #require(PictureHistogram(red: counts[0], green: counts[1], blue: counts[2])),
            clippedShadows: 10_000, clippedHighlights: 17, bytesWritten: 123_456_789, isLast: true)
    }

    @Test(arguments: PictureTask.allCases)
    func `decodes an encoded request`(task: PictureTask) {
        let request = PictureRequest(number: 0x0102_0304, task: task)
        let bytes = request.encode()
        #expect(bytes.count == PictureRequest.byteCount && bytes.suffix(4) == [1, 2, 3, 4])
        #expect(PictureRequest(bytes: bytes) == request)
    }

    @Test(
        arguments: [
            .ready, .tooLarge, .failed(errno: 28), .noPreview(.notFound), .noPreview(.damaged),
            .noPreview(.tooSlow),
        ] as [PictureResult.Status])
    func `decodes an encoded result`(status: PictureResult.Status) throws {
        let result = try Self.result(status)
        let bytes = result.encode()
        #expect(bytes.count == PictureResult.byteCount)
        #expect(PictureResult(bytes: bytes) == result)
    }

    @Test func `rejects requests of another length, version or task`() {
        let bytes = PictureRequest(number: 1, task: .screen).encode()
        #expect(PictureRequest(bytes: []) == nil)
        #expect(PictureRequest(bytes: bytes.dropLast()) == nil && PictureRequest(bytes: bytes + [0]) == nil)
        for (place, value) in [(0, 2), (1, 9), (2, 1), (3, 1)] as [(Int, UInt8)] {
            var changed = bytes
            changed[place] = value
            #expect(PictureRequest(bytes: changed) == nil, "byte \(place)")
        }
    }

    /// A row is the index of a byte and an invalid value for this byte.
    @Test(arguments: [(0, 2), (1, 4), (2, 0), (12, 1), (16, 1), (24, 0xFF), (26, 0xFF)] as [(Int, UInt8)])
    func `rejects results with a value out of its range`(place: Int, value: UInt8) throws {
        var bytes = try Self.result(.noPreview(.damaged)).encode()
        bytes[place] = value
        #expect(PictureResult(bytes: bytes) == nil)
        #expect(PictureResult(bytes: bytes.dropLast()) == nil)
    }

    @Test func `random bytes never give a result out of range`() throws {
        var random = SeededRandom(otherwise: 7)
        let valid = try Self.result(.ready).encode()
        for _ in 0..<500 {
            var bytes = valid
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<32, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let result = PictureResult(bytes: bytes) else { continue }
            #expect(result.width <= PictureLimits.sideMax && result.height <= PictureLimits.sideMax)
            #expect(PictureResult(bytes: result.encode()) == result)
        }
    }

    @Test func `a histogram has 256 counts for each channel`() {
        let full = Self.counts[0]
        #expect(PictureHistogram(red: full, green: full, blue: full.dropLast()) == nil)
        #expect(PictureHistogram().red.count == 256)
    }
}
