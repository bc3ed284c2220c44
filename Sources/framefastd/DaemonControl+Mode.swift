import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// How photos are uploaded now.
extension DaemonControl {
    func mode() async throws(ControlError) -> ModeReply {
        let session = try await asking { [ledger] in try await ledger.currentSession() }
        let mode: UploadMode =
            if let session { session.uploadMode } else { await uploads.modeWithoutSession() }
        let held = try await destinations().reduce(0) { $0 + $1.figures.held }
        let upload = configuration.upload
        return ModeReply(
            mode: .init(rawValue: mode.rawValue), threshold: mode == .rated ? upload.minimumRating : nil,
            window: mode == .scheduled ? configuration.uploadWindows : nil,
            afterPhotos: mode == .scheduled ? upload.schedule.afterPhotos : nil, session: session?.id,
            sessionName: session?.name, held: held, sentence: Self.sentence(mode))
    }

    func setMode(_ request: ModeRequest) async throws(ControlError) -> ModeReply {
        guard let mode = UploadMode(rawValue: request.mode.rawValue) else {
            throw ControlError(.invalid, "there is no mode '\(request.mode.rawValue)'")
        }
        guard request.threshold == nil, request.window == nil, request.afterPhotos == nil else {
            throw ControlError(
                .unsupported, "cannot change the threshold or the window while the service runs",
                nextStep: "Set minimum_rating, windows or after_photos in [upload] and restart the service.")
        }
        let session = try await asking { [ledger] in try await ledger.currentSession() }
        _ = try await uploading { try await $0.setMode(mode, session: session?.id) }
        return try await self.mode()
    }

    private static func sentence(_ mode: UploadMode) -> String {
        switch mode {
        case .realtime: "Each photo is uploaded as soon as it is saved."
        case .offline: "Photos are kept until they are released or another mode is chosen."
        case .jpegFirst: "JPEGs are uploaded at once, RAW files when the JPEGs are through."
        case .rated: "Photos with enough stars, or protected in the camera, are uploaded."
        case .manual: "Only photos that somebody adds to the queue are uploaded."
        case .scheduled: "Photos are uploaded at certain times, or when enough of them wait."
        }
    }
}
