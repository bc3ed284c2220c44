import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store
import Synchronization

/// Access to the ledger for the upload queue, with retries of failed writes.
struct QueueLedger: Sendable {
    /// The time between two tries after a failed write, in seconds.
    private static let pauseSeconds = 2.0

    let store: LedgerStore
    let reserveFile: ReserveFile
    let clock: HostClock
    let stop: StopSignal
    let directory: String
    let report: @Sendable (UploadEvent) -> Void
    let logger: Logger
    private let isFailing = Flag()

    /// Reports captures whose uploads changed in one commit.
    func report(changed captures: [CaptureID]) {
        if !captures.isEmpty { report(.changed(captures: captures)) }
    }

    /// Makes a change, and retries until the change succeeds.
    ///
    /// - Returns: `nil` if the service stops first. After the next start, the service detects that the change
    ///   is missing.
    func withRetries<Value: Sendable>(_ change: @Sendable (LedgerStore) async throws -> Value) async -> Value?
    {
        while true {
            do {
                let value = try await change(store)
                recordSuccess()
                return value
            } catch is CancellationError {
                return nil
            } catch {
                if LedgerStore.isDiskFull(error), reserveFile.delete() {
                    logger.warning("deleted the reserve file, because the ledger's disk is full")
                    continue
                }
                recordFailure(error)
                guard !stop.isRaised else { return nil }
                do { try await clock.sleep(Self.pauseSeconds) } catch { return nil }
            }
        }
    }

    /// Makes a change for a waiting person. If the disk is full, deletes the reserve file and retries once.
    func changeOnce<Value: Sendable>(_ change: @Sendable (LedgerStore) async throws -> Value) async throws
        -> Value
    {
        do { return try await change(store) } catch {
            guard LedgerStore.isDiskFull(error), reserveFile.delete() else { throw error }
            return try await change(store)
        }
    }

    private func recordFailure(_ error: any Error) {
        guard isFailing.set(true) else { return }
        logger.error("cannot write the upload queue", metadata: ["reason": "\(error)"])
        let isFull = LedgerStore.isDiskFull(error)
        report(
            .raised(
                Condition(
                    .uploadQueueStuck, since: clock.now(), subject: .folder(directory),
                    sentence: isFull
                        ? "The disk with \(directory) is full: the upload queue cannot be written."
                        : "The upload queue in \(directory) cannot be written: \(error).",
                    nextStep:
                        "Free some space on the disk that holds \(directory), or repair the disk. FrameFast then continues automatically."
                )))
    }

    private func recordSuccess() {
        guard isFailing.set(false) else { return }
        report(.cleared(.uploadQueueStuck, subject: .folder(directory)))
    }
}

/// A Boolean that several tasks share.
final class Flag: Sendable {
    private let value = Mutex(false)

    /// Sets the value.
    ///
    /// - Returns: Whether the value changed.
    func set(_ new: Bool) -> Bool {
        value.withLock { value in
            defer { value = new }
            return value != new
        }
    }
}
