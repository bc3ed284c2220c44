import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization

/// Removes the local files of photos automatically, after the time in their session's rule, and only if they
/// are delivered everywhere.
///
/// A delivery causes a check of that photo only. All photos are checked when the service starts, when a rule
/// changes, and every hour.
actor Retention {
    /// The time between two checks of all photos, in seconds.
    static let lookSeconds = 3600.0
    /// The most deliveries that are stored individually. After that, all photos are checked.
    private static let deliveriesMax = 10_000

    private struct News {
        var delivered: Set<CaptureID> = []
        var mustLookAtAll = true
        /// Whether every rule keeps photos forever.
        var isIdle = false
    }

    private var rule: RetentionRule
    private let ledger: QueueLedger
    private let clearing: PhotoClearing
    private nonisolated let bell = Bell()
    private nonisolated let news = Mutex(News())
    /// Photos whose files differ from the saved ones. They are not read again before the next start.
    private var untouchable: Set<CaptureID> = []

    /// - Parameter rule: The rule for sessions without their own rule, and for photos without a session.
    init(rule: RetentionRule, ledger: QueueLedger) {
        self.rule = rule
        self.ledger = ledger
        clearing = PhotoClearing(
            store: ledger.store, clock: ledger.clock,
            files: BlockingPool(label: "framefast.retention", width: 1), logger: ledger.logger)
        ledger.stop.wake(bell)
    }

    /// Handles the delivery of a photo to one of its destinations.
    nonisolated func delivered(capture id: CaptureID) {
        let isNews = news.withLock { news in
            guard !news.isIdle else { return false }
            if news.delivered.count < Self.deliveriesMax {
                news.delivered.insert(id)
            } else {
                news.mustLookAtAll = true
            }
            return true
        }
        if isNews { bell.ring() }
    }

    /// Replaces the configured rule.
    func use(_ rule: RetentionRule) {
        guard rule != self.rule else { return }
        self.rule = rule
        ruleChanged()
    }

    /// Handles a change of any rule.
    nonisolated func ruleChanged() {
        news.withLock { news in
            news.mustLookAtAll = true
            news.isIdle = false
        }
        bell.ring()
    }

    /// Runs until the service stops.
    func run() async {
        var nextLook = ledger.clock.now()
        var mustMend = true
        while !isOver {
            do {
                if mustMend {
                    let outcome = try await clearing.mend()
                    take(outcome)
                    // Unreachable photos are checked again later, because nothing reports that a disk was
                    // mounted.
                    mustMend = outcome.unknown > 0
                }
                let now = ledger.clock.now()
                let heard = news.withLock { news in
                    defer { news = News(mustLookAtAll: false, isIdle: news.isIdle) }
                    return news
                }
                // A clock that was set back must not delay the next check by years.
                if heard.mustLookAtAll || now >= nextLook
                    || nextLook.timeIntervalSince(now) > Self.lookSeconds
                {
                    nextLook = now.addingTimeInterval(Self.lookSeconds)
                    try await lookAtAll(now)
                } else {
                    try await look(at: heard.delivered, now)
                }
            } catch {
                // The next check finds these photos again.
                ledger.logger.error("cannot clear photos", metadata: ["reason": "\(error)"])
                mustMend = true
                news.withLock { $0.mustLookAtAll = true }
                await bell.wait(seconds: Self.lookSeconds, ledger.clock)
                continue
            }
            guard news.withLock({ $0.delivered.isEmpty && !$0.mustLookAtAll }) else { continue }
            await bell.wait(seconds: nextLook.timeIntervalSince(ledger.clock.now()), ledger.clock)
        }
    }

    private var isOver: Bool { ledger.stop.isRaised || Task.isCancelled }

    private func look(at ids: Set<CaptureID>, _ now: Date) async throws {
        let photos = try await ledger.store.clearablePhotos(ids: ids).filter { photo, keep in
            guard let before = (keep ?? rule).clearsSavedBefore(now), let saved = photo.savedAt else {
                return false
            }
            return saved < before
        }.map(\.photo)
        for start in stride(from: 0, to: photos.count, by: PhotoClearing.batch) where !isOver {
            try await clear(Array(photos[start..<min(start + PhotoClearing.batch, photos.count)]))
        }
    }

    private func lookAtAll(_ now: Date) async throws {
        let rules = try await ledger.store.retentionRules(usual: rule)
        news.withLock { $0.isIdle = rules.isEmpty && !$0.mustLookAtAll }
        for (session, rule) in rules {
            guard let before = rule.clearsSavedBefore(now) else { continue }
            try await eachBatch(savedBefore: before, session: session) { try await clear($0) }
        }
    }

    private func clear(_ photos: [CaptureRecord]) async throws {
        take(try await clearing.clear(photos.filter { !untouchable.contains($0.id) }))
    }

    private func take(_ outcome: PhotoClearing.Outcome) {
        untouchable.formUnion(outcome.untouchable)
        if !outcome.gone.isEmpty { ledger.tell(.photosCleared(outcome.gone)) }
    }

    private func eachBatch(
        savedBefore: Date, session: SessionID??, _ body: ([CaptureRecord]) async throws -> Void
    ) async throws {
        var after: CaptureID = 0
        while !isOver {
            let photos = try await ledger.store.clearablePhotos(
                savedBefore: savedBefore, session: session, after: after, limit: PhotoClearing.batch)
            guard let last = photos.last else { return }
            after = last.id
            try await body(photos)
        }
    }

    // MARK: People

    /// Removes the local files of delivered photos, for a person.
    ///
    /// - Parameter isTrial: Whether to count only. Then no file is read.
    func clearDelivered(session: SessionID??, savedBefore: Date, isTrial: Bool) async throws -> ClearedPhotos
    {
        var all = ClearedPhotos()
        try await eachBatch(savedBefore: savedBefore, session: session) { photos in
            if isTrial {
                all.add(photos)
            } else {
                let outcome = try await clearing.clear(photos)
                take(outcome)
                all.add(outcome.gone)
                all.kept += outcome.kept
            }
        }
        return all
    }
}
