import Dispatch
import Synchronization
import UploadEngine

/// Tells a thread that its upload is not wanted any more.
final class StopFlag: Sendable {
    private let isRaised = Atomic(false)
    private let bell = DispatchSemaphore(value: 0)

    func raise() {
        isRaised.store(true, ordering: .relaxed)
        bell.signal()
    }

    func check() throws(UploadFailure) {
        if isRaised.load(ordering: .relaxed) { throw UploadFailure.stopped }
    }

    /// Waits, but not when the upload is not wanted any more.
    func pause(_ duration: Duration) throws(UploadFailure) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        if bell.wait(timeout: .now() + seconds) == .success { bell.signal() }
        try check()
    }
}
