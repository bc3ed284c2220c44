import Synchronization

/// Notices that wait for their one reader, bounded in number and in bytes: when it is full the oldest go.
///
/// An announcement that is dropped costs a look at the object list, never a photo; of pulses, progress and facts the
/// newest count.
final class NoticeQueue<Notice: Sendable>: Sendable {
    private struct State {
        /// Taken ones at the beginning are `nil` until there are many of them.
        var waiting: [(notice: Notice, bytes: Int)?] = []
        var first = 0
        var bytes = 0
        var isFinished = false

        /// Many at the beginning are thrown away together.
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
    /// Places at the beginning that may be empty.
    private static var gapMax: Int { 256 }
    private let state = Mutex(State())
    private let noticesMax: Int
    private let bytesMax: Int
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - noticesMax: most notices that wait.
    ///   - bytesMax: most bytes of them.
    init(noticesMax: Int, bytesMax: Int) {
        self.noticesMax = noticesMax
        self.bytesMax = bytesMax
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a notice that came as so many bytes.
    func yield(_ notice: Notice, bytes: Int) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.waiting.append((notice, bytes))
            state.bytes += bytes
            while state.waiting.count - state.first > 1,
                state.bytes > bytesMax || state.waiting.count - state.first > noticesMax
            {
                _ = state.takeFirst()
            }
        }
        ring.yield()
    }

    /// No more come; what waits is still given out.
    func finish() {
        state.withLock { $0.isFinished = true }
        ring.finish()
    }

    /// The next notice and its bytes; `nil` when there are no more, or the reader was cancelled.
    func next() async -> (notice: Notice, bytes: Int)? { await next(max: 1)?.first }

    /// What waits, in order, and never nothing: the first notices with their bytes; `nil` as for ``next()``.
    ///
    /// - Parameter max: most notices, 1 or more.
    func next(max: Int) async -> [(notice: Notice, bytes: Int)]? {
        while true {
            let (taken, isFinished) = state.withLock { state in
                var taken: [(notice: Notice, bytes: Int)] = []
                while taken.count < max, let first = state.takeFirst() { taken.append(first) }
                return (taken, state.isFinished)
            }
            if !taken.isEmpty { return taken }
            if isFinished || Task.isCancelled { return nil }
            for await _ in bell { break }
        }
    }

    /// Bytes that wait.
    var bytes: Int { state.withLock(\.bytes) }
}
