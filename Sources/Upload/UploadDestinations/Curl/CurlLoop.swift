import CCurl
import Glibc

/// The transport's thread: owns the multi handle and every transfer in it.
final class CurlLoop {
    /// Most connections at once, and most that are kept for later.
    private static let mostConnections = 64
    /// Idle connections are closed after so long without any transfer.
    private static let idleMs: Int32 = 60_000

    private let mailbox: CurlMailbox
    private var multi: UnsafeMutableRawPointer?
    private var transfers: [UInt64: CurlTransfer] = [:]
    private var byHandle: [UnsafeMutableRawPointer: UInt64] = [:]
    /// TLS sessions outlive a handle: servers may want the data connection to take up the control connection's.
    private let share = curl_share_init()
    private var isFresh = true
    private var closesIdle = false
    private var stops = false

    init(mailbox: CurlMailbox) {
        self.mailbox = mailbox
    }

    func run() {
        if let share { framefast_curl_share_tls_sessions(share) }
        renew()
        while !(stops && transfers.isEmpty) {
            for command in mailbox.take() { obey(command) }
            guard let multi else { break }
            for transfer in transfers.values { transfer.resume(at: .now) }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            // When a server answers EPSV at once, libcurl 7.88 is due to connect and has no socket or timer to be woken
            // by: it would begin when the wait below is over, a second later.
            if transfers.values.contains(where: { !$0.request.isHTTP }) {
                curl_multi_perform(multi, &running)
            }
            collect(multi)
            if transfers.isEmpty && closesIdle { renew() }
            if stops && transfers.isEmpty { break }
            wait()
        }
        _ = mailbox.renewMulti(last: true)
        if let share { curl_share_cleanup(share) }
    }

    private func wait() {
        guard let multi else { return }
        // A thread with nothing to do and nothing open sleeps until it is woken.
        let patienceMs: Int32 = !transfers.isEmpty ? untilResumeMs : isFresh ? .max : Self.idleMs
        var woken: Int32 = 0
        let before = Self.nowMs()
        curl_multi_poll(multi, nil, 0, patienceMs, &woken)
        if transfers.isEmpty && !isFresh && Self.nowMs() - before >= Int64(Self.idleMs) { renew() }
    }

    /// Time until the next transfer may send more; a second when none waits for that.
    private var untilResumeMs: Int32 {
        guard let next = transfers.values.compactMap(\.resumesAt).min() else { return 1000 }
        return Int32(max(1, min(1000, ContinuousClock.now.duration(to: next) / .milliseconds(1) + 1)))
    }

    private static func nowMs() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private func renew() {
        multi = mailbox.renewMulti()
        isFresh = true
        closesIdle = false
        guard let multi else { return }
        framefast_curl_multi_set_number(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.mostConnections)
        framefast_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Self.mostConnections)
    }

    private func obey(_ command: CurlMailbox.Command) {
        switch command {
        case .start(let transfer): start(transfer)
        case .cancel(let id):
            guard let transfer = transfers[id] else { return }
            remove(transfer)
            transfer.finish(.failure(.cancelled))
            deal(transfer.request.budget)
        case .closeIdle: if transfers.isEmpty { renew() } else { closesIdle = true }
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
        deal(transfer.request.budget)
    }

    private func collect(_ multi: UnsafeMutableRawPointer) {
        var code = CURLE_OK
        while let easy = framefast_curl_multi_finished(multi, &code) {
            guard let id = byHandle[easy], let transfer = transfers[id] else { continue }
            let result = transfer.result(code)
            remove(transfer)
            transfer.finish(result)
            deal(transfer.request.budget)
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

    /// Deals a budget out to the transfers that live on it.
    private func deal(_ budget: SendBudget?) {
        guard let budget, budget.bytesPerSecond != nil else { return }
        let sharers = transfers.values.filter { $0.request.budget === budget && $0.request.body != nil }
        for transfer in sharers {
            guard let easy = transfer.easy else { continue }
            framefast_curl_set_large(easy, CURLOPT_MAX_SEND_SPEED_LARGE, budget.share(of: sharers.count))
        }
    }
}
