import APIServer
import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// How photos are uploaded now, and what their files take on this computer.
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
        if let reply = try await runningSession() { hub.publish(.session(reply)) }
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

    // MARK: storage

    /// Photos that are looked at in one go.
    private static let clearedAtOnce = 200

    func storage() async throws(ControlError) -> StorageSummaryReply {
        let summary = try await asking { [ledger] in try await ledger.storageSummary() }
        return StorageSummaryReply(
            total: .init(summary.total), uploaded: .init(summary.uploaded), pending: .init(summary.pending),
            failed: .init(summary.failed),
            clearable: try await clear(session: nil, before: .now, isTrial: true))
    }

    func clearStorage(_ request: StorageClearRequest) async throws(ControlError) -> StorageAmountReply {
        let before = Date.now.addingTimeInterval(-TimeInterval(request.olderThanSeconds ?? 0))
        return try await clear(
            session: request.session.map(Optional.some), before: before, isTrial: request.dryRun == true)
    }

    /// Removes files of photos that are delivered everywhere; nothing else is ever cleared.
    private func clear(
        session: Int64??, before: Date, isTrial: Bool
    ) async throws(ControlError) -> StorageAmountReply {
        var cleared = StorageAmountReply()
        var after: Int64 = 0
        while true {
            let start = after
            let photos = try await asking { [ledger] in
                try await ledger.clearablePhotos(
                    savedBefore: before, session: session, after: start, limit: Self.clearedAtOnce)
            }
            guard let last = photos.last else { return cleared }
            after = last.captureID
            var allowed = Set(photos.map(\.captureID))
            if !isTrial {
                let ids = Array(allowed)
                allowed = try await asking { [ledger] in try await ledger.markCleared(ids, at: .now) }
            }
            for photo in photos where allowed.contains(photo.captureID) {
                if !isTrial { try? FileManager.default.removeItem(atPath: photo.path) }
                cleared.files += 1
                cleared.bytes += Int64(clamping: photo.bytes)
            }
        }
    }
}

extension StorageAmountReply {
    init(_ sum: StorageSummary.Sum) {
        self.init(files: sum.files, bytes: Int64(clamping: sum.bytes))
    }
}
