import Dispatch
import FrameFastSystem
import Glibc
import Synchronization
public import SystemPackage

/// What a child says: read as it comes, so that the child never waits, and kept up to a bound, the newest first.
public final class ChildOutput: Sendable {
    /// Goes to the child, as its output or error or both.
    public let childEnd: FileDescriptor
    private let bytesMax: Int
    private let onText: (@Sendable (String) -> Void)?
    private let queue = DispatchQueue(label: "framefast.child-output")
    private nonisolated(unsafe) let source: any DispatchSourceRead
    // Dispatch objects may be used from any thread; the module does not say so.
    private let ourEnd: FileDescriptor
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        var isCut = false
        var isOver = false
    }

    /// Makes the pipe.
    ///
    /// - Parameters:
    ///   - bytesMax: Most bytes that are kept.
    ///   - onText: Told everything that is kept whenever more has come.
    public init(bytesMax: Int, onText: (@Sendable (String) -> Void)? = nil) throws {
        let (reader, writer) = try PipePair.make()
        _ = fcntl(reader.rawValue, F_SETFL, O_NONBLOCK)
        (ourEnd, childEnd) = (reader, writer)
        self.bytesMax = bytesMax
        self.onText = onText
        source = DispatchSource.makeReadSource(fileDescriptor: reader.rawValue, queue: queue)
        source.setEventHandler { [weak self] in self?.readAll() }
        source.setCancelHandler { [ourEnd] in try? ourEnd.close() }
        source.resume()
    }

    deinit { source.cancel() }

    /// What was said so far. A beginning that was dropped is marked.
    public var text: String {
        state.withLock { state in
            (state.isCut ? "… " : "") + String(decoding: state.bytes, as: UTF8.self)
        }
    }

    /// Takes what is there and stops reading: a grandchild that keeps the pipe open is not waited for.
    @discardableResult public func finish() -> String {
        queue.sync {
            readAll()
            stop()
        }
        return text
    }

    private func stop() {
        state.withLock { $0.isOver = true }
        source.cancel()
    }

    private func readAll() {
        var news = false
        // A child that never stops talking must not hold the thread for ever.
        for _ in 0..<64 {
            guard !state.withLock({ $0.isOver }) else { return }
            let chunk = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
                filled = max(read(ourEnd.rawValue, buffer.baseAddress, buffer.count), 0)
            }
            guard !chunk.isEmpty else { break }
            news = true
            state.withLock { state in
                state.bytes += chunk
                guard state.bytes.count > bytesMax else { return }
                state.bytes.removeFirst(state.bytes.count - bytesMax)
                state.isCut = true
            }
        }
        guard news else {
            // Readable and empty: everyone has closed it.
            if hasEnded { stop() }
            return
        }
        onText?(text)
    }

    private var hasEnded: Bool {
        var descriptor = pollfd(fd: ourEnd.rawValue, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 0) == 1 else { return false }
        return descriptor.revents & Int16(POLLHUP) != 0
    }
}
