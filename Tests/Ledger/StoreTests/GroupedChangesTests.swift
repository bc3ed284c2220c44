import Foundation
import FrameFastModel
import GRDB
import Synchronization
import TestRig
import Testing

@testable import Store

/// Tests that changes which wait at the same time share a transaction.
@Suite struct GroupedChangesTests {
    private struct Refused: Error, Equatable { var number: Int }

    private let scratch: ScratchFolder
    private let ledger: LedgerStore
    private let commits: Commits

    private final class Commits: Sendable {
        private let commits = Mutex(0)
        var count: Int { commits.withLock(\.self) }
        func record(_ sql: String) { if sql.hasPrefix("COMMIT") { commits.withLock { $0 += 1 } } }
    }

    /// The steps of a test, in their order.
    private final class Steps: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock(\.self) }
        func record(_ name: String) { names.withLock { $0.append(name) } }
    }

    init() throws {
        scratch = try ScratchFolder()
        let commits = Commits()
        self.commits = commits
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"), onStatement: commits.record)
    }

    /// Blocks the writer, starts changes that wait at the same time, and returns the results of the changes.
    private func writeTogether(_ count: Int, refused: Set<Int> = []) async -> [Result<Int, any Error>] {
        let gate = DispatchSemaphore(value: 0)
        let (started, startedSink) = AsyncStream<Void>.makeStream()
        let first = Task { [ledger] in
            try await ledger.write { _ in
                startedSink.finish()
                gate.wait()
            }
        }
        for await _ in started {}
        let results = await withTaskGroup(of: (Int, Result<Int, any Error>).self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        return (
                            number,
                            .success(
                                try await ledger.write { db in
                                    try db.execute(
                                        sql: "INSERT INTO counter VALUES (?, 1)", arguments: ["\(number)"])
                                    if refused.contains(number) { throw Refused(number: number) }
                                    return number
                                })
                        )
                    } catch { return (number, .failure(error)) }
                }
            }
            await #expect(throws: Never.self) {
                try await eventually("\(count) changes to wait") {
                    ledger.changesWaiting >= count ? () : nil
                }
            }
            gate.signal()
            var results: [(Int, Result<Int, any Error>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
        _ = await first.result
        return results
    }

    private func countRows() async throws -> Int {
        try await ledger.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM counter") ?? 0 }
    }

    @Test func `calls onCommit of a change before the next transaction`() async throws {
        let steps = Steps()
        let gate = DispatchSemaphore(value: 0)
        let (started, startedSink) = AsyncStream<Void>.makeStream()
        let first = Task { [ledger] in
            try await ledger.write { _ in
                startedSink.finish()
                gate.wait()
            } onCommit: { _ in
                steps.record("first change reported")
            }
        }
        for await _ in started {}
        let second = Task { [ledger] in
            try await ledger.write { _ in steps.record("second change made") }
        }
        try await eventually("the second change to wait") { ledger.changesWaiting == 1 ? () : nil }
        gate.signal()
        try await first.value
        try await second.value
        #expect(steps.all == ["first change reported", "second change made"])
    }

    @Test func `commits waiting changes together`() async throws {
        let before = commits.count
        let results = await writeTogether(20)
        #expect(try results.map { try $0.get() } == Array(0..<20))
        #expect(commits.count - before == 2)
        #expect(try await countRows() == 20)
    }

    @Test func `rolls back only the failing change of a group`() async throws {
        let results = await writeTogether(20, refused: [3, 11])
        for (number, result) in results.enumerated() {
            switch result {
            case .success(let value): #expect(value == number && number != 3 && number != 11)
            case .failure(let error): #expect(error as? Refused == Refused(number: number))
            }
        }
        #expect(try await countRows() == 18)
    }
}
