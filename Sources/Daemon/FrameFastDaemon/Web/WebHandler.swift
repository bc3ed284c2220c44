import APIServer
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Store
import WebServer

/// Who is let in to the page.
struct WebHandler: EndpointHandler {
    let ledger: LedgerStore
    let desk: WebDesk
    /// `nil` while there is no page.
    let options: WebService.Options?

    func attach(to table: inout EndpointTable) {
        table.on(\.web.pair, pair)
        table.on(\.web.devices, devices)
        table.on(\.web.revoke) { id throws(ControlError) in try await revoke(id) }
    }

    func pair(_ request: WebPairRequest) async throws(ControlError) -> WebPairReply {
        guard let options else {
            throw ControlError(
                .conflict, "there is no page yet",
                nextStep: "Set listen = \"lan\" in [web] of the configuration, and restart the service.")
        }
        guard let role = WebDevice.Role(rawValue: request.role.rawValue) else {
            throw ControlError(.invalid, "there is no role '\(request.role)'")
        }
        let session = role == .owner ? nil : try await self.session(request.session)
        let (code, until) = await desk.open(.init(role: role, session: session, uses: request.uses ?? 1))
        let fingerprint: String?
        do { fingerprint = try WebService.fingerprint(options) } catch {
            throw ControlError(.internal, "there is no certificate: \(error)")
        }
        return WebPairReply(
            url: WebService.address(options) + "#" + code, code: code, role: request.role, expiresAt: until,
            fingerprint: fingerprint)
    }

    func devices() async throws(ControlError) -> WebDevicesReply {
        do { return WebDevicesReply(devices: try await desk.all().map(WebDeviceReply.init)) } catch {
            throw ControlError(.internal, "cannot read the devices: \(error)")
        }
    }

    func revoke(_ id: WebDeviceID) async throws(ControlError) -> WebDevicesReply {
        let isOut: Bool
        do { isOut = try await desk.revoke(id.pathText) } catch {
            throw ControlError(
                .internal, "cannot shut the device out: \(error)",
                nextStep: "It is still let in. See 'framefast doctor', then try again.")
        }
        guard isOut else {
            throw ControlError(
                .notFound, "there is no device '\(id.pathText)'", nextStep: "See 'framefast web devices'.")
        }
        return try await devices()
    }

    /// A session that there is: the one that was asked for, or the one that runs.
    private func session(_ asked: SessionID?) async throws(ControlError) -> SessionID {
        if let asked {
            guard try await ledger.asking({ try await $0.sessionName(asked) }) != nil else {
                throw ControlError(
                    .notFound, "there is no session \(asked)", nextStep: "See 'framefast session list'.")
            }
            return asked
        }
        guard let running = try await ledger.asking({ try await $0.currentSession() }) else {
            throw ControlError(
                .conflict, "no session runs", nextStep: "Start one, or say which with --session.")
        }
        return running.id
    }
}

extension WebDeviceReply {
    /// As the wire has it.
    init(_ device: WebDevice) {
        self.init(
            id: device.id, name: device.name, role: WebRole(rawValue: device.role.rawValue),
            session: device.session, isDone: device.isDone, pairedAt: device.pairedAt,
            lastUsedAt: device.lastUsedAt)
    }
}
