import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import Store

/// Creates API replies from the model.
extension CameraReply {
    /// Creates the reply for a camera's current state.
    init(_ status: CameraStatus, newest: NewestCaptures) {
        let facts = status.facts
        let last = newest.capture(of: status.id)
        self.init(
            id: status.id, name: status.name, maker: facts?.maker, model: facts?.model, serial: facts?.serial,
            firmware: facts?.firmware, port: status.port, state: status.state,
            batteryPercent: facts?.batteryPercent, shotsLeft: facts?.shotsLeft,
            burstShotsLeft: facts?.burstShotsLeft, inMemory: facts?.bufferedObjects,
            exposure: ExposureLine(status.settings).map {
                ExposureReply($0, source: status.settingsSource)
            },
            operation: status.operation.map(OperationReply.init), isLive: facts?.isLive ?? false,
            clockDriftSeconds: facts?.clockDriftSeconds,
            storages: (facts?.storages ?? []).map {
                StorageReply(
                    label: $0.label.isEmpty ? $0.folder : $0.label,
                    capacityBytes: $0.capacityBytes.map(Int64.init(clamping:)),
                    freeBytes: $0.freeBytes.map(Int64.init(clamping:)))
            },
            lastCapture: last.flatMap { record in
                record.path.flatMap { path in
                    record.savedAt.map { LastCaptureReply(id: record.id, path: path, savedAt: $0) }
                }
            },
            progress: status.transfer.map {
                ProgressReply(
                    originalName: $0.name, bytes: Int64(clamping: $0.bytes),
                    totalBytes: Int64(clamping: $0.total))
            }, listing: status.listing.map { ListingReply(objects: $0.read, totalObjects: $0.total) },
            pending: status.pending, mode: status.mode?.rawValue,
            guidance: status.guidance.map(GuidanceReply.init),
            captureTarget: facts?.captureTarget, isIgnored: status.isIgnored, lastSeenAt: status.lastSeenAt)
    }
}

extension CaptureReply {
    /// Creates the reply for a capture, with the current name of its camera.
    init(_ capture: CaptureStatus, naming: CaptureNaming) {
        let (record, photo) = (capture.record, naming.photo(capture.record))
        self.init(
            id: record.id, shotID: record.shotID, shotState: capture.shotState,
            path: record.state == .saved ? record.path : nil, originalName: record.object.name,
            size: Int64(clamping: record.size), sha256: record.sha256, cameraID: photo.camera.id,
            cameraName: photo.camera.name, session: record.sessionID, capturedAt: photo.takenAt,
            detectedAt: record.detectedAt, savedAt: record.savedAt,
            state: capture.state, transferMs: record.transferMs,
            savedMs: record.savedAt.map { Int($0.timeIntervalSince(record.detectedAt) * 1000) },
            problem: record.failure, clearedAt: record.clearedAt,
            verified: record.state == .saved ? record.verified : nil)
    }
}

extension ConditionReply {
    /// Creates the reply for a condition.
    ///
    /// - Parameter cameraName: Returns the name of a camera.
    init(_ condition: Condition, cameraName: (CameraID) -> String) {
        let name = condition.subject.map { $0.camera.map(cameraName) ?? $0.text }
        self.init(
            code: condition.code, severity: condition.severity, since: condition.since,
            about: condition.kind.subject, subject: condition.subject?.text, name: name,
            short: condition.kind.short(name), sentence: condition.sentence, nextStep: condition.nextStep)
    }
}

extension SessionReply {
    init(_ sum: LedgerStore.SessionSum) {
        let session = sum.session
        self.init(
            id: session.id, name: session.name, startedAt: session.startedAt, endedAt: session.stoppedAt,
            shots: sum.shots, captures: sum.captures, bytes: Int64(clamping: sum.bytes),
            uploadMode: session.uploadMode, keep: session.keep?.text)
    }
}
