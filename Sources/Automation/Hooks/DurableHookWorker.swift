import Foundation
import FrameFastModel
import Logging
import Synchronization

/// One hook whose events are kept elsewhere until it was run for them: at least once each, in order.
final class DurableHookWorker: HookRunner {
    /// Events that are read at once.
    private static let pageSize = 50
    /// Events that wait before the hook counts as behind: as many as the others keep at all.
    private static let behindCount = HookService.eventsMax

    let hook: Hook
    private let run: HookRun
    private let storage: HookStorage
    private let logger: Logger
    private let onOverflow: @Sendable (_ hook: String, Condition?) -> Void
    private let isOver = Mutex(false)
    private let working = Mutex<Task<Void, Never>?>(nil)
    private let isBehind = Mutex(false)
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let fresh: AsyncStream<HookEvent>
    private let enter: AsyncStream<HookEvent>.Continuation
    private let (ended, end) = AsyncStream<Void>.makeStream()

    init(
        hook: Hook, storage: HookStorage, waits: Backoff, logger: Logger,
        onOverflow: @escaping @Sendable (_ hook: String, Condition?) -> Void
    ) {
        self.hook = hook
        self.storage = storage
        self.logger = logger
        self.onOverflow = onOverflow
        run = HookRun(hook: hook, waits: waits, logger: logger)
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (fresh, enter) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(HookService.eventsMax))
    }

    func offer(_ event: HookEvent) {
        guard hook.wants(event) else { return }
        // It stands there already: the fact and the event were one change.
        if storage.entered.contains(event.moment) {
            _ = ring.yield()
            return
        }
        enter.yield(event)
    }

    func retire() {
        isOver.withLock { $0 = true }
        enter.finish()
        ring.finish()
        // What runs is ended, and run again by who comes next: two of one name would run it side by side.
        working.withLock { $0 }?.cancel()
        if isBehind.withLock({ $0 }) { onOverflow(hook.name, nil) }
    }

    func hasEnded() async { for await _ in ended {} }

    func run(
        after before: (any HookRunner)?, _ lookUp: @escaping @Sendable (HookEvent) async -> HookEvent?
    ) async {
        defer { end.finish() }
        await before?.hasEnded()
        ring.yield()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.enterFresh() }
            let working = Task { await self.work(lookUp) }
            self.working.withLock { $0 = working }
            if isOver.withLock({ $0 }) { working.cancel() }
            group.addTask {
                await withTaskCancellationHandler {
                    await working.value
                } onCancel: {
                    working.cancel()
                }
            }
            await group.waitForAll()
        }
    }

    private func enterFresh() async {
        for await event in fresh {
            do { try await storage.enter(hook.name, event) } catch {
                logger.error(
                    "cannot keep what a hook is run for",
                    metadata: ["hook": "\(hook.name)", "reason": "\(error)"])
            }
            ring.yield()
        }
    }

    private func work(_ lookUp: @escaping @Sendable (HookEvent) async -> HookEvent?) async {
        await withTaskGroup(of: Void.self) { group in
            var (last, running) = (Int64(0), 0)
            for await _ in bell {
                while !Task.isCancelled, !isOver.withLock({ $0 }) {
                    let page = await events(after: last)
                    guard !page.isEmpty else { break }
                    for kept in page {
                        guard !isOver.withLock({ $0 }) else { return group.cancelAll() }
                        last = kept.id
                        guard let event = kept.event, let event = await lookUp(event), hook.wants(event)
                        else {
                            await forget(kept.id)
                            continue
                        }
                        if running >= hook.parallel {
                            await group.next()
                            running -= 1
                        }
                        guard !Task.isCancelled, !isOver.withLock({ $0 }) else {
                            return group.cancelAll()
                        }
                        group.addTask {
                            let isDone = await self.run.run(event, id: kept.id) {
                                self.isOver.withLock { $0 }
                            }
                            if isDone { await self.forget(kept.id) }
                        }
                        running += 1
                    }
                    await tellWhetherBehind()
                }
            }
            if Task.isCancelled || isOver.withLock({ $0 }) { group.cancelAll() }
        }
    }

    private func events(after id: Int64) async -> [KeptHookEvent] {
        do { return try await storage.events(hook.name, id, Self.pageSize) } catch {
            logger.error(
                "cannot look up what a hook is run for",
                metadata: ["hook": "\(hook.name)", "reason": "\(error)"])
            try? await Task.sleep(for: run.waits.wait(after: 1))
            ring.yield()
            return []
        }
    }

    private func forget(_ id: Int64) async {
        do { try await storage.forget(id) } catch {
            // It is run once more after the next start.
            logger.error(
                "cannot note that a hook was run",
                metadata: ["hook": "\(hook.name)", "event": "\(id)", "reason": "\(error)"])
        }
    }

    private func tellWhetherBehind() async {
        guard let count = try? await storage.count(hook.name) else { return }
        let now = count > Self.behindCount
        let before = isBehind.withLock { isBehind in
            defer { isBehind = now }
            return isBehind
        }
        if now {
            onOverflow(
                hook.name,
                Condition(
                    .hookBehind, since: Date(), subject: .hook(hook.name),
                    sentence:
                        "The hook \(hook.name) is slower than what it is run for: \(count) events wait for it.",
                    nextStep: "Make its program faster, or let it only note its work and return."))
        } else if before {
            onOverflow(hook.name, nil)
        }
    }
}
