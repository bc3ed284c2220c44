import Foundation
import Testing

@testable import CaptureEngine

/// How fast photos came in lately.
@Suite struct SavePaceTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    private func window(_ seconds: [Double?], bytes: UInt64 = 8_000_000, link: Double = 0.25)
        -> SavePace.Window
    {
        var window = SavePace.Window()
        for one in seconds {
            window.add(savedAt: Self.now, seconds: one, bytes: bytes, linkSeconds: link)
        }
        return window
    }

    @Test func `half of the shots, and 99 of 100, were as fast as it says`() {
        let pace = window((1...200).reversed().map { Double($0) / 100 }).pace(at: Self.now)
        #expect(pace == SavePace(medianSeconds: 1, slowSeconds: 1.98, bytesPerSecond: 32_000_000))
        // One shot is all of them.
        #expect(window([0.5]).pace(at: Self.now)?.slowSeconds == 0.5)
    }

    @Test func `what lay on the card has a speed, and made nobody wait`() {
        let pace = window([nil, nil]).pace(at: Self.now)
        #expect(pace == SavePace(medianSeconds: nil, slowSeconds: nil, bytesPerSecond: 32_000_000))
        #expect(window([nil, 0.25]).pace(at: Self.now)?.medianSeconds == 0.25)
    }

    @Test func `photos without a time on the link do not make it faster`() {
        var window = window([0.1])
        window.add(savedAt: Self.now, seconds: 0.1, bytes: 8_000_000_000, linkSeconds: 0)
        #expect(window.pace(at: Self.now)?.bytesPerSecond == 32_000_000)
        #expect(self.window([0.1], link: 0).pace(at: Self.now)?.bytesPerSecond == nil)
    }

    @Test func `after five minutes there is nothing to say, also when the clock was set back`() {
        let window = window([0.5])
        #expect(window.pace(at: Self.now + 299) != nil)
        #expect(window.pace(at: Self.now + 301) == nil)
        #expect(window.pace(at: Self.now - 3_600) == nil)
        #expect(SavePace.Window().pace(at: Self.now) == nil)
    }

    @Test func `of many photos the last count, and what is kept is bounded`() {
        var window = window(Array(repeating: 9, count: 3 * SavePace.Window.photosMax))
        for _ in 0..<SavePace.Window.photosMax {
            window.add(savedAt: Self.now, seconds: 1, bytes: 1, linkSeconds: 1)
        }
        #expect(window.pace(at: Self.now)?.slowSeconds == 1)
        #expect(window.count <= 2 * SavePace.Window.photosMax)
    }
}
