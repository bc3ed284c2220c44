import CCurl
import FrameFastSystem

/// The event loop of the transport's thread, which owns libcurl's multi handle and all transfers.
final class CurlLoop {
    /// The largest number of open connections, and of idle connections for reuse.
    private static let connectionsMax = 64
    /// The time without transfers after which idle connections are closed, in milliseconds.
    private static let idleMs: Int32 = 60_000

    private let mailbox: CurlMailbox
    private let clock = HostClock.system
    private var multi: UnsafeMutableRawPointer?
    private var transfers: [UInt64: CurlTransfer] = [:]
    private var byHandle: [UnsafeMutableRawPointer: UInt64] = [:]
    /// The shared TLS sessions, which survive the removal of a transfer handle. An FTP server may require
    /// that the data connection resumes the TLS session of the control connection.
    private let share = curl_share_init()
    private var isFresh = true
    private var closesIdle = false
    private var stops = false

    init(mailbox: CurlMailbox) {
        self.mailbox = mailbox
    }

    func run() {
        if let share { framefast_curl_share_tls_sessions(share) }
        renewMulti()
        while !(stops && transfers.isEmpty) {
            for command in mailbox.takeCommands() { handle(command) }
            guard let multi else { break }
            for transfer in transfers.values { transfer.resume(at: clock.uptime()) }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            // If a server replies to EPSV immediately, libcurl 7.88 is ready to connect, but has no socket or
            // timer that wakes the loop. The second call prevents a delay of up to a second.
            if transfers.values.contains(where: { !$0.request.isHTTP }) {
                curl_multi_perform(multi, &running)
            }
            collectResults(multi)
            if transfers.isEmpty && closesIdle { renewMulti() }
            if stops && transfers.isEmpty { break }
            waitForActivity()
        }
        _ = mailbox.renewMulti(last: true)
        if let share { curl_share_cleanup(share) }
    }

    private func waitForActivity() {
        guard let multi else { return }
        // Without transfers and open connections, the thread sleeps until a command wakes it.
        let timeoutMs: Int32 = !transfers.isEmpty ? untilResumeMs : isFresh ? .max : Self.idleMs
        var woken: Int32 = 0
        let before = clock.awakeTime()
        curl_multi_poll(multi, nil, 0, timeoutMs, &woken)
        let waitedMs = (clock.awakeTime() - before) * 1000
        if transfers.isEmpty && !isFresh && waitedMs >= Double(Self.idleMs) { renewMulti() }
    }

    /// The time until the next paused transfer may send, in milliseconds, at most one second. If no transfer
    /// is paused, the value is one second.
    private var untilResumeMs: Int32 {
        guard let next = transfers.values.compactMap(\.resumesAt).min() else { return 1000 }
        return Int32(max(1, min(1000, (next - clock.uptime()) * 1000 + 1)))
    }

    private func renewMulti() {
        multi = mailbox.renewMulti()
        isFresh = true
        closesIdle = false
        guard let multi else { return }
        framefast_curl_multi_set_number(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.connectionsMax)
        framefast_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Self.connectionsMax)
    }

    private func handle(_ command: CurlMailbox.Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .cancel(let id):
            guard let transfer = transfers[id] else { return }
            remove(transfer)
            transfer.finish(.failure(.cancelled))
            divide(transfer.request.budget)
        case .closeIdle: if transfers.isEmpty { renewMulti() } else { closesIdle = true }
        case .stop: stops = true
        }
    }

    private func start(_ transfer: CurlTransfer) {
        guard !transfer.isOver else { return }
        guard let multi, let easy = transfer.prepare(share: share) else {
            transfer.free()
            return transfer.finish(transfer.result(CURLE_BAD_FUNCTION_ARGUMENT))
        }
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
            transfer.free()
            return transfer.finish(transfer.result(CURLE_OUT_OF_MEMORY))
        }
        isFresh = false
        transfers[transfer.id] = transfer
        byHandle[easy] = transfer.id
        divide(transfer.request.budget)
    }

    private func collectResults(_ multi: UnsafeMutableRawPointer) {
        var code = CURLE_OK
        while let easy = framefast_curl_multi_finished(multi, &code) {
            guard let id = byHandle[easy], let transfer = transfers[id] else { continue }
            let result = transfer.result(code)
            remove(transfer)
            transfer.finish(result)
            divide(transfer.request.budget)
        }
    }

    private func remove(_ transfer: CurlTransfer) {
        transfers[transfer.id] = nil
        if let easy = transfer.easy {
            byHandle[easy] = nil
            if let multi { curl_multi_remove_handle(multi, easy) }
        }
        transfer.free()
    }

    /// Divides a budget among the transfers that share the budget.
    private func divide(_ budget: SendBudget?) {
        guard let budget, budget.bytesPerSecond != nil else { return }
        let sharers = transfers.values.filter { $0.request.budget === budget && $0.request.body != nil }
        for transfer in sharers {
            guard let easy = transfer.easy else { continue }
            framefast_curl_set_large(easy, CURLOPT_MAX_SEND_SPEED_LARGE, budget.share(of: sharers.count))
        }
    }
}
