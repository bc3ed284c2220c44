import Synchronization

/// Changes on their way to the one who asked for them.
///
/// It needs no limit of its own: a device that left before anybody heard of it takes its arrival with it, so that
/// there are never more changes in here than devices on the bus plus devices that the reader believes to be there.
final class ChangeQueue: Sendable {
    private struct State {
        var changes: [USBChange] = []
        var reader: CheckedContinuation<USBChange?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Takes a change for the reader.
    func put(_ change: USBChange) {
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

    /// The next change, waiting for it; `nil` after the end.
    func next() async -> USBChange? {
        await withCheckedContinuation { continuation in
            let answer: (isNow: Bool, change: USBChange?) = state.withLock { state in
                if !state.changes.isEmpty { return (true, state.changes.removeFirst()) }
                // A second reader would wait for ever.
                if state.isFinished || state.reader != nil { return (true, nil) }
                state.reader = continuation
                return (false, nil)
            }
            if answer.isNow { continuation.resume(returning: answer.change) }
        }
    }

    /// Ends the stream. Changes that wait can still be read.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}
