import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization

/// Tells which folders with photos cannot be read on this computer, each once, for all destinations.
final class SourceWatch: Sendable {
    private let tell: @Sendable (UploadEvent) -> Void
    private let clock: UploadClock
    private let away = Mutex<Set<String>>([])

    init(clock: UploadClock, tell: @escaping @Sendable (UploadEvent) -> Void) {
        self.clock = clock
        self.tell = tell
    }

    /// Something keeps a photo from being read.
    ///
    /// - Parameter folder: What is away; `nil` when it is the file alone.
    func isAway(_ folder: String?, _ path: String, _ failure: UploadFailure) {
        let subject = folder ?? DurableFile.parent(of: path)
        guard away.withLock({ $0.insert(subject).inserted }) else { return }
        tell(
            .raised(
                Condition(
                    .photosUnreadable, since: clock.now(), subject: .folder(subject),
                    sentence: "Uploads wait. " + failure.sentence,
                    nextStep: failure.failedAttempt.nextStep ?? "Check the disk that holds it.")))
    }

    /// A photo was read.
    func read(_ path: String) { clear { path.hasPrefix($0 + "/") } }

    /// Nothing waits any more, when that is so.
    func look(_ store: LedgerStore) async {
        guard !away.withLock(\.isEmpty), (try? await store.hasUploadsWithoutSource()) == false else { return }
        clear { _ in true }
    }

    private func clear(_ isOver: (String) -> Bool) {
        let over = away.withLock { away in
            let over = away.filter(isOver)
            away.subtract(over)
            return over
        }
        for subject in over { tell(.cleared(.photosUnreadable, subject: .folder(subject))) }
    }
}
