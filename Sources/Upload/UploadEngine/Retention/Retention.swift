import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization

/// Clears photos by itself, as the rule of their session says: after their time, and only when they are delivered
/// everywhere.
///
/// A delivery leads to a look at that photo alone; all photos whose time may be over are looked at when the service
/// starts, when a rule changes, and every hour.
actor Retention {
    /// Time between two looks at everything, in seconds.
    static let lookSeconds = 3600.0
    /// Deliveries that are remembered one by one; beyond, everything is looked at.
    private static let deliveriesMax = 10_000

    private struct News {
        var delivered: Set<CaptureID> = []
        var mustLookAtAll = true
        /// Every rule is "for ever".
        var isIdle = false
    }

    private var rule: RetentionRule
    private let ledger: QueueLedger
    private let clearing: PhotoClearing
    private nonisolated let bell = Bell()
    private nonisolated let news = Mutex(News())
    /// Photos whose files are not what was saved: not read again until the next start.
    private var untouchable: Set<CaptureID> = []

    /// - Parameter rule: For sessions without one of their own, and for photos without a session.
    init(rule: RetentionRule, ledger: QueueLedger) {
        self.rule = rule
        self.ledger = ledger
        clearing = PhotoClearing(
            store: ledger.store, clock: ledger.clock,
            files: BlockingPool(label: "framefast.retention", width: 1), logger: ledger.logger)
        ledger.stop.wake(bell)
    }

    /// A photo has reached one of its destinations.
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

    /// The configuration says something else.
    func use(_ rule: RetentionRule) {
        guard rule != self.rule else { return }
        self.rule = rule
        ruleChanged()
    }

    /// A rule changed.
    nonisolated func ruleChanged() {
        news.withLock { news in
            news.mustLookAtAll = true
            news.isIdle = false
        }
        bell.ring()
    }

    /// Works until the service stops.
    func run() async {
        var nextLook = ledger.clock.now()
        var mustMend = true
        while !isOver {
            do {
                if mustMend {
                    let outcome = try await clearing.mend()
                    take(outcome)
                    // What cannot be looked at now is looked at again: a disk is mounted without a word to us.
                    mustMend = outcome.unknown > 0
                }
                let now = ledger.clock.now()
                let heard = news.withLock { news in
                    defer { news = News(mustLookAtAll: false, isIdle: news.isIdle) }
                    return news
                }
                // A clock that was set back must not put the next look off for years.
                if heard.mustLookAtAll || now >= nextLook
                    || nextLook.timeIntervalSince(now) > Self.lookSeconds
                {
                    nextLook = now.addingTimeInterval(Self.lookSeconds)
                    try await lookAtAll(now)
                } else {
                    try await look(at: heard.delivered, now)
                }
            } catch {
                // Nothing is lost: it is found again with the next look.
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

    /// What a person clears, or would.
    ///
    /// - Parameter isTrial: Only counts; files are not read then.
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
