import Foundation
import FrameFastModel
import Logging
import Synchronization

/// One notice with what it has to tell: one whose other side hangs delays no other.
final class NoticeWorker: Sendable {
    private struct State {
        var conditions: [Condition]?
        var isStopping = false
        var sending: Task<NoticeAnswer, Never>?
        var waiting = 0
        var failure: String?
    }

    /// How long a try may take to end by itself when the service stops: most answer within that, and nobody wonders whether
    /// it arrived.
    static let stopGrace: Duration = .seconds(2)
    /// Longest sleep while something waits, in seconds: the clock may be set, and the computer may have slept.
    private static let lookSeconds: TimeInterval = 60

    let notice: Notice
    private let surroundings: NoticeSurroundings
    private let waits: Backoff
    private let startGrace: Duration
    private let logger: Logger
    private let onFailure: @Sendable (NoticeName, Condition?) -> Void
    private let state: Mutex<State>
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let (over, end) = AsyncStream<Void>.makeStream()

    /// - Parameters:
    ///   - conditions: What is wrong, as far as anybody said; `nil` when nobody did yet.
    ///   - onFailure: Told the condition when something does not arrive, and `nil` when all is well again.
    init(
        _ notice: Notice, conditions: [Condition]?, surroundings: NoticeSurroundings, waits: Backoff,
        startGrace: Duration, logger: Logger,
        onFailure: @escaping @Sendable (NoticeName, Condition?) -> Void
    ) {
        self.notice = notice
        self.surroundings = surroundings
        self.waits = waits
        self.startGrace = startGrace
        self.logger = logger
        self.onFailure = onFailure
        state = Mutex(State(conditions: conditions))
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What waits, and why it did not arrive last.
    var standing: (waiting: Int, failure: String?) { state.withLock { ($0.waiting, $0.failure) } }

    /// The whole new list of what is wrong. Never waits.
    func offer(_ conditions: [Condition]) {
        state.withLock { $0.conditions = conditions }
        ring.yield()
    }

    /// Begins nothing more; what is being told may end by itself for a moment.
    func stop() {
        let sending = state.withLock { state in
            state.isStopping = true
            return state.sending
        }
        ring.yield()
        guard let sending else { return }
        Task {
            try? await Task.sleep(for: Self.stopGrace)
            sending.cancel()
        }
    }

    /// Returns when the worker has ended. One task waits.
    func hasEnded() async { for await _ in over {} }

    private var isStopping: Bool { state.withLock(\.isStopping) || Task.isCancelled }

    /// Tells until it is stopped.
    ///
    /// - Parameter before: A worker of the same notice that has to end first.
    func run(after before: NoticeWorker?) async {
        defer { end.finish() }
        await before?.hasEnded()
        guard var book = await open() else { return }
        var failures = 0
        var retryAt = Date.distantPast
        ring.yield()
        var timer: Task<Void, Never>?
        for await _ in bell {
            timer?.cancel()
            guard !isStopping else { break }
            var wake: Date?
            do {
                if let conditions = state.withLock(\.conditions) {
                    try await write(book.look(conditions, at: Date(), name: surroundings.name))
                }
                let due = Date() >= retryAt ? book.due(at: Date()) : []
                if !due.isEmpty {
                    if try await tell(due, &book) {
                        failures = 0
                        ring.yield()
                    } else {
                        failures += 1
                        let wait = waits.wait(after: failures, chance: .random(in: 0..<1))
                        retryAt = Date() + wait / .seconds(1)
                    }
                }
                wake = [book.nextLook(after: Date()), retryAt > Date() ? retryAt : nil].compactMap(\.self)
                    .min()
            } catch {
                logger.error(
                    "what a notice told cannot be written down",
                    metadata: ["notice": "\(notice.name)", "reason": "\(error)"])
                wake = Date() + waits.wait(after: 1) / .seconds(1)
            }
            show(book)
            guard let wake else { continue }
            timer = Task { [ring] in
                let seconds = min(max(wake.timeIntervalSinceNow, 0), Self.lookSeconds)
                do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
                ring.yield()
            }
        }
        timer?.cancel()
    }

    /// What the ledger has; waits for it when it does not answer.
    private func open() async -> NoticeBook? {
        var failures = 0
        while !isStopping {
            do {
                let entries = try await surroundings.load(notice.name)
                let known = entries.compactMap(\.afterInterruption)
                let removed = entries.filter { $0.afterInterruption == nil }
                try await surroundings.keep(known.filter { !entries.contains($0) }, removed)
                return NoticeBook(notice, known, at: Date(), startGrace: startGrace)
            } catch {
                failures += 1
                logger.error(
                    "cannot look up what a notice told",
                    metadata: ["notice": "\(notice.name)", "reason": "\(error)"])
                do { try await Task.sleep(for: waits.wait(after: failures)) } catch { return nil }
            }
        }
        return nil
    }

    private func write(_ changes: NoticeBook.Changes) async throws {
        guard !changes.isEmpty else { return }
        try await surroundings.keep(changes.keep, changes.remove)
    }

    /// Makes a try, written down before and after.
    ///
    /// - Returns: whether it arrived.
    private func tell(_ due: [NoticeEntry], _ book: inout NoticeBook) async throws -> Bool {
        let message = NoticeMessage(notice: notice.name, host: surroundings.host, entries: due)
        try await write(book.mark(due, isBeingTold: true))
        let sending = Task { [notice, surroundings] in
            await NoticeSender(surroundings: surroundings).send(message, notice)
        }
        state.withLock { $0.sending = sending }
        let answer = await withTaskCancellationHandler {
            await sending.value
        } onCancel: {
            sending.cancel()
        }
        state.withLock { $0.sending = nil }
        switch answer {
        case .taken(let sentence):
            logger.info("a notice was told", metadata: ["notice": "\(notice.name)", "answer": "\(sentence)"])
            state.withLock { $0.failure = nil }
            onFailure(notice.name, nil)
            try await write(book.settle(due, at: Date()))
            return true
        case .undelivered(let sentence, let nextStep):
            try await write(book.mark(due, isBeingTold: false))
            guard !isStopping else { return false }
            logger.warning(
                "a notice was not told", metadata: ["notice": "\(notice.name)", "reason": "\(sentence)"])
            state.withLock { $0.failure = sentence }
            onFailure(
                notice.name,
                Condition(
                    .noticeUndelivered, since: Date(), subject: .notice(notice.name),
                    sentence: "The notice \(notice.name) is not delivered: \(sentence).", nextStep: nextStep))
            return false
        }
    }

    /// What did not arrive may have ended meanwhile.
    private func show(_ book: NoticeBook) {
        let waiting = book.entries.values.count(where: \.isWaiting)
        let isWell = state.withLock { state in
            state.waiting = waiting
            defer { if waiting == 0 { state.failure = nil } }
            return waiting == 0 && state.failure != nil
        }
        if isWell { onFailure(notice.name, nil) }
    }
}
