import FrameFastAPI
import SurfaceTestSupport
import Synchronization
import Testing

@testable import APIServer

@Suite struct ReplyEncoderTests {
    /// A reply that counts how often it is encoded.
    private struct CountedReply: Encodable, Equatable {
        final class Count: Sendable {
            let encodings = Mutex(0)
        }

        var number: Int
        var count: Count

        static func == (a: Self, b: Self) -> Bool { a.number == b.number }

        func encode(to encoder: any Encoder) throws {
            count.encodings.withLock { $0 += 1 }
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    @Test func `the JSON of a status equals the output of WireCoder after each change`() throws {
        let encoder = ReplyEncoder<StatusReply>()
        var status = Samples.status
        for total in [1, 1, 2] {
            status.captures.total = total
            #expect(try encoder.encode(status) == WireCoder.encode(status))
        }
        status.cameras = []
        #expect(try encoder.encode(status) == WireCoder.encode(status))
    }

    @Test func `encodes a reply only after a change`() throws {
        let count = CountedReply.Count()
        let encoder = ReplyEncoder<CountedReply>()
        for number in [1, 1, 1, 2, 2, 1] {
            _ = try encoder.encode(CountedReply(number: number, count: count))
        }
        #expect(count.encodings.withLock { $0 } == 3)
    }
}
