import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Logging
import SettingKeys
import Store
import WebServer

extension WebOptions {
    /// Creates the options from the configuration, or returns `nil` if the page is off.
    init?(_ configuration: Configuration) {
        let web = configuration.web
        let place: Place
        switch web.listen {
        case .off: return nil
        case .loopback(let loopback):
            guard let address = IPAddress(loopback.host) else { return nil }
            place = .computer(address, port: loopback.port)
        case .lan(let port): place = .networks(port: port, includesPublic: web.allowsPublic)
        }
        let certificate: CertificateFiles =
            if let path = web.certificateFile, let key = web.keyFile {
                .configured(certificate: path, key: key)
            } else {
                .folder(configuration.state.directory + "/web")
            }
        self.init(
            place: place, isEncrypted: web.tls == .on, names: web.names, certificate: certificate,
            policy: WebPolicy(allowsControl: web.allowsControl, givesOriginals: web.givesOriginals))
    }
}

extension WebService {
    /// Creates the service, or returns `nil` if the page is off.
    init?(_ parts: DaemonParts, control: DaemonControl, logger: Logger) {
        guard let options = WebOptions(parts.configuration.now) else { return nil }
        let conditionBoard = parts.conditionBoard
        let sessions = control.sessions
        self.init(
            options: options,
            parts: Parts(
                surface: control, hub: parts.hub, access: parts.web,
                snapshot: { id throws(ControlError) in try await sessions.clientSnapshot(of: id) }),
            clock: parts.clock, logger: logger
        ) { report in
            conditionBoard.record(report)
        }
    }
}

extension ConditionBoard {
    /// Raises or clears the condition of a page that is not served as configured.
    func record(_ report: WebService.Report) {
        let problem: String?
        switch report {
        case .listening(_, let certificateProblem): problem = certificateProblem
        case .failed(let reason): problem = reason
        }
        guard let problem else { return clear(.webNotServed) }
        raise(
            .webNotServed, sentence: "The web page is not served as configured: \(problem).",
            nextStep:
                "Correct listen, cert_file and key_file in [web] of the configuration, then restart the service."
        )
    }
}

extension SessionHandler {
    /// Returns the state of a session for a client or screen of the web page.
    func clientSnapshot(of id: SessionID) async throws(ControlError) -> ClientSnapshotReply {
        guard let session = try await session(id) else {
            throw ControlError(.notFound, "cannot find session \(id)")
        }
        let newest = try await ledger.mapErrors {
            try await $0.shotIndex(ShotIndexQuery(limit: 1, session: id)).first
        }
        let age = newest.map { max(0, Int(clock.now().timeIntervalSince($0.detectedAt))) }
        return ClientSnapshotReply(
            name: session.name, shots: session.shots, newestID: newest?.id, isLive: session.endedAt == nil,
            photoAge: age)
    }
}
