import Foundation
import FrameFastSystem
import Logging
import Testing

@testable import FrameFastDaemon

@Suite struct JournalFieldsTests {
    private func text(_ entry: JournalEntry) -> String { String(decoding: entry.bytes, as: UTF8.self) }

    @Test func `known keys become fields, other keys get a prefix`() {
        let entry = JournalFields.entry(
            .warning, "an upload failed",
            ["job": "7", "destination": "nas", "sl-service": "x", "reason": "no room", "said": ""])
        #expect(
            text(entry) == """
                MESSAGE=an upload failed (destination=nas job=7 reason=no room sl-service=x)
                PRIORITY=4
                SYSLOG_IDENTIFIER=framefastd
                DESTINATION=nas
                JOB=7
                FRAMEFAST_REASON=no room
                FRAMEFAST_SL_SERVICE=x

                """)
    }

    @Test(
        arguments: [
            (.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ]
            as [(Logger.Level, Int)])
    func `maps log levels to syslog priorities`(level: Logger.Level, priority: Int) {
        #expect(JournalFields.priority(level) == priority)
    }

    @Test func `encodes a multiline value by length to prevent field injection`() {
        var entry = JournalEntry()
        entry.add("MESSAGE", "one\nPRIORITY=0")
        let value = Array("one\nPRIORITY=0".utf8)
        #expect(
            entry.bytes == Array("MESSAGE\n".utf8) + [UInt8(value.count), 0, 0, 0, 0, 0, 0, 0] + value + [10])
    }

    @Test(arguments: ["_PID", "message", "", "1ST", "A=B", "A\nB", String(repeating: "A", count: 65)])
    func `omits a field with an invalid name`(name: String) {
        var entry = JournalEntry()
        entry.add(name, "x")
        #expect(entry.bytes.isEmpty)
    }

    @Test func `truncates a long field value`() {
        var entry = JournalEntry()
        entry.add("MESSAGE", String(repeating: "x", count: 1_000_000))
        #expect(entry.bytes.count == "MESSAGE=\n".utf8.count + JournalEntry.valueBytesMax)
    }
}
