import FrameFastSystem
import Glibc
import Synchronization
import SystemIO
public import SystemPackage

/// The output of a child process. A thread reads the output continuously, so the child never blocks. The
/// thread keeps only the newest bytes, up to a limit.
///
/// This type uses a thread because a Dispatch source crashed the process. When all writers have closed a
/// pipe, Dispatch removes the pipe from its list on two threads at the same time. The second removal uses a
/// descriptor number that may already belong to another file (libdispatch of Swift 6.3.1,
/// `_dispatch_event_loop_drain`).
public final class ChildOutput: Sendable {
    /// The write end of the pipe, for the child's standard output, standard error or both.
    public let childEnd: FileDescriptor
    private let reader: PipeReader

    /// Creates the pipe and starts the reading thread.
    ///
    /// - Parameters:
    ///   - bytesMax: The largest number of bytes to keep.
    ///   - onText: Called with the whole ``text`` after each read, on the reading thread or by ``finish()``.
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

    /// The newest output so far. An ellipsis at the start replaces dropped text.
    public var text: String { text(since: 0) }

    /// The number of bytes read so far, including dropped bytes.
    public var position: Int { reader.position }

    /// Returns the text after a ``position``. An ellipsis at the start replaces dropped text.
    public func text(since position: Int) -> String { reader.text(since: position) }

    /// Reads the available bytes and stops reading. Does not wait for a grandchild that keeps the pipe open.
    ///
    /// - Returns: The ``text``.
    @discardableResult public func finish() -> String {
        reader.finish()
        return text
    }
}

/// A thread that reads a pipe until all writers have closed it or the reader is stopped.
private final class PipeReader: Sendable {
    /// The size of one read, in bytes.
    private static let chunkBytes = 16 * 1_024
    /// The largest number of reads in ``finish()``. This number of reads is enough for a full pipe, which
    /// usually holds 64 KiB. The limit ends the loop if a child never stops writing.
    private static let lastChunksMax = 64
    /// The stack size, in bytes. Each running hook or destination program has two of these threads, so small
    /// stacks save memory.
    private static let stackBytes = 256 * 1_024

    private let pipe: FileDescriptor
    private let bytesMax: Int
    private let onText: (@Sendable (String) -> Void)?
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        /// The number of bytes dropped before `bytes`.
        var dropped = 0
        /// Whether reading has ended. If `true`, only the thread may use the pipe. The thread then closes the
        /// pipe.
        var isOver = false
        /// Wakes the thread when it must stop, or `nil` after the thread has ended.
        var stopping: WakeDescriptor?
    }

    /// Starts the thread, which closes the pipe when it ends. If this initializer throws, the caller must
    /// close the pipe.
    init(pipe: FileDescriptor, bytesMax: Int, onText: (@Sendable (String) -> Void)?) throws {
        let stopping: WakeDescriptor
        do throws(SystemCallFailure) { stopping = try WakeDescriptor() } catch {
            throw Errno(rawValue: error.number)
        }
        _ = fcntl(pipe.rawValue, F_SETFL, O_NONBLOCK)
        self.pipe = pipe
        (self.bytesMax, self.onText) = (bytesMax, onText)
        state.withLock { $0.stopping = stopping }
        try PlainThread.start("child-output", stackBytes: Self.stackBytes) { self.readToEnd(stopping) }
    }

    var position: Int { state.withLock { $0.dropped + $0.bytes.count } }

    func text(since position: Int) -> String {
        state.withLock { state in
            let bytes = state.bytes.dropFirst(max(position - state.dropped, 0))
            return (position < state.dropped ? "… " : "") + String(decoding: bytes, as: UTF8.self)
        }
    }

    func finish() {
        let hasNewText = state.withLock { state in
            guard !state.isOver else { return false }
            var chunks = 0
            while chunks < Self.lastChunksMax, readChunk(into: &state) > 0 { chunks += 1 }
            stopThread(&state)
            return chunks > 0
        }
        if hasNewText { onText?(text(since: 0)) }
    }

    func stop() {
        state.withLock { if !$0.isOver { stopThread(&$0) } }
    }

    private func stopThread(_ state: inout State) {
        state.isOver = true
        state.stopping?.signal()
    }

    private func readToEnd(_ stopping: WakeDescriptor) {
        while waitForInput(or: stopping) {
            let (hasNewText, isOver) = state.withLock { state in
                guard !state.isOver else { return (false, true) }
                let count = readChunk(into: &state)
                // A readable pipe without bytes has no writers.
                state.isOver = count == 0
                return (count > 0, state.isOver)
            }
            if hasNewText { onText?(text(since: 0)) }
            if isOver { break }
        }
        try? pipe.close()
        state.withLock { $0.stopping = nil }
    }

    /// Waits for bytes, for the end of the pipe, or for the signal to stop.
    ///
    /// - Returns: `false` if the thread must stop.
    private func waitForInput(or stopping: WakeDescriptor) -> Bool {
        while true {
            var ends = [pipe.rawValue, stopping.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if let count = try? IO.poll(&ends, milliseconds: -1), count > 0 { return ends[1].revents == 0 }
        }
    }

    /// Reads the next bytes into the state.
    ///
    /// - Returns: The number of bytes, 0 at the end of the pipe, or a negative number if no bytes are
    ///   available.
    private func readChunk(into state: inout State) -> Int {
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
