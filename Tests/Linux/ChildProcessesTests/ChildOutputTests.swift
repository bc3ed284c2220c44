import FrameFastSystem
import Glibc
import SystemPackage
import TestRig
import Testing

@testable import ChildProcesses

@Suite(.blocking) struct ChildOutputTests {
    /// Regression test: with a Dispatch source in `ChildOutput`, this test crashed, or other sources received
    /// no more events. Dispatch removes a pipe without writers from its list twice. By the second removal,
    /// the pipe's descriptor number may belong to another file.
    @Test("reads all output of thousands of children without closing other files")
    func readsManyOutputs() async throws {
        // The C library overwrites freed memory, so a use after free fails immediately.
        try Self.overwriteFreedMemory(with: 165)
        defer { try? Self.overwriteFreedMemory(with: 0) }
        await withTaskGroup(of: Int.self) { group in
            for round in 0..<8 {
                group.addTask { await Self.differences(round: round, children: 2_000) }
            }
            for await differences in group { #expect(differences == 0) }
        }
    }

    /// Sets `M_PERTURB` of mallopt(3), which Swift's Glibc module does not export.
    private static func overwriteFreedMemory(with byte: Int32) throws {
        let perturb: Int32 = -6
        let mallopt = try #require(dlsym(nil, "mallopt"))
        #expect(unsafeBitCast(mallopt, to: (@convention(c) (Int32, Int32) -> Int32).self)(perturb, byte) == 1)
    }

    private static func differences(round: Int, children: Int) async -> Int {
        var differences = 0
        for number in 0..<children {
            let text = "child \(round).\(number)"
            let (texts, sink) = AsyncStream<String>.makeStream()
            guard let output = try? ChildOutput(bytesMax: 1_024, onText: { sink.yield($0) }),
                (try? output.childEnd.writeAll(text.utf8)) == text.utf8.count
            else { return children }
            var textIterator = texts.makeAsyncIterator()
            let first = await textIterator.next()
            try? output.childEnd.close()
            // For some children, the reader detects the end of the pipe while `finish` runs.
            for _ in 0..<(number % 7) { sched_yield() }
            let finalText = output.finish()
            // This file may receive the descriptor number of the closed pipe.
            let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if first != text || finalText != text || close(other) != 0 { differences += 1 }
        }
        return differences
    }

    @Test("finish does not wait until the other end of the pipe is closed") func finishWithOpenPipe() throws {
        let output = try ChildOutput(bytesMax: 64)
        defer { try? output.childEnd.close() }
        try output.childEnd.writeAll("before".utf8)
        #expect(output.finish() == "before")
    }

    @Test("keeps the newest output and marks dropped text") func dropsOldText() throws {
        let output = try ChildOutput(bytesMax: 4)
        try output.childEnd.writeAll("0123456789".utf8)
        try output.childEnd.close()
        #expect(output.finish() == "… 6789")
    }

    @Test("calls onText while the child is running") func reportsText() async throws {
        let (texts, sink) = AsyncStream<String>.makeStream()
        let output = try ChildOutput(bytesMax: 64) { sink.yield($0) }
        var textIterator = texts.makeAsyncIterator()
        try output.childEnd.writeAll("one".utf8)
        #expect(await textIterator.next() == "one")
        try output.childEnd.writeAll(" two".utf8)
        #expect(await textIterator.next() == "one two")
        try output.childEnd.close()
        #expect(output.finish() == "one two")
    }

    @Test("returns the text after a position") func position() async throws {
        let (texts, sink) = AsyncStream<String>.makeStream()
        let output = try ChildOutput(bytesMax: 8) { sink.yield($0) }
        var textIterator = texts.makeAsyncIterator()
        try output.childEnd.writeAll("one\n".utf8)
        #expect(await textIterator.next() == "one\n")
        let position = output.position
        #expect(position == 4)
        try output.childEnd.writeAll("two\n".utf8)
        #expect(await textIterator.next() == "one\ntwo\n")
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
