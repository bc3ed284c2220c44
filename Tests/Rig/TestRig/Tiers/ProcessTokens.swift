import Foundation

/// A semaphore that limits how many processes the tests of this run start at a time.
///
/// Each processor adds nine tokens, because most cases wait more than they compute. Cases receive tokens in
/// the order of their requests. Therefore, a case that needs many tokens never waits forever.
public actor ProcessTokens {
    /// The tokens of this test process.
    static let shared = ProcessTokens(9 * ProcessInfo.processInfo.activeProcessorCount)

    private let total: Int
    private var free: Int
    private var waiting: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []

    init(_ total: Int) { (self.total, free) = (total, total) }

    /// Runs `body` while this task holds `count` tokens, or all tokens if fewer than `count` exist.
    nonisolated func holding(_ count: Int, _ body: () async throws -> Void) async throws {
        guard count > 0 else { return try await body() }
        let count = min(count, total)
        await acquire(count)
        do { try await body() } catch {
            await release(count)
            throw error
        }
        await release(count)
    }

    private func acquire(_ count: Int) async {
        guard !waiting.isEmpty || free < count else {
            free -= count
            return
        }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }

    private func release(_ count: Int) {
        free += count
        while let first = waiting.first, free >= first.count {
            free -= first.count
            waiting.removeFirst().resume.resume()
        }
    }
}
