import Glibc
import Synchronization

/// What background threads have to say, for a loop that waits in `poll`.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    /// Readable while there are messages.
    let descriptor: Int32
    private let wakeDescriptor: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        descriptor = ends[0]
        wakeDescriptor = ends[1]
    }

    deinit {
        close(descriptor)
        close(wakeDescriptor)
    }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        // A full pipe is a reader that was woken already.
        _ = write(wakeDescriptor, [1], 1)
    }

    func takeAll() -> [Message] {
        var drain = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &drain, drain.count) > 0 {}
        return messages.withLock { messages in
            let all = messages
            messages.removeAll()
            return all
        }
    }
}

/// A thread for one blocking job.
enum BackgroundThread {
    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts the job. It ends with the process, or by itself.
    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Job(body))
        let code = pthread_create(
            &thread, nil,
            { pointer in
                pointer.map { Unmanaged<Job>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            }, job.toOpaque())
        if code == 0 { pthread_detach(thread) } else { job.release() }
    }
}
