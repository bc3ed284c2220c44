import FoundationEssentials
import FrameFastModel
import FrameFastSystem
import Glibc
import Logging
import Store

/// Removes the files of photos that are delivered everywhere.
///
/// The ledger says first that a photo is being cleared, then its file goes, then the ledger says that it is gone. A
/// crash in between is mended by ``mend()``. A file that is not what was saved stays: somebody worked on it.
struct PhotoClearing: Sendable {
    /// Photos that share their commits.
    static let batch = 50

    let store: LedgerStore
    let clock: UploadClock
    /// One thread of its own: reading through photos must not hold up uploads.
    let files: BlockingPool
    let logger: Logger
    /// Clearing and mending exclude each other: what is being cleared looks like what a crash left.
    private let turn = AsyncSemaphore(permits: 1)

    /// What became of some photos.
    struct Outcome: Hashable, Sendable {
        /// Were cleared.
        var gone: [CaptureRecord] = []
        /// Not removed: not there, not what was saved, or they cannot be removed.
        var kept = 0
        /// Of these, the ones that are there: no other look will find more.
        var untouchable: [CaptureID] = []
        /// Were being cleared when the service ended, and cannot be looked at now: their folder is away.
        var unknown = 0
    }

    /// What was found under a photo's name.
    private enum Finding: Sendable {
        case sound(FileStamp)
        case missing
        case different(String)
    }

    /// Behind how much of the ledger's note the time of a folder may be that changed after it, in seconds: the coarsest
    /// times of file systems (FAT) have steps of two.
    private static let folderTimeSlack = 2.0

    /// Clears those of these photos that still may be.
    func clear(_ photos: [CaptureRecord]) async throws -> Outcome {
        try await alone { try await clearAlone(photos) }
    }

    /// Goes on with what a crash interrupted: a file that is still there and sound is removed. What cannot be looked at,
    /// because its disk is not mounted, stays as it is until another look.
    func mend() async throws -> Outcome {
        try await alone { try await mendAlone() }
    }

    private func alone(_ work: () async throws -> Outcome) async throws -> Outcome {
        guard let outcome = try await turn.withPermit(work) else { throw CancellationError() }
        return outcome
    }

    private func clearAlone(_ photos: [CaptureRecord]) async throws -> Outcome {
        let findings = await files.run { photos.map(Self.look) }
        var outcome = Outcome()
        var stamps: [CaptureID: FileStamp] = [:]
        for (photo, finding) in zip(photos, findings) {
            switch finding {
            case .sound(let stamp): stamps[photo.id] = stamp
            case .missing: outcome.kept += 1
            case .different(let why): note(photo, why, in: &outcome)
            }
        }
        guard !stamps.isEmpty else { return outcome }
        let now = clock.now()
        let begun = try await store.beginClearing(stamps.keys.sorted(), at: now)
        let sound = stamps
        let (gone, stayed) = await files.run {
            Self.remove(photos.filter { begun.contains($0.id) }) { sound[$0.id] }
        }
        for (photo, why) in stayed { note(photo, why, in: &outcome) }
        try await store.endClearing(gone: gone.map(\.id), kept: stayed.map(\.photo.id))
        outcome.gone = gone.map { photo in
            var photo = photo
            photo.clearedAt = now
            return photo
        }
        return outcome
    }

    private func mendAlone() async throws -> Outcome {
        var outcome = Outcome()
        let photos = try await store.interruptedClearings()
        guard !photos.isEmpty else { return outcome }
        let (gone, stayed, unknown) = await files.run {
            var missing: [CaptureRecord] = []
            var unknown = 0
            var different: [(photo: CaptureRecord, why: String)] = []
            var stamps: [CaptureID: FileStamp] = [:]
            for photo in photos {
                switch Self.look(photo) {
                case .sound(let stamp): stamps[photo.id] = stamp
                case .missing:
                    switch Self.removal(of: photo) {
                    case .happened: missing.append(photo)
                    case .unknown: unknown += 1
                    case .somethingElse(let why): different.append((photo, why))
                    }
                case .different(let why): different.append((photo, why))
                }
            }
            let (gone, stayed) = Self.remove(photos.filter { stamps[$0.id] != nil }) { stamps[$0.id] }
            return (missing + gone, different + stayed, unknown)
        }
        outcome.unknown = unknown
        for (photo, why) in stayed { note(photo, why, in: &outcome) }
        try await store.endClearing(gone: gone.map(\.id), kept: stayed.map(\.photo.id))
        if !gone.isEmpty {
            logger.info("finished clearing photos", metadata: ["photos": "\(gone.count)"])
        }
        if unknown > 0 {
            logger.notice(
                "cannot tell whether photos were cleared: their folder is away",
                metadata: ["photos": "\(unknown)"])
        }
        outcome.gone = gone
        return outcome
    }

    private static func look(_ photo: CaptureRecord) -> Finding {
        guard let path = photo.path, let stamp = FileStamp(path) else { return .missing }
        do throws(UploadFailure) { try LocalFile.check(photo, byHash: true) } catch {
            return .different(error.sentence)
        }
        return .sound(stamp)
    }

    /// Whether a file that is not there was removed.
    private enum Removal {
        case happened
        /// Its folder is not there, or nothing that was in it.
        case unknown
        case somethingElse(String)
    }

    private static func removal(of photo: CaptureRecord) -> Removal {
        let path = photo.path ?? ""
        switch LocalTrouble.absence(of: path) {
        case .file: return .happened
        case .folder, .unlisted: return .unknown
        case .content(let folder):
            // The last photo leaves its folder as empty as a disk that is not mounted leaves its own; but that one was not
            // changed since the ledger's note.
            guard let begun = photo.clearedAt, let changed = FileStamp.changeOfFolder(folder) else {
                return .unknown
            }
            return changed >= begun.timeIntervalSince1970 - folderTimeSlack ? .happened : .unknown
        case .nothing:
            return FileStamp(path) == nil && DurableFile.exists(path)
                ? .somethingElse("Something that is no photo has the name \(path).") : .unknown
        }
    }

    /// Removes files that are still the ones that were looked at, durably.
    private static func remove(
        _ photos: [CaptureRecord], stamp: (CaptureRecord) -> FileStamp?
    ) -> (gone: [CaptureRecord], stayed: [(photo: CaptureRecord, why: String)]) {
        var gone: [CaptureRecord] = []
        var stayed: [(photo: CaptureRecord, why: String)] = []
        var folders: Set<String> = []
        for photo in photos {
            let path = photo.path ?? ""
            // Also when it is not there any more: its disk may have gone, and it was not this that removed it.
            guard let now = FileStamp(path), now == stamp(photo) else {
                stayed.append((photo, "The file \(path) was changed or moved just now."))
                continue
            }
            do throws(SystemCallError) {
                try DurableFile.remove(path)
                folders.insert(DurableFile.parent(of: path))
                gone.append(photo)
            } catch {
                stayed.append((photo, "\(error)"))
            }
        }
        // Without this a power cut could bring back a file that the ledger takes for gone: no harm but its room.
        for folder in folders { try? DurableFile.syncFolder(folder) }
        return (gone, stayed)
    }

    private func note(_ photo: CaptureRecord, _ why: String, in outcome: inout Outcome) {
        outcome.kept += 1
        outcome.untouchable.append(photo.id)
        logger.notice(
            "a delivered photo is not cleared",
            metadata: ["photo": "\(photo.path ?? "")", "reason": "\(why)"])
    }
}
