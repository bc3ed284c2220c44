import FrameFastModel
import FrameFastSystem
import Synchronization

@testable import UploadEngine

/// A destination whose behavior a test controls.
final class ScriptedDestination: UploadDestination {
    enum Call: Hashable, Sendable {
        case started(String)
        case uploaded(String)
        case cancelled(String)
        case refused(String)
        case probed(reached: Bool)
        /// The runner uploaded a probe, with or without success.
        case offered
        case renewed
        case closed
    }

    enum Behavior: Sendable {
        case works
        case away
        case fails(UploadFailure)
        /// Hangs during the upload until it is cancelled.
        case hangs
        /// Accepts all bytes, then hangs until it is cancelled.
        case hangsAtEnd
        /// Reports activity and sends no bytes, until the test sets another behavior.
        case reads
        case ignoresCancellation
    }

    let calls = Recording<Call>()
    /// The names of uploads that reported activity. Each report adds a name.
    let activity = Recording<String>()
    /// The resume points of uploads whose leftovers were deleted, with an empty text for an upload without a
    /// resume point.
    let discarded = Recording<String>()
    /// The names of uploads whose leftovers the runner tried to delete, with or without success.
    let removals = Recording<String>()
    private let currentBehavior: Mutex<Behavior>
    private let failures = Mutex<[String: UploadFailure]>([:])
    private let held = Mutex<[String: AsyncEvent]>([:])
    private let probeFailure = Mutex<UploadFailure?>(nil)
    private let removalFailure = Mutex<UploadFailure?>(nil)
    let acceptsProbes: Bool
    /// The name under which ``delayProbe()`` stores its event. Each probe has a different file name.
    private static let probe = "a probe"
    static let outage = UploadFailure(.outage(retryAfterSeconds: nil), "The server does not answer.")

    init(_ behavior: Behavior = .works, acceptsProbes: Bool = true) {
        currentBehavior = Mutex(behavior)
        self.acceptsProbes = acceptsProbes
    }

    /// Sets the failure of ``probe()``. If `nil`, it succeeds. The behaviors `away` and `ignoresCancellation`
    /// have precedence.
    func setProbeFailure(_ failure: UploadFailure?) { probeFailure.withLock { $0 = failure } }

    /// Sets the failure of deletions of leftovers. If `nil`, deletions succeed. The behaviors `away` and
    /// `ignoresCancellation` have precedence.
    func setRemovalFailure(_ failure: UploadFailure?) { removalFailure.withLock { $0 = failure } }

    func setBehavior(_ behavior: Behavior) { currentBehavior.withLock { $0 = behavior } }

    /// Sets the failure of one photo's uploads. If `nil`, the behavior decides.
    func fail(_ name: String, _ failure: UploadFailure?) { failures.withLock { $0[name] = failure } }

    /// Delays the result of the next uploaded probe until the returned event is signaled.
    func delayProbe() -> AsyncEvent { delayResponse(to: Self.probe) }

    /// Delays the result of one photo's next upload until the returned event is signaled.
    func delayResponse(to name: String) -> AsyncEvent {
        let wakeEvent = AsyncEvent()
        held.withLock { $0[name] = wakeEvent }
        return wakeEvent
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        if item.facts[.probe] != nil {
            calls.add(.offered)
            await held.withLock({ $0.removeValue(forKey: Self.probe) })?.wait()
            if case .fails(let failure) = currentBehavior.withLock({ $0 }) { throw failure }
            return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "a probe")
        }
        let behavior = currentBehavior.withLock { $0 }
        // Saves the resume point first, because a test that waits for the start may cancel the upload
        // immediately.
        if case .hangs = behavior { await item.saveResumePoint("half of \(item.remoteName)") }
        calls.add(.started(item.remoteName))
        do throws(UploadFailure) {
            if let failure = failures.withLock({ $0[item.remoteName] }) { throw failure }
            await held.withLock({ $0.removeValue(forKey: item.remoteName) })?.wait()
            switch behavior {
            case .works: break
            case .away: throw Self.outage
            case .fails(let failure): throw failure
            case .hangs, .hangsAtEnd:
                if case .hangs = behavior { progress(item.bytes / 2) } else { progress(item.bytes) }
                await AsyncEvent().wait()
                throw UploadFailure(.cancelled, "It was stopped.")
            case .reads:
                while case .reads = currentBehavior.withLock({ $0 }) {
                    if Task.isCancelled { throw UploadFailure(.cancelled, "It was stopped.") }
                    UploadActivity.current.report()
                    activity.add(item.remoteName)
                    try? await Task.sleep(for: .milliseconds(1))
                }
            case .ignoresCancellation:
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
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
        if case .ignoresCancellation = currentBehavior.withLock({ $0 }) {
            calls.add(.probed(reached: false))
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        if case .away = currentBehavior.withLock({ $0 }) {
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

    func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        let failure = removalFailure.withLock { $0 }
        removals.add(item.remoteName)
        if case .ignoresCancellation = currentBehavior.withLock({ $0 }) {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        if case .away = currentBehavior.withLock({ $0 }) { throw Self.outage }
        if let failure { throw failure }
        discarded.add(item.resumePoint ?? "")
    }

    func renewCredentials() async { calls.add(.renewed) }

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
