import Cameras
import FrameFastModel
import FrameFastSystem
import Synchronization
import SystemPackage
import TextForms

/// A monitor of the capture disk's free space, shared by all cameras. The monitor raises conditions when the
/// disk fills up.
final class FreeSpaceMonitor: Sendable {
    private let directory: String
    private let conditionBoard: ConditionBoard
    private let clock: HostClock
    private let state: Mutex<State>

    private struct State {
        var disk: DiskGuard
        /// The photos that wait for disk space, by camera.
        var waits: [CameraID: FreeSpaceWait] = [:]
        /// The free space with which each camera can fetch its smallest waiting photo, in bytes, or 0 if no
        /// photo waits.
        var photoNeedBytes: UInt64 { waits.values.compactMap(\.photoNeedBytes).max() ?? 0 }
        /// The obstacle that prevents saving to the folder, or `nil` if the folder is usable or was not
        /// checked yet.
        var obstacle: WorkFolders.Obstacle?
        /// The uptime of the last attempt on a disk that refuses writes despite enough free space, in
        /// seconds, or `nil` if the disk accepts writes.
        var doubtedSince: Double?
        /// The smallest size of a file that each file system refused, in bytes.
        var refusedBytes: [DiskIdentity: UInt64] = [:]
    }

    /// The interval between two attempts on a disk that refuses writes despite enough free space, in seconds.
    /// Causes are a quota, exhausted inodes or another program that fills the disk.
    private static let doubtPauseSeconds = 2.0

    /// The smallest size that a file system may refuse, in bytes. FAT16 allows fewer than 2 GiB.
    private static let refusableBytesMin: UInt64 = (1 << 31) - 1

    /// A function that returns the free space of a folder's disk, in bytes.
    typealias Measure = @Sendable (_ folder: String) throws(SystemCallError) -> UInt64

    private let measure: Measure
    private let identify: @Sendable (_ folder: String) -> DiskIdentity?
    private let folder: @Sendable (CaptureRecord) -> String

    /// - Parameters:
    ///   - identify: A function that returns the file system of a folder, or `nil` if it is unknown.
    ///   - folder: A function that returns the folder in which a photo will be saved. The folder may be on
    ///     another file system than the capture directory.
    init(
        directory: String, minFreeBytes: UInt64, conditionBoard: ConditionBoard, clock: HostClock,
        measure: @escaping Measure = { folder throws(SystemCallError) in try DiskSpace.of(folder).freeBytes },
        identify: @escaping @Sendable (_ folder: String) -> DiskIdentity? = { try? DiskIdentity.of($0) },
        folder: (@Sendable (CaptureRecord) -> String)? = nil
    ) {
        self.directory = directory
        self.identify = identify
        self.folder = folder ?? { _ in directory }
        self.conditionBoard = conditionBoard
        self.clock = clock
        self.measure = measure
        state = Mutex(State(disk: DiskGuard(minFreeBytes: minFreeBytes)))
    }

    /// Sets the disk space that stays free, in bytes.
    func setMinFreeBytes(_ minFreeBytes: UInt64) {
        state.withLock { $0.disk.minFreeBytes = minFreeBytes }
        _ = poll()
    }

    /// Removes and returns a camera's next photo that fits on the disk, or returns `nil` if no photo may be
    /// fetched now.
    ///
    /// - Parameter pendingBytes: The bytes that running transfers still have to write.
    func nextPhoto(
        in queue: inout FetchQueue, of camera: ConfiguredCamera, pendingBytes: UInt64
    ) -> CaptureRecord? {
        guard let free = freeBytes else { return nil }
        let now = clock.uptime()
        let (record, snapshot) = state.withLock { state -> (CaptureRecord?, State) in
            // The disk is treated as full until a photo is saved. Until then, one photo is attempted every
            // `doubtPauseSeconds`.
            let mayTry = state.doubtedSince.map { now - $0 >= Self.doubtPauseSeconds } ?? true
            var wait = FreeSpaceWait()
            var need: UInt64 = 0
            let record = queue.next { record in
                let (sum, overflow) = record.object.size.addingReportingOverflow(pendingBytes)
                need = overflow ? .max : sum
                let refusing = refusingFolder(of: record, state.refusedBytes)
                guard refusing == nil, state.disk.fits(needBytes: need, freeBytes: free) else {
                    wait.refuse(record.object, needBytes: need, refusedBy: refusing)
                    return false
                }
                return mayTry
            }
            state.waits[camera.id] = wait
            let needed = max(state.photoNeedBytes, record == nil ? 0 : need)
            _ = state.disk.admit(needBytes: needed, freeBytes: free)
            if state.doubtedSince != nil {
                state.disk.recordFailedWrite()
                if record != nil { state.doubtedSince = now }
            }
            return (record, state)
        }
        updateConditions(snapshot)
        updateCondition(for: snapshot.waits[camera.id] ?? FreeSpaceWait(), of: camera, snapshot.disk)
        return record
    }

