import CLinux
import FrameFastSystem
import Glibc
import PlainThreads
import Synchronization
public import SystemPackage

/// What a child says: read as it comes, so that the child never waits, and kept up to a bound, the newest first.
///
/// Read by a thread of its own and not by a source of Dispatch: when everyone has closed the other end of a pipe, Dispatch
/// takes it out of its list on two threads at once, and again by a number that may be another file's by then. That ended
/// the process (libdispatch of Swift 6.3.1, `_dispatch_event_loop_drain`).
public final class ChildOutput: Sendable {
    /// Goes to the child, as its output or error or both.
    public let childEnd: FileDescriptor
    private let reader: PipeReader

    /// Makes the pipe, and begins to read.
    ///
    /// - Parameters:
    ///   - bytesMax: Most bytes that are kept.
    ///   - onText: Told everything that is kept whenever more has come.
    public init(bytesMax: Int, onText: (@Sendable (String) -> Void)? = nil) throws {
        let (ourEnd, childEnd) = try PipePair.make()
        do {
            reader = try PipeReader(pipe: ourEnd, bytesMax: bytesMax, onText: onText)
        } catch {
            try? ourEnd.close()
            try? childEnd.close()
            throw error
        }
        self.childEnd = childEnd
    }

    deinit { reader.stop() }

    /// What was said so far. A beginning that was dropped is marked.
    public var text: String { text(since: 0) }

    /// The number of bytes that were said so far, including those that were dropped.
    public var position: Int { reader.position }

    /// The text that was said after a ``position``. A beginning that was dropped is marked.
    public func text(since position: Int) -> String { reader.text(since: position) }

    /// Takes what is there and stops reading: a grandchild that keeps the pipe open is not waited for.
    @discardableResult public func finish() -> String {
        reader.finish()
        return text
    }
}

/// Reads a pipe on a thread until everyone has closed its other end, or nobody wants to know more.
private final class PipeReader: Sendable {
    /// Bytes that are read at once.
    private static let chunkBytes = 16 * 1_024
    /// Most chunks that are taken at the end: more than a pipe usually holds (64 KiB), and a child that never stops talking
    /// ends all the same.
    private static let lastChunksMax = 64
    /// Of which there may be many: two for each program that runs for an event or for a destination.
    private static let stackBytes = 256 * 1_024

    private let pipe: FileDescriptor
    /// Becomes readable when the thread is to stop.
    private let stopping: FileDescriptor
    private let bytesMax: Int
    private let onText: (@Sendable (String) -> Void)?
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        /// The number of bytes that were dropped before these.
        var dropped = 0
        /// From now on the descriptors are the thread's alone, which closes them.
        var isOver = false
    }

    /// Begins to read. The pipe is closed when reading is over, unless this throws.
    init(pipe: FileDescriptor, bytesMax: Int, onText: (@Sendable (String) -> Void)?) throws {
        let stopping = framefast_eventfd()
        guard stopping >= 0 else { throw Errno(rawValue: errno) }
        _ = fcntl(pipe.rawValue, F_SETFL, O_NONBLOCK)
        (self.pipe, self.stopping) = (pipe, FileDescriptor(rawValue: stopping))
        (self.bytesMax, self.onText) = (bytesMax, onText)
        do {
            try PlainThread.start("child-output", stackBytes: Self.stackBytes) { self.readToEnd() }
        } catch {
            close(stopping)
            throw error
        }
    }

    var position: Int { state.withLock { $0.dropped + $0.bytes.count } }

    func text(since position: Int) -> String {
        state.withLock { state in
            let kept = state.bytes.dropFirst(max(position - state.dropped, 0))
            return (position < state.dropped ? "… " : "") + String(decoding: kept, as: UTF8.self)
        }
    }

    func finish() {
        let news = state.withLock { state in
            guard !state.isOver else { return false }
            var chunks = 0
            while chunks < Self.lastChunksMax, take(&state) > 0 { chunks += 1 }
            end(&state)
            return chunks > 0
        }
        if news { onText?(text(since: 0)) }
    }

    func stop() {
        state.withLock { if !$0.isOver { end(&$0) } }
    }

    private func end(_ state: inout State) {
        state.isOver = true
        var one: UInt64 = 1
        _ = write(stopping.rawValue, &one, MemoryLayout.size(ofValue: one))
    }

    private func readToEnd() {
        while wait() {
            let (news, isOver) = state.withLock { state in
                guard !state.isOver else { return (false, true) }
                let count = take(&state)
                // Readable and empty: everyone has closed it.
                state.isOver = count == 0
                return (count > 0, state.isOver)
            }
            if news { onText?(text(since: 0)) }
            if isOver { break }
        }
        try? pipe.close()
        try? stopping.close()
    }

    /// Waits for something to read, or the end of the pipe. False when the thread is to stop.
    private func wait() -> Bool {
        while true {
            var ends = [pipe, stopping].map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
            if poll(&ends, nfds_t(ends.count), -1) > 0 { return ends[1].revents == 0 }
        }
    }

    /// Takes the next bytes.
    ///
    /// - Returns: how many; 0 at the end of the pipe, and less when there are none now.
    private func take(_ state: inout State) -> Int {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, filled in
            count = read(pipe.rawValue, buffer.baseAddress, buffer.count)
            filled = max(count, 0)
        }
        state.bytes += chunk
        if state.bytes.count > bytesMax {
            let excess = state.bytes.count - bytesMax
            state.bytes.removeFirst(excess)
            state.dropped += excess
        }
        return count
    }
}
