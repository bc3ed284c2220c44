import FoundationEssentials
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import Store

/// An operation that removes the local files of photos that are delivered to all their destinations.
///
/// First, the ledger records that a photo is being cleared. Then the file is removed, and the ledger records
/// the removal. ``resumeInterrupted()`` completes clearings that a crash interrupted. A file that differs
/// from the saved photo is not removed, because a person has edited it.
struct PhotoClearing: Sendable {
    /// The number of photos in one commit.
    static let batch = 50

    let store: LedgerStore
    let clock: HostClock
    /// The threads that read photos. Uploads use other threads, because reading many photos must not delay
    /// uploads.
    let files: BlockingPool
    let logger: Logger
    /// A mutex that serializes clearings. Without it, ``resumeInterrupted()`` would treat a running clearing
    /// as interrupted.
    private let mutex = AsyncSemaphore(permits: 1)

    /// The result of clearing some photos.
    struct Outcome: Hashable, Sendable {
        /// The photos whose files were removed.
        var gone: [CaptureRecord] = []
        /// The number of files that were not removed because they were missing, changed or not removable.
        var kept = 0
        /// The kept photos whose files differ from the saved photos. The service does not try them again
        /// before a restart.
        var unremovable: [CaptureID] = []
        /// The number of photos whose interrupted clearing can't be checked now, for example because their
        /// folder is missing.
        var unknown = 0
    }

    /// The result of a check of a photo's file.
    private enum Finding: Sendable {
        case sound(FileStamp)
        case missing
        /// The file cannot be read or removed now. The value is the reason.
        case unavailable(String)
        case different(String)
    }

    /// The tolerance for a folder's modification time, in seconds. FAT has the coarsest timestamps, with
    /// steps of two seconds.
    private static let folderTimeSlack = 2.0

    /// Removes the files of these photos. Skips photos that the ledger no longer allows to clear.
    func clear(_ photos: [CaptureRecord]) async throws -> Outcome {
        try await exclusively { try await clearExclusively(photos) }
    }

    /// Continues clearings that a crash interrupted. Removes each file that still exists and is unchanged.
    /// Files on an unmounted disk can't be checked, and wait for a later call.
    func resumeInterrupted() async throws -> Outcome {
        try await exclusively { try await resumeInterruptedExclusively() }
    }

    private func exclusively(_ work: () async throws -> Outcome) async throws -> Outcome {
        guard let outcome = try await mutex.withPermit(work) else { throw CancellationError() }
        return outcome
    }

    private func clearExclusively(_ photos: [CaptureRecord]) async throws -> Outcome {
        let findings = await files.run { photos.map(Self.inspect) }
        var outcome = Outcome()
        var stamps: [CaptureID: FileStamp] = [:]
        var unavailable: [String] = []
        for (photo, finding) in zip(photos, findings) {
            switch finding {
            case .sound(let stamp): stamps[photo.id] = stamp
            case .missing: outcome.kept += 1
            case .unavailable(let why): unavailable.append(why)
            case .different(let why):
                recordKept(photo, why, in: &outcome)
                outcome.unremovable.append(photo.id)
            }
        }
        recordUnavailable(unavailable, in: &outcome)
        guard !stamps.isEmpty else { return outcome }
        let now = clock.now()
        let begun = try await store.beginClearing(stamps.keys.sorted(), at: now)
        SimulatedHost.pass(.clearingRecorded)
        let sound = stamps
        let (gone, stayed) = await files.run {
            Self.remove(photos.filter { begun.contains($0.id) }) { sound[$0.id] }
        }
        for (photo, why) in stayed { recordKept(photo, why, in: &outcome) }
        try await store.endClearing(gone: gone.map(\.id), kept: stayed.map(\.photo.id))
        outcome.gone = gone.map { photo in
            var photo = photo
            photo.clearedAt = now
            return photo
        }
        return outcome
    }

