import CCurl
import PlainThreads
import Synchronization
import SystemPackage
import UploadEngine

/// libcurl's transfers, all on one thread with one pool of connections.
///
/// The HTTP family shares one transport. Each FTP destination has its own: libcurl's FTP waits in place for some of
/// the server's replies (the one after a file, for example), and only its own destination may have to wait with it.
final class CurlTransport: Sendable {
    /// For HTTP, WebDAV and S3.
    static let shared = CurlTransport(label: "framefast.http")

    private static let ids = Atomic<UInt64>(0)
    private static let libraryStatus = framefast_curl_global_init()

    private let label: String
    private let mailbox = CurlMailbox()
    private let isRunning = Mutex(false)

    /// - Parameter label: Name of its thread, which is started with the first transfer.
    init(label: String) {
        self.label = label
        _ = Self.libraryStatus
    }

    deinit { mailbox.post(.stop) }

    /// Makes one transfer. An HTTP answer of any status is an answer.
    ///
    /// When the task is cancelled, this throws ``TransportFailure/cancelled`` at once; the connection ends a moment
    /// later, and before any later transfer begins.
    func perform(_ request: CurlRequest) async throws(TransportFailure) -> CurlAnswer {
        try startThread()
        let id = Self.ids.add(1, ordering: .relaxed).newValue
        let begun = Mutex<CurlTransfer?>(nil)
        let (mailbox, activity) = (mailbox, UploadActivity.current)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transfer = CurlTransfer(
                    id: id, request: request, activity: activity, completion: continuation)
                begun.withLock { $0 = transfer }
                if Task.isCancelled {
                    transfer.finish(.failure(.cancelled))
                } else {
                    mailbox.post(.start(transfer))
                }
            }
        } onCancel: {
            begun.withLock { $0 }?.finish(.failure(.cancelled))
            mailbox.post(.cancel(id))
        }
        return try result.get()
    }

    /// Where the system had no thread to give, the next transfer asks again.
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

    /// Closes connections that no transfer uses, as soon as none is running.
    func closeIdle() { mailbox.post(.closeIdle) }
}

/// What the transport's thread is asked to do.
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

    func take() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// A new multi handle in place of the old one; only on the thread. `nil` in the end.
    func renewMulti(last: Bool = false) -> UnsafeMutableRawPointer? {
        state.withLock {
            if let multi = $0.multi { curl_multi_cleanup(multi) }
            $0.multi = last ? nil : curl_multi_init()
            // Who posted since the last look has woken the old one.
            if let multi = $0.multi, !$0.commands.isEmpty { curl_multi_wakeup(multi) }
            return $0.multi
        }
    }
}
