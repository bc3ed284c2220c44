import Synchronization

/// A queue of changes for one reader.
///
/// The queue needs no limit. If a device leaves before its arrival was read, both changes are dropped. The
/// queue therefore contains only arrivals of devices that are still connected, and departures of devices
/// whose arrival was read.
final class ChangeQueue: Sendable {
    private struct State {
        var changes: [USBChange] = []
        var reader: CheckedContinuation<USBChange?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Enqueues a change.
    func enqueue(_ change: USBChange) {
        let reader: CheckedContinuation<USBChange?, Never>? = state.withLock { state in
            if state.isFinished { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if case .left(let device) = change,
                let index = state.changes.firstIndex(of: .arrived(device))
            {
                state.changes.remove(at: index)
            } else {
                state.changes.append(change)
            }
            return nil
        }
        reader?.resume(returning: change)
    }

    /// Waits for the next change. Returns `nil` after the end of the queue.
    func next() async -> USBChange? {
        await withCheckedContinuation { continuation in
            let result: (isNow: Bool, change: USBChange?) = state.withLock { state in
                if !state.changes.isEmpty { return (true, state.changes.removeFirst()) }
                // Returns `nil` to a second reader, which would otherwise wait forever.
                if state.isFinished || state.reader != nil { return (true, nil) }
                state.reader = continuation
                return (false, nil)
            }
            if result.isNow { continuation.resume(returning: result.change) }
        }
    }

    /// Ends the queue. Queued changes can still be read.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}
