import Logging
import Synchronization
import Testing

@testable import CaptureEngine

/// Tests of log lines about single photos.
@Suite struct PhotoLogTests {
    @Test func `logs 18 lines for a card with 3,000 damaged photos`() {
        let decisions = (1...3_000).map(PhotoLog.decision)
        #expect(decisions.prefix(10).allSatisfy { $0 == .written })
        #expect(decisions.dropFirst(10).allSatisfy { $0 != .written })
        let counted = zip(1..., decisions).filter { $0.1 == .counted }.map(\.0)
        #expect(counted == [20, 40, 80, 160, 320, 640, 1_280, 2_560])
    }

    @Test func `counts each message separately and logs repeated lines at debug level`() {
        let lines = LogLines()
        let logger = Logger(label: "test") { _ in lines }
        let log = PhotoLog()
        for number in 1...20 {
            log.write("fetching again", .notice, to: logger, ["camera": "left", "name": "\(number)"])
        }
        log.write("cannot fetch", .notice, to: logger, ["camera": "left"])
        let all = lines.lines.all.withLock { $0 }
        #expect(all.count { $0.hasPrefix("notice fetching again") } == 11)
        #expect(all.contains("notice fetching again: 20 times since the camera was connected"))
        #expect(all.count { $0 == "debug fetching again" } == 10)
        #expect(all.last == "notice cannot fetch")
    }
}

/// A log handler that records its lines.
private struct LogLines: LogHandler {
    final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    let lines = Lines()
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.all.withLock { $0.append("\(event.level) \(event.message)") } }
}
