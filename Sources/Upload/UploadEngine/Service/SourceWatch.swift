import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization

/// A record of the unreadable folders on this computer. Each folder is reported once for all destinations.
final class SourceWatch: Sendable {
    private let report: @Sendable (UploadEvent) -> Void
    private let clock: HostClock
    private let away = Mutex<Set<String>>([])

    init(clock: HostClock, report: @escaping @Sendable (UploadEvent) -> Void) {
        self.clock = clock
        self.report = report
    }

    /// Reports that a photo can't be read.
    ///
    /// - Parameter folder: The unavailable folder, or `nil` if only the file is unreadable.
    func reportUnreadable(_ folder: String?, _ path: String, _ failure: UploadFailure) {
        let subject = folder ?? DurableFile.parent(of: path)
        guard away.withLock({ $0.insert(subject).inserted }) else { return }
        report(
            .raised(
                Condition(
                    .photosUnreadable, since: clock.now(), subject: .folder(subject),
                    sentence: "Uploads are waiting. " + failure.sentence,
                    nextStep: failure.failedAttempt.nextStep ?? "Check the disk with the photos.")))
    }

    /// Clears the condition of each folder that contains this readable file.
    func recordRead(of path: String) { clear { path.hasPrefix($0 + "/") } }

    /// Clears all conditions if no job waits for a file any more.
    func clearIfNothingWaits(_ store: LedgerStore) async {
        guard !away.withLock(\.isEmpty), (try? await store.hasUploadsWithoutSource()) == false else { return }
        clear { _ in true }
    }

    private func clear(_ isOver: (String) -> Bool) {
        let over = away.withLock { away in
            let over = away.filter(isOver)
            away.subtract(over)
            return over
        }
        for subject in over { report(.cleared(.photosUnreadable, subject: .folder(subject))) }
    }
}