    /// Returns whether the disk has space for this many bytes. Does not change conditions.
    func hasSpace(for bytes: UInt64) -> Bool {
        guard let free = try? measure(directory) else { return false }
        return state.withLock { $0.doubtedSince == nil && $0.disk.fits(needBytes: bytes, freeBytes: free) }
    }

    /// Clears the wait of a camera that has no more photos waiting for disk space.
    func clearWait(of camera: ConfiguredCamera) {
        guard let wait = state.withLock({ $0.waits.removeValue(forKey: camera.id) }) else { return }
        if wait.large != nil { conditionBoard.clear(.tooLargeForDisk, subject: .camera(camera.id)) }
    }

    /// Records that a write failed because the disk was full.
    func recordWriteFailure() {
        guard let free = freeBytes else { return }
        updateConditions(
            state.withLock { state in
                _ = state.disk.admit(needBytes: state.photoNeedBytes, freeBytes: free)
                state.disk.recordFailedWrite()
                state.doubtedSince = clock.uptime()
                return state
            })
    }

    /// Records that the file system of a folder refused a file because of its size. Files of this size and
    /// larger files for this file system then wait until the capture directory is created again or was
    /// unavailable.
    ///
    /// - Returns: Whether the size was recorded. `false` for a size that every file system allows. An EOS may
    ///   announce such a size for a file of 4 GiB or more, because it reports only the lower 32 bits.
    func recordRefusedSize(_ bytes: UInt64, in folder: String) -> Bool {
        guard bytes >= Self.refusableBytesMin, let disk = identify(folder) else { return false }
        state.withLock { $0.refusedBytes[disk] = min($0.refusedBytes[disk] ?? .max, bytes) }
        return true
    }

    /// Returns the folder whose file system refuses a photo because of its size, or `nil` if no file system
    /// refuses the photo. Each photo is first written to the capture directory, and then moved to its folder.
    private func refusingFolder(of record: CaptureRecord, _ refused: [DiskIdentity: UInt64]) -> String? {
        let bytes = record.object.size
        guard !refused.isEmpty, bytes >= Self.refusableBytesMin else { return nil }
        return [directory, folder(record)].first { place in
            identify(place).flatMap { refused[$0] }.map { bytes >= $0 } ?? false
        }
    }

    /// Returns the folder of a path if the folder is on another file system than the capture directory;
    /// otherwise `nil`.
    func folderOnOtherDisk(of path: String) -> String? {
        let folder = DurableFile.parent(of: path)
        guard path.hasPrefix("/"), let disk = identify(folder), let own = identify(directory), disk != own
        else { return nil }
        return folder
    }

    /// Records that a photo was saved.
    func recordWrite() {
        guard state.withLock({ $0.doubtedSince != nil }) else { return }
        updateConditions(
            state.withLock { state in
                state.doubtedSince = nil
                _ = state.disk.admit(needBytes: state.photoNeedBytes, freeBytes: state.disk.freeBytes)
                return state
            })
    }

    /// Measures the free space and updates the conditions.
    func poll() -> DiskGuard {
        guard let free = freeBytes else {
            return state.withLock { state in
                state.disk.setFolderUnavailable()
                return state.disk
            }
        }
        let state = state.withLock { state in
            _ = state.disk.admit(needBytes: state.photoNeedBytes, freeBytes: free)
            if state.doubtedSince != nil { state.disk.recordFailedWrite() }
            return state
        }
        updateConditions(state)
        return state.disk
    }

    /// The free space, in bytes, or `nil` if the folder is missing or its disk cannot be measured. A missing
    /// folder raises a different condition than a full disk.
    private var freeBytes: UInt64? {
        if let obstacle = state.withLock(\.obstacle) {
            if let reason = obstacle.shortage { return reportShortage(reason) }
            conditionBoard.endShortage(of: .folder(directory))
            conditionBoard.raise(
                .photosAway,
                sentence: "The photo folder \(directory) \(obstacle.problem): photos wait on the card.",
                nextStep: obstacle.nextStep)
            return nil
        }
        do {
            let free = try measure(directory)
            conditionBoard.clear(.photosAway)
            conditionBoard.endShortage(of: .folder(directory))
            return free
        } catch {
            if error.errno.isExhausted { return reportShortage(error.errno) }
            conditionBoard.endShortage(of: .folder(directory))
            conditionBoard.raise(
                .photosAway, .warning,
                sentence:
                    "The photo folder \(directory) is unavailable\(error.isMissing ? "" : " (\(error))").",
                nextStep:
                    "If the folder was moved by mistake, move it back. Otherwise, FrameFast creates a new folder for the next photo."
            )
            return nil
        }
    }

