import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// The endpoints that read and set the upload mode.
struct ModeHandler: EndpointHandler {
    let ledger: LedgerStore
    let uploads: UploadService
    let sessions: SessionHandler
    let hub: EventHub

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.uploads.mode, with: get)
        table.handle(\.uploads.setMode, with: set)
    }

    func get() async throws(ControlError) -> ModeReply {
        let session = try await ledger.mapErrors { try await $0.currentSession() }
        let mode: UploadMode =
            if let session { session.uploadMode } else { await uploads.modeWithoutSession() }
        let held = try await uploads.mapErrors { try await $0.statistics() }
            .reduce(0) { $0 + $1.counts[.held].jobs }
        let policy = await uploads.policy()
        return ModeReply(
            mode: mode, threshold: mode == .rated ? policy.minimumRating : nil,
            window: mode == .scheduled ? policy.schedule.windowText : nil,
            afterPhotos: mode == .scheduled ? policy.schedule.afterPhotos : nil, session: session?.id,
            sessionName: session?.name, held: held, sentence: Self.sentence(mode, policy))
    }

    func set(_ request: ModeRequest) async throws(ControlError) -> ModeReply {
        guard let mode = request.mode else {
            throw ControlError(.invalid, "there is no mode '\(request.$mode)'")
        }
        let windows = request.window.map { [UploadSchedule.Window($0)].compactMap(\.self) }
        let change = UploadPolicyChange(
            minimumRating: request.threshold, windows: windows, afterPhotos: request.afterPhotos)
        let session = try await ledger.mapErrors { try await $0.currentSession() }
        _ = try await uploads.mapErrors { try await $0.setMode(mode, session: session?.id, change) }
        if let running = try await sessions.running() { hub.publish(.session(running)) }
        return try await get()
    }

    private static func sentence(_ mode: UploadMode, _ policy: UploadModePolicy) -> String {
        switch mode {
        case .realtime: "Each photo is uploaded as soon as it is saved."
        case .offline: "Photos are held until you release them or choose another mode."
        case .jpegFirst: "JPEGs are uploaded immediately, RAW files after the JPEGs."
        case .rated:
            "Photos with \(policy.minimumRating == 1 ? "1 star" : "\(policy.minimumRating) stars") or more, or protected in the camera, are uploaded."
        case .manual: "Only photos that you add to the queue are uploaded."
        case .scheduled: sentence(policy.schedule)
        }
    }

    private static func sentence(_ schedule: UploadSchedule) -> String {
        let number = schedule.afterPhotos.map { "when \($0) of a session are waiting" }
        let parts = [schedule.windowText.map { "at \($0)" }, number].compactMap(\.self)
        return parts.isEmpty
            ? "Photos are held: no upload time is set."
            : "Photos are uploaded \(parts.joined(separator: ", and "))."
    }
}

extension UploadSchedule {
    /// The windows as text, or `nil` if the schedule has no windows.
    fileprivate var windowText: String? {
        windows.isEmpty ? nil : windows.map(\.text).joined(separator: ", ")
    }
}
