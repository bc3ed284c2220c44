import CCurl
import Synchronization
import SystemIO
import SystemPackage
import UploadEngine

/// A transport that runs all of its libcurl transfers on one thread with one connection pool.
///
/// HTTP, WebDAV and S3 share one transport. Each FTP destination has its own transport. libcurl's FTP code
/// blocks while it waits for some replies, for example the reply after a file. The separate transport keeps
/// this wait from blocking other destinations.
final class CurlTransport: Sendable {
    /// The transport for HTTP, WebDAV and S3.
    static let shared = CurlTransport(label: "framefast.http")

    private static let ids = Atomic<UInt64>(0)
    private static let libraryStatus = framefast_curl_global_init()

    private let label: String
    private let mailbox = CurlMailbox()
    private let isRunning = Mutex(false)

    /// - Parameter label: The name of the transport's thread. The thread starts with the first transfer.
    init(label: String) {
        self.label = label
        _ = Self.libraryStatus
    }

    deinit { mailbox.post(.stop) }

    /// Performs one transfer. An HTTP response with any status is a success.
    ///
    /// If the task is cancelled, the function immediately throws ``TransportFailure/cancelled``. The
    /// connection closes shortly afterwards, before any later transfer starts.
    func perform(_ request: CurlRequest) async throws(TransportFailure) -> CurlResponse {
        try startThread()
        let id = Self.ids.add(1, ordering: .relaxed).newValue
        let mailbox = mailbox
        let transfer = CurlTransfer(id: id, request: request, activity: UploadActivity.current)
        let result = await withTaskCancellationHandler {
            if Task.isCancelled {
                transfer.finish(.failure(.cancelled))
            } else {
                mailbox.post(.start(transfer))
            }
            return await transfer.waitForResult()
        } onCancel: {
            transfer.finish(.failure(.cancelled))
            mailbox.post(.cancel(id))
        }
        return try result.get()
    }

    /// Starts the thread if it is not running. If the system can't start a thread, the next transfer tries
    /// again.
    private func startThread() throws(TransportFailure) {
        try isRunning.withLock { isRunning throws(TransportFailure) in
            guard !isRunning else { return }
            let mailbox = mailbox
            do throws(PlainThread.StartError) {
                try PlainThread.start(label, yields: true) { CurlLoop(mailbox: mailbox).run() }
            } catch {
                throw .noThread(Errno(rawValue: error.number))
            }
            isRunning = true
        }
    }

    /// Closes idle connections, after any running transfers have ended.
    func closeIdle() { mailbox.post(.closeIdle) }
}

/// The queue of commands for the transport's thread, with the multi handle that wakes the thread.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(CurlTransfer)
        case cancel(UInt64)
        case closeIdle
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var multi: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())

    /// Adds a command and wakes the thread.
    func post(_ command: Command) {
        state.withLock {
            $0.commands.append(command)
            if let multi = $0.multi { curl_multi_wakeup(multi) }
        }
    }

    /// Returns and removes the waiting commands.
    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Replaces the multi handle. Call this function only on the transport's thread. Returns `nil` if `last`
    /// is set, or if libcurl lacks memory.
    func renewMulti(last: Bool = false) -> UnsafeMutableRawPointer? {
        state.withLock {
            if let multi = $0.multi { curl_multi_cleanup(multi) }
            $0.multi = last ? nil : curl_multi_init()
            // Commands that arrived since the last check woke only the old handle.
            if let multi = $0.multi, !$0.commands.isEmpty { curl_multi_wakeup(multi) }
            return $0.multi
        }
    }
}