    /// Reports that the folder can't be used because the service lacks file descriptors or memory. Clears the
    /// condition for a missing folder.
    ///
    /// - Returns: Always `nil`, because the free space is unknown.
    private func reportShortage(_ reason: Errno) -> UInt64? {
        conditionBoard.clear(.photosAway)
        conditionBoard.reportShortage(
            .folder(directory), "photos wait on the card, because \(directory) cannot be used", reason)
        return nil
    }

    /// Records the state of the folder before a photo is written.
    /// - Returns: Whether a photo may be written.
    func recordFolder(_ availability: WorkFolders.Availability) -> Bool {
        switch availability {
        case .existing, .created:
            let wasGone = state.withLock { state in
                defer { state.obstacle = nil }
                if state.obstacle != nil || availability == .created { state.refusedBytes = [:] }
                return state.obstacle != nil
            }
            if wasGone { _ = poll() }
            return true
        case .unrepaired: return false
        case .unavailable(let obstacle):
            state.withLock { $0.obstacle = obstacle }
            _ = poll()
            return false
        }
    }

    /// Raises the condition for files that are too large for the free space or the file system, or clears the
    /// condition.
    private func updateCondition(for wait: FreeSpaceWait, of camera: ConfiguredCamera, _ disk: DiskGuard) {
        guard let large = wait.large else {
            return conditionBoard.clear(.tooLargeForDisk, subject: .camera(camera.id))
        }
        let others = wait.largeCount > 1 ? " (and \(wait.largeCount - 1) more of at least this size)" : ""
        let what = "\(SafeName.component(large.name)) has \(ByteSizeText.text(of: large.bytes))\(others)"
        let place = large.isInMemory ? "in the camera" : "on the card"
        if let folder = large.refusedBy {
            return conditionBoard.raise(
                .tooLargeForDisk, subject: .camera(camera.id),
                sentence:
                    "\(camera.name): \(what), but the file system of \(folder) does not allow a file of "
                    + "this size. FAT32 allows 4.3 GB. This file waits \(place). "
                    + "FrameFast fetches the other files.",
                nextStep:
                    "Save photos to a disk with exFAT or ext4, or copy the file with a card reader. "
                    + "Do not format the card.")
        }
        conditionBoard.raise(
            .tooLargeForDisk, subject: .camera(camera.id),
            sentence:
                "\(camera.name): \(what), but the disk with \(directory) has only \(Self.free(disk)). "
                + "This file waits \(place). FrameFast fetches the other files.",
            nextStep:
                "Free some space in \(directory) to fetch the file, or copy the file with a card reader. "
                + "Do not format the card.")
    }

    /// Returns the text about the free space and the bytes that must stay free.
    private static func free(_ disk: DiskGuard) -> String {
        let free = "\(ByteSizeText.text(of: disk.freeBytes)) free"
        guard disk.minFreeBytes > 0 else { return free }
        return
            "\(free); photos are fetched only while at least \(ByteSizeText.text(of: disk.minFreeBytes)) are free"
    }

    private func updateConditions(_ state: State) {
        let disk = state.disk
        let free = Self.free(disk)
        switch disk.level {
        case .away: break
        case .ok:
            conditionBoard.clear(.diskFull)
            conditionBoard.clear(.diskLow)
        case .low:
            conditionBoard.clear(.diskFull)
            conditionBoard.raise(
                .diskLow, sentence: "The disk with \(directory) is getting full (\(free)).",
                nextStep: "Photos are still saved. Move finished sessions to another disk.")
        case .full:
            conditionBoard.clear(.diskLow)
            conditionBoard.raise(
                .diskFull,
                sentence: state.doubtedSince == nil
                    ? "The disk with \(directory) is full (\(free)): photos wait on the card."
                    : "The disk with \(directory) accepts no more photos: it is out of space or inodes, or a quota is reached "
                        + "(\(free)): photos wait on the card.",
                nextStep:
                    "Free some space in \(directory). FrameFast then continues automatically. Do not format the card."
            )
        }
    }
}
