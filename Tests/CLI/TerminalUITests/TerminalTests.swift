import Glibc
import SurfaceTestSupport
import Testing

@testable import TerminalUI

@Suite struct TerminalTests {
    @Test(arguments: [
        ("\u{1B}[A\u{1B}OB", [Key.up, .down]), ("\u{1B}[C\u{1B}[D", [.right, .left]),
        ("\r\n", [.enter, .enter]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[1~\u{1B}[4~\u{1B}[H\u{1B}[F", [.home, .end, .home, .end]),
        ("\u{7F}\u{08}", [.backspace, .backspace]), ("\u{15}", [.clear]), ("\u{01}q", [.character("q")]),
        ("\u{1B}[3~j", [.character("j")]), ("ภ", [.character("ภ")]),
        ("\t\u{1B}[Z", [.tab, .backTab]), ("é写", [.character("é"), .character("写")]), ("\u{0C}", [.redraw]),
        ("\u{1B}[1;5A", [.up]), ("\u{1B}[200~", []), ("\u{1B}x", [.escape, .character("x")]),
        // The terminal's late replies to queries are not key presses.
        ("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\q", [.character("q")]),
        ("\u{1B}]11;rgb:ffff/ffff/ffff\u{07}", []),
        ("\u{1B}[?2026;2$y\u{1B}[?62;4c", []),
        ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62cq", [.character("q")]),
    ])
    func `parses keys from bytes in pieces of any size`(bytes: String, keys: [Key]) {
        var whole = KeyParser()
        #expect(whole.feed(Array(bytes.utf8)) == keys)
        var pieces = KeyParser()
        #expect(Array(bytes.utf8).flatMap { pieces.feed([$0]) } == keys)
        #expect(!pieces.hasPartialKey)
    }

    @Test func `a mailbox wakes its reader and is closed on exec`() {
        let mailbox = Mailbox<Int>()
        #expect(fcntl(mailbox.descriptor, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
        #expect(fcntl(mailbox.descriptor, F_GETFL) & O_NONBLOCK == O_NONBLOCK)
        var waits = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waits, 1, 0) == 0)
        mailbox.post(1)
        mailbox.post(2)
        #expect(poll(&waits, 1, 0) == 1)
        #expect(mailbox.takeAll() == [1, 2])
        #expect(poll(&waits, 1, 0) == 0 && mailbox.takeAll() == [])
    }

    @Test func `a full mailbox blocks its sender until the messages are taken`() async throws {
        let mailbox = Mailbox<Int>()
        async let sent: Void = blocking { for number in 1...7 { mailbox.post(number, messagesMax: 3) } }
        let batches = try await blocking {
            var batches: [[Int]] = []
            while batches.joined().count < 7 {
                var waits = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&waits, 1, -1)
                batches.append(mailbox.takeAll())
            }
            return batches
        }
        try await sent
        #expect(batches.flatMap { $0 } == Array(1...7))
        #expect(batches.allSatisfy { $0.count <= 3 })
    }

    @Test func `waits for the reader of a descriptor that does not block`() async throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let (output, input) = (ends[0], ends[1])
        #expect(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        let count = 1_000_000
        async let isWritten = blocking {
            defer { close(input) }
            return FileDescriptorText.write([UInt8](repeating: 7, count: count), to: input)
        }
        let readCount = try await blocking {
            defer { close(output) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var total = 0
            while case let part = read(output, &buffer, buffer.count), part > 0 { total += part }
            return total
        }
        let isComplete = try await isWritten
        #expect(isComplete && readCount == count)
    }

    @Test func `parses a lone escape as the Escape key`() {
        var parser = KeyParser()
        #expect(parser.feed([0x1B]) == [] && parser.hasPartialKey)
        #expect(parser.flush() == [.escape] && !parser.hasPartialKey)
    }

    /// Without the timeout, the screen would ignore all keys until Ctrl-C.
    @Test(arguments: ["\u{1B}]q", "\u{1B}_q"])
    func `a key after Alt and a bracket or underscore is not the start of a response`(keys: String) {
        var parser = KeyParser()
        #expect(parser.feed(Array(keys.utf8)) == [] && parser.hasPartialKey)
        #expect(parser.flush() == [.escape] && !parser.hasPartialKey)
        #expect(parser.feed([UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test(arguments: [
        ("\u{1B}]1", "1;rgb:1e1e/1e1e/2e2e\u{1B}\\"), ("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}", "\\"),
        ("\u{1B}_Gi=31", ";OK\u{1B}\\"), ("\u{1B}[?6", "2;22c"), ("\u{1B}[?2026;2$", "y"),
    ])
    func `waits for the rest of a late response instead of pressing Escape`(start: String, rest: String) {
        var parser = KeyParser()
        #expect(parser.feed(Array(start.utf8)) == [] && !parser.hasPartialKey)
        #expect(parser.feed(Array((rest + "q").utf8)) == [.character("q")])
    }

    @Test func `discards an endless escape sequence`() {
        var parser = KeyParser()
        #expect(parser.feed([0x1B, 0x5B] + Array(repeating: 0x31, count: 10_000)) == [])
        #expect(parser.feed(Array("q".utf8)) == [.character("q")])
    }

    @Test(
        arguments: [
            ("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c", Palette.dark, true),
            ("\u{1B}]11;rgb:ffff/ffff/f0f0\u{07}\u{1B}[?2026;0$y\u{1B}[?1;2c", .light, false),
            ("\u{1B}]11;rgba:ff/ff/ff/ff\u{07}\u{1B}[?6c", .light, false), ("\u{1B}[?1;2c", nil, false),
            ("\u{1B}]11;rgb:zz/1/2\u{07}\u{1B}[?2026;4$y\u{1B}[?1c", nil, false),
        ] as [(String, Palette?, Bool)])
    func `detects a terminal's background and synchronized updates`(
        answer: String, palette: Palette?, isSynchronized: Bool
    ) {
        var probe = TerminalProbe()
        for byte in answer.utf8 {
            #expect(!probe.isComplete)
            probe.feed([byte])
        }
        #expect(probe.isComplete)
        #expect(probe.palette == palette && probe.isSynchronized == isSynchronized)
    }

    @Test func `writes only the changed lines`() {
        let style = Style(depth: .plain, hasUnicode: true)
        var painter = ScreenPainter()
        #expect(
            painter.bytes(for: [Line("one"), Line("two")], style, columns: 10)
                == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hone\u{1B}[2;1Htwo")
        #expect(painter.bytes(for: [Line("one"), Line("two")], style, columns: 10) == "")
        #expect(painter.bytes(for: [Line("one"), Line("2")], style, columns: 10) == "\u{1B}[2;1H2\u{1B}[K")
        #expect(painter.bytes(for: [Line("one")], style, columns: 10) == "\u{1B}[2;1H\u{1B}[K")
        painter.invalidate()
        #expect(painter.bytes(for: [Line("one")], style, columns: 10) == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hone")
    }

    @Test func `keeps the last character of a full line`() {
        let style = Style(depth: .plain, hasUnicode: true)
        var painter = ScreenPainter()
        _ = painter.bytes(for: [Line("a")], style, columns: 3)
        #expect(painter.bytes(for: [Line("abc")], style, columns: 3) == "\u{1B}[1;1Habc")
    }

    @Test func `uses synchronized updates if the terminal supports them`() {
        var painter = ScreenPainter()
        painter.isSynchronized = true
        let text = painter.bytes(for: [Line("a")], .bare, columns: 3)
        #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
        #expect(painter.bytes(for: [Line("a")], .bare, columns: 3) == "")
    }
}
