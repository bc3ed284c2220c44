import FrameFastModel
import Synchronization

@testable import UploadEngine

/// A place that does what the test says.
final class ScriptedDestination: UploadDestination {
    enum Call: Hashable, Sendable {
        case started(String)
        case uploaded(String)
        case cancelled(String)
        case refused(String)
        case probed(reached: Bool)
        /// A small file of the worker's own was offered.
        case offered
        case renewed
        case closed
    }

    enum Habit: Sendable {
        case works
        case away
        case fails(UploadFailure)
        /// Stays in mid-upload until it is cancelled.
        case hangs
        /// Has all bytes, and says nothing more until it is cancelled.
        case hangsAtEnd
        /// Works without sending bytes until it has another habit.
        case reads
        /// Does not even listen to that.
        case deaf
    }

    let calls = Recording<Call>()
    /// Names of the uploads that reported activity, each time.
    let activity = Recording<String>()
    /// Resume points of the uploads whose leftovers were removed; empty for none.
    let discarded = Recording<String>()
    /// Names of the uploads whose leftovers were asked to be removed, whatever the answer was.
    let removals = Recording<String>()
    private let habit: Mutex<Habit>
    private let failures = Mutex<[String: UploadFailure]>([:])
    private let held = Mutex<[String: Bell]>([:])
    private let probeFailure = Mutex<UploadFailure?>(nil)
    private let removalFailure = Mutex<UploadFailure?>(nil)
    let takesProbes: Bool
    static let outage = UploadFailure(.outage(retryAfterSeconds: nil), "The server does not answer.")

    init(_ habit: Habit = .works, takesProbes: Bool = true) {
        self.habit = Mutex(habit)
        self.takesProbes = takesProbes
    }

    /// What a probe meets.
    func probes(_ failure: UploadFailure?) { probeFailure.withLock { $0 = failure } }

    /// Sets the answer to the removal of leftovers.
    func setRemovalFailure(_ failure: UploadFailure?) { removalFailure.withLock { $0 = failure } }

    func now(_ habit: Habit) { self.habit.withLock { $0 = habit } }

    /// One photo fails this way, until it is told otherwise.
    func fail(_ name: String, _ failure: UploadFailure?) { failures.withLock { $0[name] = failure } }

    /// Delays the current answer to one photo until the returned event rings.
    func delayAnswer(to name: String) -> Bell {
        let wakeEvent = Bell()
        held.withLock { $0[name] = wakeEvent }
        return wakeEvent
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        if item.facts[.probe] != nil {
            calls.add(.offered)
            if case .fails(let failure) = habit.withLock({ $0 }) { throw failure }
            return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "a probe")
        }
        let answer = habit.withLock { $0 }
        // Whoever waits for the start may end the upload at once, and expects what it left.
        if case .hangs = answer { await item.saveResumePoint("half of \(item.remoteName)") }
        calls.add(.started(item.remoteName))
        do throws(UploadFailure) {
            if let failure = failures.withLock({ $0[item.remoteName] }) { throw failure }
            await held.withLock({ $0.removeValue(forKey: item.remoteName) })?.wait()
            switch answer {
            case .works: break
            case .away: throw Self.outage
            case .fails(let failure): throw failure
            case .hangs, .hangsAtEnd:
                if case .hangs = answer { progress(item.bytes / 2) } else { progress(item.bytes) }
                await Bell().wait()
                throw UploadFailure(.cancelled, "It was stopped.")
            case .reads:
                while case .reads = habit.withLock({ $0 }) {
                    if Task.isCancelled { throw UploadFailure(.cancelled, "It was stopped.") }
                    UploadActivity.current.report()
                    activity.add(item.remoteName)
                    try? await Task.sleep(for: .milliseconds(1))
                }
            case .deaf: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        } catch {
            if error.kind == .cancelled {
                calls.add(.cancelled(item.remoteName))
            } else {
                calls.add(.refused(item.remoteName))
            }
            throw error
        }
        progress(item.bytes)
        calls.add(.uploaded(item.remoteName))
        return UploadReceipt(remoteName: item.remoteName, proof: .size, evidence: "size \(item.bytes)")
    }

    func probe() async throws(UploadFailure) {
        if case .deaf = habit.withLock({ $0 }) {
            calls.add(.probed(reached: false))
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        if case .away = habit.withLock({ $0 }) {
            calls.add(.probed(reached: false))
            throw Self.outage
        }
        if let failure = probeFailure.withLock({ $0 }) {
            calls.add(.probed(reached: false))
            throw failure
        }
        calls.add(.probed(reached: true))
    }

    func test() async throws(UploadFailure) { try await probe() }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {}

    func discard(_ item: UploadItem) async throws(UploadFailure) {
        let failure = removalFailure.withLock { $0 }
        removals.add(item.remoteName)
        if case .deaf = habit.withLock({ $0 }) {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        if case .away = habit.withLock({ $0 }) { throw Self.outage }
        if let failure { throw failure }
        discarded.add(item.resumePoint ?? "")
    }

    func renew() async { calls.add(.renewed) }

    func close() async { calls.add(.closed) }

    var uploaded: [String] {
        calls.all.compactMap { if case .uploaded(let name) = $0 { name } else { nil } }
    }
}

extension [ScriptedDestination.Call] {
    var uploads: Int { count { if case .uploaded = $0 { true } else { false } } }
    var starts: Int { count { if case .started = $0 { true } else { false } } }
    var probes: Int { count { if case .probed = $0 { true } else { false } } }
    var offers: Int { count { $0 == .offered } }
    var refusals: Int { count { if case .refused = $0 { true } else { false } } }
}
