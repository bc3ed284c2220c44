import APIServer
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import SettingKeys
import Store
import WebPairing

/// The endpoints that create pairing codes for the web page, and list and revoke its devices.
struct WebHandler: EndpointHandler {
    let web: WebAccess
    let ledger: LedgerStore
    let configuration: CurrentValue<Configuration>
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.web.pair, with: pair)
        table.handle(\.web.devices, with: devices)
        table.handle(\.web.revoke, with: revoke)
    }

    func pair(_ request: WebPairRequest) async throws(ControlError) -> WebCodeReply {
        let site = try await site()
        guard let role = request.role else {
            throw ControlError(.invalid, "cannot pair a device with role '\(request.$role)'")
        }
        let session: Session? =
            if role == .owner { nil } else { try await self.session(request.session) }
        let uses = request.uses ?? 1
        let grant = PairingGrant(role: role, session: session?.id)
        guard let open = await web.openCode(for: grant, uses: uses) else {
            throw ControlError(
                .conflict, "cannot open more than \(PairingCodes.codesMax) codes at the same time",
                nextStep: "Use an open code, or wait until it expires.")
        }
        return WebCodeReply(
            url: "\(site.url)/#\(open.code.text)", code: open.code.text, expiresAt: open.expiresAt,
            uses: uses, role: role, sessionName: session?.name, fingerprint: site.fingerprint)
    }

    func devices() async throws(ControlError) -> WebDevicesReply {
        let settings = configuration.now.web
        return WebDevicesReply(
            devices: await web.devices().map(WebDeviceReply.init), isOn: WebReachability(settings).isOn,
            url: await web.site?.url, control: settings.allowsControl)
    }

    func revoke(_ id: WebDeviceID) async throws(ControlError) -> WebDevicesReply {
        let revoked: WebDevice?
        do { revoked = try await web.revoke(id) } catch {
            throw ControlError(
                .internal, "cannot store that device \(id) is revoked: \(error)",
                nextStep: "The device is refused until the service restarts. Before that, free some space on "
                    + "the disk that holds \(configuration.now.state.directory), or repair the disk. Then "
                    + "run 'framefast web revoke \(id)' again.")
        }
        guard revoked != nil else {
            throw ControlError(
                .notFound, "cannot find device \(id)", nextStep: "See 'framefast web devices'.")
        }
        return try await devices()
    }

    /// Returns the address of the page, or throws if no browser can open it.
    private func site() async throws(ControlError) -> WebSite {
        if let site = await web.site { return site }
        guard WebReachability(configuration.now.web).isOn else {
            throw ControlError(
                .conflict, "cannot pair a device: the web page is off",
                nextStep:
                    "Set listen = \"lan\" or \"127.0.0.1:9480\" in [web] of the configuration, then restart the service."
            )
        }
        throw ControlError(
            .conflict, "cannot pair a device: the web page is not served",
            nextStep: "See 'framefast doctor'.")
    }

    /// Returns the session that new devices may see.
    ///
    /// - Parameter name: The name or number of a session, or `nil` or `current` for the running session.
    private func session(_ name: String?) async throws(ControlError) -> Session {
        guard let name, name != WebPairRequest.currentSession else {
            guard let running = try await ledger.mapErrors({ try await $0.currentSession() }) else {
                throw ControlError(
                    .conflict, "cannot pair a device: no session is running",
                    nextStep: "Start one with 'framefast session start NAME', or give --session NAME.")
            }
            return running
        }
        let sessions = try await ledger.mapErrors { try await $0.sessions() }.map(\.session)
        var named = sessions.filter { $0.name == name }
        if named.isEmpty { named = sessions.filter { $0.id.description == name } }
        // Only one session runs at a time. Several stopped sessions may have the same name, and the wrong
        // session would show another client's photos.
        guard let session = named.first(where: { $0.stoppedAt == nil }) ?? named.first else {
            throw ControlError(
                .notFound, "cannot find session '\(name)'", nextStep: "See 'framefast session list'.")
        }
        guard named.count == 1 || session.stoppedAt == nil else {
            throw ControlError(
                .conflict, "cannot choose a session: \(named.count) sessions are named '\(name)'",
                nextStep: "Use the number that 'framefast session list --plain' shows.")
        }
        if let end = session.stoppedAt, end + WebDevice.secondsAfterSession <= clock.now() {
            throw ControlError(
                .conflict, "cannot pair a device: session '\(name)' stopped more than 12 hours ago",
                nextStep: "Start a session, or use role owner to see all sessions.")
        }
        return session
    }
}

extension WebDeviceReply {
    /// Creates the reply for a device.
    init(_ device: WebDevice) {
        self.init(
            id: device.id, name: device.name, role: device.role, sessionName: device.sessionName,
            createdAt: device.createdAt, lastUsedAt: device.lastUsedAt, expiresAt: device.expiresAt,
            isDone: device.isDone)
    }
}
