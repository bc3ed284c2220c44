import FrameFastAPI
import FrameFastModel
import Store
import WebServer

/// Shots, as the page asks for them.
struct WebShots: WebSurface {
    let shots: ShotHandler
    let ledger: LedgerStore

    func list(_ query: ShotsQuery) async throws(ControlError) -> ShotsReply { try await shots.list(query) }

    func detail(_ id: ShotID, for device: WebDevice) async throws(ControlError) -> ShotReply {
        try await shots.get(id, for: Self.rater(device))
    }

    func session(of id: ShotID) async throws(ControlError) -> SessionID? { try await shots.shot(id).session }

    func picture(_ id: ShotID, _ size: ShotPictureSize) async throws(ControlError) -> StillPicture {
        try await shots.picture(of: id, size)
    }

    func rate(
        _ id: ShotID, _ request: RatingRequest, by device: WebDevice
    ) async throws(ControlError) -> ShotReply {
        try await shots.rate(id, request, by: Self.rater(device))
    }

    private static func rater(_ device: WebDevice) -> ShotRating.Rater {
        .init(id: device.id, name: device.name, isOwner: device.role == .owner)
    }

    func tell(_ id: ShotID) async { await shots.tell(id) }

    func name(of session: SessionID) async -> String? {
        try? await ledger.sessionName(session)
    }
}

extension WebDesk.Storage {
    /// Devices in the ledger.
    init(_ ledger: LedgerStore) {
        self.init(
            load: {
                try await ledger.webDevices().compactMap { record in
                    WebDevice.Role(rawValue: record.role).map { role in
                        (
                            WebDevice(
                                id: record.id, name: record.name, role: role, session: record.session,
                                isDone: record.isDone, pairedAt: record.pairedAt,
                                lastUsedAt: record.lastUsedAt),
                            record.token
                        )
                    }
                }
            },
            keep: { device, token in
                try await ledger.keep(
                    WebDeviceRecord(
                        id: device.id, name: device.name, role: device.role.rawValue, session: device.session,
                        isDone: device.isDone, pairedAt: device.pairedAt, lastUsedAt: device.lastUsedAt,
                        token: token))
            }, remove: { try await ledger.forget(webDevice: $0) },
            lastNumber: { try await ledger.lastWebDevice() })
    }
}
