import Synchronization

/// A queue of notices for one reader. The number and the total size of the notices are limited. A full queue
/// drops the oldest notices.
///
/// If the queue drops an announcement, it records the loss. The reader then requests a new connection, which
/// lists the object. A comparison of handles would not find the object, because the worker treats the object
/// as reported. For progress and facts, only the newest value matters.
final class NoticeQueue<Notice: Sendable>: Sendable {
    private struct State {
        /// The queued notices. Entries before `first` were already removed and are `nil`.
        var waiting: [(notice: Notice, bytes: Int)?] = []
        var first = 0
        var bytes = 0
        var isFinished = false
        /// Whether an announcement was dropped since the last call of ``takeDrop()``.
        var hasDroppedAnnouncement = false

        /// Removes and returns the first notice. Deletes the empty entries in batches.
        mutating func takeFirst() -> (notice: Notice, bytes: Int)? {
            guard first < waiting.count else { return nil }
            let taken = waiting[first]
            waiting[first] = nil
            first += 1
            bytes -= taken?.bytes ?? 0
            if first == waiting.count || first >= NoticeQueue.gapMax {
                waiting.removeFirst(first)
                first = 0
            }
            return taken
        }
    }
    /// The maximum number of empty entries.
    private static var gapMax: Int { 256 }
    private let state = Mutex(State())
    private let noticesMax: Int
    private let bytesMax: Int
    private let isAnnouncement: @Sendable (Notice) -> Bool
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - noticesMax: The maximum number of queued notices.
    ///   - bytesMax: The maximum size of queued notices, in bytes.
    ///   - isAnnouncement: Returns whether a notice announces a change of the camera's object list.
    init(noticesMax: Int, bytesMax: Int, isAnnouncement: @escaping @Sendable (Notice) -> Bool) {
        self.noticesMax = noticesMax
        self.bytesMax = bytesMax
        self.isAnnouncement = isAnnouncement
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Enqueues a notice with its size in bytes.
    func yield(_ notice: Notice, bytes: Int) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.waiting.append((notice, bytes))
            state.bytes += bytes
            while state.waiting.count - state.first > 1,
                state.bytes > bytesMax || state.waiting.count - state.first > noticesMax
            {
                guard let dropped = state.takeFirst(), isAnnouncement(dropped.notice) else { continue }
                state.hasDroppedAnnouncement = true
            }
        }
        wakeUp.yield()
    }

    /// Ends the queue. Queued notices are still delivered.
    func finish() {
        state.withLock { $0.isFinished = true }
        wakeUp.finish()
    }

    /// Returns the next notice and its size in bytes. Returns `nil` if the queue has ended or the task is
    /// cancelled.
    func next() async -> (notice: Notice, bytes: Int)? { await next(max: 1)?.first }

    /// Returns the queued notices in order, with their sizes in bytes. Waits if the queue is empty. Returns
    /// `nil` if the queue has ended or the task is cancelled.
    ///
    /// - Parameter max: The maximum number of notices, 1 or more.
    func next(max: Int) async -> [(notice: Notice, bytes: Int)]? {
        while true {
            let (taken, isFinished) = state.withLock { state in
                var taken: [(notice: Notice, bytes: Int)] = []
                while taken.count < max, let first = state.takeFirst() { taken.append(first) }
                return (taken, state.isFinished)
            }
            if !taken.isEmpty { return taken }
            if isFinished || Task.isCancelled { return nil }
            for await _ in wakeUps { break }
        }
    }

    /// Returns whether an announcement was dropped since the last call.
    func takeDrop() -> Bool {
        state.withLock { state in
            defer { state.hasDroppedAnnouncement = false }
            return state.hasDroppedAnnouncement
        }
    }

    /// The size of the queued notices, in bytes.
    var bytes: Int { state.withLock(\.bytes) }
}
