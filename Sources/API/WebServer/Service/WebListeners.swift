import APIServer
import FrameFastSystem
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The servers of the page, one for each address of this computer.
///
/// The addresses of a computer change, for example in another Wi-Fi network. The actor therefore starts a
/// server for a new address, and stops the server of an address that is gone.
actor WebListeners {
    /// The state of one address.
    private enum State {
        case starting
        case listening(port: Int)
        case failed(reason: String)
    }

    private let options: WebOptions
    private let responder: WebResponder
    private let limiter: WebConnectionLimiter
    private let network: @Sendable () -> LocalNetwork
    private let clock: HostClock
    private let logger: Logger
    private let onChange: @Sendable (WebService.Report) async -> Void
    private var states: [IPAddress: State] = [:]
    private var servers: [IPAddress: Server<WebChannel>] = [:]
    /// The addresses that should have a server, in the order of ``WebOptions/addresses(of:)``.
    private var wanted: [IPAddress] = []
    private var certificate: CurrentCertificate?
    private var certificateProblem: String?
    private var reported: WebService.Report?

    init(
        options: WebOptions, responder: WebResponder, limiter: WebConnectionLimiter,
        network: @escaping @Sendable () -> LocalNetwork, clock: HostClock, logger: Logger,
        onChange: @escaping @Sendable (WebService.Report) async -> Void
    ) {
        self.options = options
        self.responder = responder
        self.limiter = limiter
        self.network = network
        self.clock = clock
        self.logger = logger
        self.onChange = onChange
    }

    /// Listens until the task is cancelled or the service stops.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                refresh()
                for address in wanted where needsServer(address) {
                    guard !options.usesTLS || certificate != nil else { break }
                    states[address] = .starting
                    group.addTask { await self.serve(address) }
                }
                for (address, state) in states where !wanted.contains(address) {
                    states[address] = nil
                    guard case .listening = state, let server = servers[address] else { continue }
                    group.addTask { try? await server.shutdownGracefully() }
                }
                await report()
                // A stop of the service ends the wait. The task group then waits for the servers.
                do {
                    try await cancelWhenGracefulShutdown { [clock] in
                        try await clock.sleep(for: WebServerLimits.refreshInterval)
                    }
                } catch { return }
            }
        }
    }

    /// Reads the names, addresses and certificate of this computer.
    private func refresh() {
        let network = network()
        wanted = options.addresses(of: network)
        responder.setHosts(HostRule(network: network, configured: options.names))
        guard options.usesTLS else { return }
        do {
            let title = "FrameFast on \(network.hostName ?? "this computer")"
            let pair = try options.certificate.load(
                for: options.subject(of: network), title: title, now: clock.now())
            if let certificate {
                if try certificate.replace(with: pair) { logger.notice("renewed the web page's certificate") }
            } else {
                certificate = try CurrentCertificate(pair)
            }
            certificateProblem = nil
        } catch {
            // Connections keep the previous certificate.
            certificateProblem = "\(error)"
        }
    }

    /// Returns whether an address has no server, or a server that could not listen.
    private func needsServer(_ address: IPAddress) -> Bool {
        switch states[address] {
        case nil, .failed: true
        case .starting, .listening: false
        }
    }

    private func serve(_ address: IPAddress) async {
        // At levels below `warning`, the HTTP server would log every connection.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let responder = responder
        let server = Server(
            childChannelSetup: WebChannel(certificate: certificate, limiter: limiter) {
                await responder.respond(to: $0, from: $1, on: $2)
            },
            configuration: ServerConfiguration(
                address: .hostname(address.description, port: options.port),
                backlog: WebServerLimits.backlog),
            onServerRunning: { channel in
                await self.markListening(address, port: channel.localAddress?.port)
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet)
        servers[address] = server
        var end: State?
        do { try await server.run() } catch { end = .failed(reason: Self.reason(error)) }
        // The address may have returned, and may have a newer server.
        guard servers[address] === server else { return }
        servers[address] = nil
        states[address] = end
        if end != nil { await report() }
    }

    private static func reason(_ error: any Error) -> String {
        guard let failure = error as? IOError else { return "\(error)" }
        return String(cString: strerror(failure.errnoCode))
    }

    private func markListening(_ address: IPAddress, port: Int?) async {
        guard let port else { return }
        states[address] = .listening(port: port)
        await report()
    }

    /// Reports the page's address, or the reason why the page is not served. Reports only changes.
    private func report() async {
        let report: WebService.Report
        let listening = wanted.compactMap { address -> (address: IPAddress, port: Int)? in
            guard case .listening(let port) = states[address] else { return nil }
            return (address, port)
        }
        if let first = listening.first, let host = options.urlHost(of: listening.map(\.address)) {
            let site = WebSite(
                url: "\(options.usesTLS ? "https" : "http")://\(host):\(first.port)",
                fingerprint: options.usesTLS ? certificate?.fingerprint : nil)
            report = .listening(site, problem: certificateProblem)
        } else if let problem = certificateProblem {
            report = .failed(problem)
        } else if let failure = wanted.compactMap({ failure(of: $0) }).first {
            report = .failed(failure)
        } else if wanted.isEmpty {
            report = .failed("this computer has no private address")
        } else {
            return
        }
        guard report != reported else { return }
        reported = report
        await onChange(report)
    }

    private func failure(of address: IPAddress) -> String? {
        guard case .failed(let reason) = states[address] else { return nil }
        return "cannot listen on \(address.urlHost):\(options.port): \(reason)"
    }
}
