import Foundation
import FrameFastModel

/// When photos whose files were gone are looked for, and from which job on: a page at a time. A value; who looks has the
/// ledger and the disk.
struct MissingFileLook: Hashable, Sendable {
    /// Time between two looks, in seconds: a person who brings a file back watches for it.
    static let pauseSeconds = 60.0
    /// Files that are looked for at a time.
    static let pageMax = 500

    /// When to look next; `nil` while one is being looked for, and while none is known to be gone.
    private(set) var due: Date?
    private var after: JobID = 0

    /// The first look is at once: files may be gone since before the service began.
    init(at now: Date) { due = now }

    /// A job failed because its file is gone; also in the middle of a look, which may not have seen it.
    mutating func fileIsGone(at now: Date) { comeBack(at: now) }

    /// Begins a look when it is time. It ends with ``looked(_:at:)`` or ``couldNotLook(at:)``.
    ///
    /// - Returns: the job after which to look; `nil` when it is not time.
    mutating func begin(at now: Date) -> JobID? {
        guard let due, due <= now else { return nil }
        self.due = nil
        return after
    }

    /// A page was looked at.
    ///
    /// - Parameter page: Its jobs, whether their files are back or not; in order.
    mutating func looked(_ page: [JobID], at now: Date) {
        // None at all, from the beginning, is worth no further look.
        if !page.isEmpty || after > 0 { comeBack(at: now) }
        after = page.count == Self.pageMax ? page.last ?? 0 : 0
    }

    /// The ledger did not say which files are gone.
    mutating func couldNotLook(at now: Date) { comeBack(at: now) }

    /// Somebody set the clock: the pause stays as long as it was.
    ///
    /// - Parameter seconds: How far it was set forward.
    mutating func clockWasSet(by seconds: Double) { due?.addTimeInterval(seconds) }

    private mutating func comeBack(at now: Date) {
        due = min(due ?? .distantFuture, now.addingTimeInterval(Self.pauseSeconds))
    }
}