    private func resumeInterruptedExclusively() async throws -> Outcome {
        var outcome = Outcome()
        let photos = try await store.interruptedClearings()
        guard !photos.isEmpty else { return outcome }
        let (gone, different, stayed, unknown) = await files.run {
            var missing: [CaptureRecord] = []
            var unknown = 0
            var different: [(photo: CaptureRecord, why: String)] = []
            var unavailable: [(photo: CaptureRecord, why: String)] = []
            var stamps: [CaptureID: FileStamp] = [:]
            for photo in photos {
                switch Self.inspect(photo) {
                case .sound(let stamp): stamps[photo.id] = stamp
                case .missing:
                    switch Self.removal(of: photo) {
                    case .happened: missing.append(photo)
                    case .unknown: unknown += 1
                    case .somethingElse(let why): different.append((photo, why))
                    }
                case .unavailable(let why): unavailable.append((photo, why))
                case .different(let why): different.append((photo, why))
                }
            }
            let (gone, stayed) = Self.remove(photos.filter { stamps[$0.id] != nil }) { stamps[$0.id] }
            return (missing + gone, different, unavailable + stayed, unknown)
        }
        outcome.unknown = unknown
        outcome.unremovable = different.map(\.photo.id)
        for (photo, why) in different + stayed { recordKept(photo, why, in: &outcome) }
        try await store.endClearing(
            gone: gone.map(\.id), kept: outcome.unremovable + stayed.map(\.photo.id))
        if !gone.isEmpty {
            logger.info("finished clearing photos", metadata: ["photos": "\(gone.count)"])
        }
        if unknown > 0 {
            logger.notice(
                "cannot determine whether photos were cleared, because their folder is unavailable",
                metadata: ["photos": "\(unknown)"])
        }
        outcome.gone = gone
        return outcome
    }

    private static func inspect(_ photo: CaptureRecord) -> Finding {
        guard let path = photo.path, let stamp = FileStamp(path) else { return .missing }
        // The caller tries again every hour, and must not read all photos of a read-only disk each time.
        let folder = DurableFile.parent(of: path)
        guard access(folder, W_OK | X_OK) == 0 else {
            return .unavailable("The folder \(folder) is not writable.")
        }
        do throws(UploadFailure) { try LocalFile.check(photo, byHash: true) } catch {
            guard case .permanent = error.kind else { return .unavailable(error.sentence) }
            return .different(error.sentence)
        }
        return .sound(stamp)
    }

    /// The cause of a missing file: the interrupted clearing, or something else.
    private enum Removal {
        case happened
        /// Unknown, for example because the file's folder is missing, or is the mount point of an unmounted
        /// disk.
        case unknown
        case somethingElse(String)
    }

    private static func removal(of photo: CaptureRecord) -> Removal {
        let path = photo.path ?? ""
        switch LocalFailureMapping.absence(of: path) {
        case .file: return .happened
        case .folder, .unlisted: return .unknown
        case .content(let folder):
            // An empty folder is either the mount point of an unmounted disk, or a folder whose last photo
            // was removed. The removal modified the folder after the recorded start of the clearing. A mount
            // point has an older modification time.
            guard let begun = photo.clearedAt, let changed = FileStamp.modificationTimeOfFolder(folder) else {
                return .unknown
            }
            return changed >= begun.timeIntervalSince1970 - folderTimeSlack ? .happened : .unknown
        case .nothing:
            return FileStamp(path) == nil && DurableFile.exists(path)
                ? .somethingElse("\(path) is not a photo.") : .unknown
        }
    }

    /// Durably removes the files whose stamps have not changed since the check.
    private static func remove(
        _ photos: [CaptureRecord], stamp: (CaptureRecord) -> FileStamp?
    ) -> (gone: [CaptureRecord], stayed: [(photo: CaptureRecord, why: String)]) {
        var gone: [CaptureRecord] = []
        var stayed: [(photo: CaptureRecord, why: String)] = []
        var folders: Set<String> = []
        for photo in photos {
            let path = photo.path ?? ""
            // A missing file counts as changed, because its disk may be unmounted.
            guard let now = FileStamp(path), now == stamp(photo) else {
                stayed.append((photo, "The file \(path) was changed or moved during the removal."))
                continue
            }
            do throws(SystemCallError) {
                try DurableFile.remove(path)
                SimulatedHost.pass(.fileCleared)
                folders.insert(DurableFile.parent(of: path))
                gone.append(photo)
            } catch {
                stayed.append((photo, "\(error)"))
            }
        }
        // A failed sync is harmless. After a power cut, a removed file may reappear and use disk space.
        for folder in folders { try? DurableFile.syncFolder(folder) }
        return (gone, stayed)
    }

    /// Records kept photos with one log message, because many photos may be tried again every hour.
    private func recordUnavailable(_ reasons: [String], in outcome: inout Outcome) {
        guard let first = reasons.first else { return }
        outcome.kept += reasons.count
        logger.notice(
            "delivered photos were not cleared",
            metadata: ["photos": "\(reasons.count)", "reason": "\(first)"])
    }

    private func recordKept(_ photo: CaptureRecord, _ why: String, in outcome: inout Outcome) {
        outcome.kept += 1
        logger.notice(
            "a delivered photo was not cleared",
            metadata: ["photo": "\(photo.path ?? "")", "reason": "\(why)"])
    }
}
