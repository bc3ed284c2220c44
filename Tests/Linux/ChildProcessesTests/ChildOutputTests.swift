import FrameFastSystem
import Glibc
import SystemPackage
import TestRig
import Testing

@testable import ChildProcesses

@Suite(.blocking) struct ChildOutputTests {
    /// A source of Dispatch takes a pipe whose other end was closed out of its list twice, the second time by a number
    /// that may be somebody else's by then: that ended the process, or left others without their events.
    @Test("children that end by the thousand say all they had to, and harm nobody else's files")
    func endsInNumbers() async throws {
        // What was freed is overwritten, so that somebody who still looks there stumbles at once.
        try Self.overwriteFreedMemory(with: 165)
        defer { try? Self.overwriteFreedMemory(with: 0) }
        await withTaskGroup(of: Int.self) { group in
            for round in 0..<8 {
                group.addTask { await Self.differences(round: round, children: 2_000) }
            }
            for await differences in group { #expect(differences == 0) }
        }
    }

    /// The C library's `M_PERTURB`, whose header is not in Swift's module of it.
    private static func overwriteFreedMemory(with byte: Int32) throws {
        let perturb: Int32 = -6
        let mallopt = try #require(dlsym(nil, "mallopt"))
        #expect(unsafeBitCast(mallopt, to: (@convention(c) (Int32, Int32) -> Int32).self)(perturb, byte) == 1)
    }

    private static func differences(round: Int, children: Int) async -> Int {
        var differences = 0
        for number in 0..<children {
            let words = "child \(round).\(number)"
            let (texts, sink) = AsyncStream<String>.makeStream()
            guard let output = try? ChildOutput(bytesMax: 1_024, onText: { sink.yield($0) }),
                (try? output.childEnd.writeAll(words.utf8)) == words.utf8.count
            else { return children }
            var told = texts.makeAsyncIterator()
            let first = await told.next()
            try? output.childEnd.close()
            // Now and then while its end is being noticed.
            for _ in 0..<(number % 7) { sched_yield() }
            let said = output.finish()
            // The next descriptors get the numbers of the last, as in a process that is at work.
            let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if first != words || said != words || close(other) != 0 { differences += 1 }
        }
        return differences
    }

    @Test("a grandchild that keeps the pipe is not waited for") func keptOpen() throws {
        let output = try ChildOutput(bytesMax: 64)
        defer { try? output.childEnd.close() }
        try output.childEnd.writeAll("before".utf8)
        #expect(output.finish() == "before")
    }

    @Test("the newest is kept, and that something was dropped is seen") func bound() throws {
        let output = try ChildOutput(bytesMax: 4)
        try output.childEnd.writeAll("0123456789".utf8)
        try output.childEnd.close()
        #expect(output.finish() == "… 6789")
    }

    @Test("what is said is told while the child goes on") func told() async throws {
        let (texts, sink) = AsyncStream<String>.makeStream()
        let output = try ChildOutput(bytesMax: 64) { sink.yield($0) }
        var told = texts.makeAsyncIterator()
        try output.childEnd.writeAll("one".utf8)
        #expect(await told.next() == "one")
        try output.childEnd.writeAll(" two".utf8)
        #expect(await told.next() == "one two")
        try output.childEnd.close()
        #expect(output.finish() == "one two")
    }

    @Test("returns the text after a position") func position() async throws {
        let (texts, sink) = AsyncStream<String>.makeStream()
        let output = try ChildOutput(bytesMax: 8) { sink.yield($0) }
        var told = texts.makeAsyncIterator()
        try output.childEnd.writeAll("one\n".utf8)
        #expect(await told.next() == "one\n")
        let position = output.position
        #expect(position == 4)
        try output.childEnd.writeAll("two\n".utf8)
        #expect(await told.next() == "one\ntwo\n")
        #expect(output.text(since: position) == "two\n")
        #expect(output.text(since: output.position) == "")
        try output.childEnd.writeAll("three\nfour\n".utf8)
        try output.childEnd.close()
        #expect(output.finish() == "… ee\nfour\n")
        #expect(output.position == 19)
        #expect(output.text(since: position) == "… ee\nfour\n")
        #expect(output.text(since: 14) == "four\n")
    }
}
