import Foundation
import FrameFastSystem
import Synchronization
import SystemPackage

/// The disk of a simulated computer, with real files in a temporary folder.
///
/// At the n-th disk call, a plan can make the call fail, kill the service, or cut the power. A plan can also
/// kill the service at the n-th pass of a fault point.
///
/// A kill copies the whole disk. A power failure copies the data that ``DurableData`` lets survive. The tasks
/// of the killed service end on the old files, and the next service starts on the copy. The photos have the
/// same path in each run, because the ledger records absolute paths.
///
/// In a power failure, a commit of the ledger is atomic and durable. At each start, the ledger checks that
/// SQLite provides this.
final class SimulatedDisk: Sendable {
    /// The effect of a fault.
    enum Effect: Hashable, Sendable {
        /// The call fails with this error.
        case fail(Errno)
        /// The service is killed before the call.
        case kill
        /// The power fails before the call.
        case cutPower
    }

    /// A fault of a future disk call.
    struct Fault: Hashable, Sendable {
        var call: SimulatedHost.DiskCall
        /// The number of calls of this kind that succeed before the fault.
        var after: Int
        var effect: Effect
        /// Whether the fault concerns only calls with an existing folder.
        var isOnlyForFolders = false
        /// The number of disk calls from the fault to a power failure, or `nil` if none follows.
        var callsToPowerFailure: Int?
    }

    /// The behavior of a disk in power failures.
    struct Power: Hashable, Sendable {
        /// Whether each sync makes all names durable, like the journal of ext4.
        var isJournaled: Bool
        /// The seed that chooses the surviving data.
        var seed: UInt64
    }

    /// A kill at a future pass of a fault point.
    struct PointKill: Hashable, Sendable {
        var point: FaultPoint
        /// The number of passes of this point before the kill.
        var after: Int
    }

    private struct State {
        var generation = 0
        var faults: [Fault] = []
        var pointKills: [PointKill] = []
        var passes: [FaultPoint: Int] = [:]
        var killsAt: [FaultPoint: Int] = [:]
        var failedCommits = 0
        var isKilled = false
        var foreign: [String: Data] = [:]
        /// The data that survives a power failure, or `nil` if the power never fails.
        var durable: DurableData?
        /// The number of disk calls until the power fails, or `nil`.
        var callsToPowerFailure: Int?
        /// Whether the last kill was a power failure.
        var hasLostPower = false
    }

    let root: String
    private let trace: SimulationTrace
    private let state = Mutex(State())

    /// Creates an empty disk.
    ///
    /// - Parameter power: The behavior in power failures, or `nil` if the power never fails.
    init(root: String, trace: SimulationTrace, power: Power? = nil) throws {
        self.root = root
        self.trace = trace
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: stateFolder, withIntermediateDirectories: true)
        guard let power else { return }
        let durable = DurableData(
            root: photos, randomNames: FolderMark.workFolder, isJournaled: power.isJournaled,
            random: SimulationRandom(seed: power.seed))
        state.withLock { $0.durable = durable }
    }

    /// The capture directory.
    var photos: String { root + "/photos" }
    /// The state directory of this run.
    var stateFolder: String { "\(root)/state-\(state.withLock(\.generation))" }
    /// Whether the service of this run was killed. The disk calls of a killed service fail, and its requests
    /// have no effect.
    var isKilled: Bool { state.withLock(\.isKilled) }
    /// The number of the run. Each kill starts another run.
    var generation: Int { state.withLock(\.generation) }

    private var copyOfPhotos: String { root + "/photos-next" }

    // MARK: faults

    /// Adds a fault.
    func add(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

    /// Adds a kill at a fault point.
    func add(_ kill: PointKill) { state.withLock { $0.pointKills.append(kill) } }

    /// Makes the next sync fail.
    func failNextSync() { add(Fault(call: .sync, after: 0, effect: .fail(.ioError))) }

    /// The number of failed commits of the ledger.
    var failedCommits: Int { state.withLock(\.failedCommits) }

    /// Removes all faults, and all kills at fault points.
    func repair() {
        state.withLock { state in
            state.faults = []
            state.pointKills = []
            state.callsToPowerFailure = nil
        }
    }

    /// Throws an error if the call has a fault, or if the service was killed. A fault may also kill the
    /// service.
    func willPerform(_ call: SimulatedHost.DiskCall, _ path: String) throws(SystemCallError) {
        let isFolder = DurableFile.isFolder(path)
        let effect = state.withLock { state -> Effect? in
            guard !state.isKilled else { return .fail(.ioError) }
            if let calls = state.callsToPowerFailure {
                guard calls > 0 else { return .cutPower }
                state.callsToPowerFailure = calls - 1
            }
            var due: Effect?
            var callsToPowerFailure = state.callsToPowerFailure
            state.faults = state.faults.compactMap { fault -> Fault? in
                guard fault.call == call, isFolder || !fault.isOnlyForFolders else { return fault }
                guard fault.after == 0 else {
                    var later = fault
                    later.after -= 1
                    return later
                }
                due = due ?? fault.effect
                callsToPowerFailure = callsToPowerFailure ?? fault.callsToPowerFailure
                return nil
            }
            state.callsToPowerFailure = callsToPowerFailure
            if due == nil { state.durable?.record(call, path) }
            if call == .commit, case .fail = due { state.failedCommits += 1 }
            return due
        }
        switch effect {
        case nil: return
        case .fail(let errno):
            if !isKilled { trace.add("disk: \(call) in \(folder(of: path)) fails: \(errno)") }
            throw SystemCallError(call: "\(call)", subject: path, errno: errno)
        case .kill:
            trace.add("disk: killed before \(call) in \(folder(of: path))")
            kill()
            throw SystemCallError(call: "\(call)", subject: path, errno: .ioError)
        case .cutPower:
            trace.add("disk: the power fails before \(call) in \(folder(of: path))")
            cutPower()
            throw SystemCallError(call: "\(call)", subject: path, errno: .ioError)
        }
    }

    /// Counts a pass of a fault point, and kills the service if a kill is due there. Ignores the passes of a
    /// killed service.
    func pass(_ point: FaultPoint) {
        let isDue = state.withLock { state -> Bool in
            guard !state.isKilled else { return false }
            state.passes[point, default: 0] += 1
            var mustKill = false
            state.pointKills = state.pointKills.compactMap { kill -> PointKill? in
                guard kill.point == point else { return kill }
                guard kill.after == 0 else { return PointKill(point: point, after: kill.after - 1) }
                mustKill = true
                return nil
            }
            if mustKill { state.killsAt[point, default: 0] += 1 }
            return mustKill
        }
        guard isDue else { return }
        trace.add("killed at \(point)")
        kill()
    }

    /// Returns the number of passes of a fault point, and the number of kills there.
    func count(of point: FaultPoint) -> (passes: Int, kills: Int) {
        state.withLock { (passes: $0.passes[point] ?? 0, kills: $0.killsAt[point] ?? 0) }
    }

    /// Returns the folder of a path, relative to the root. The trace contains no file name, because names of
    /// temporary files are random.
    private func folder(of path: String) -> String {
        let folder = DurableFile.parent(of: path)
        return folder.hasPrefix(root) ? String(folder.dropFirst(root.count)) : folder
    }

    // MARK: kills

    /// Kills the service, and copies the disk for the next run. Later kills in the same run have no effect.
    func kill() { endRun(losesPower: false) }

    /// Cuts the power, and writes the surviving data for the next run. Later kills in the same run have no
    /// effect.
    func cutPower() { endRun(losesPower: true) }

    private func endRun(losesPower: Bool) {
        let isFirst = state.withLock { state in
            guard !state.isKilled else { return false }
            (state.isKilled, state.hasLostPower, state.callsToPowerFailure) = (true, losesPower, nil)
            return true
        }
        guard isFirst else { return }
        do {
            if losesPower, let lost = try writeSurvivors() {
                trace.add("disk: \(lost) file(s) lost their names or bytes")
            } else {
                state.withLock { state -> Void in state.durable?.prepareCopy() }
                try copy(photos, to: copyOfPhotos)
            }
            try copy(stateFolder, to: "\(root)/state-\(generation + 1)")
        } catch { fatalError("cannot copy the simulated disk: \(error)") }
    }

    /// Writes the photos that survive a power failure.
    ///
    /// - Returns: The number of files whose names or bytes are lost, or `nil` if the power never fails.
    private func writeSurvivors() throws -> Int? {
        try state.withLock { [copyOfPhotos] state in try state.durable?.writeSurvivors(to: copyOfPhotos) }
    }

    /// Copies a folder, except SQLite's shared memory, which does not survive a process.
    private func copy(_ folder: String, to copy: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for name in try files.subpathsOfDirectory(atPath: folder).sorted() where !name.hasSuffix("-shm") {
            var isFolder: ObjCBool = false
            guard files.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                try files.createDirectory(atPath: "\(copy)/\(name)", withIntermediateDirectories: true)
            } else {
                try files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
            }
        }
    }

    /// Replaces the disk with the copy that the kill made. Call this after all tasks of the killed service
    /// have ended.
    func restart() throws {
        guard isKilled else { return }
        let files = FileManager.default
        try files.removeItem(atPath: photos)
        try files.moveItem(atPath: copyOfPhotos, toPath: photos)
        try files.removeItem(atPath: stateFolder)
        state.withLock { state in
            if state.hasLostPower {
                state.durable?.makeEverythingDurable()
            } else {
                state.durable?.finishCopy()
            }
            state.generation += 1
            (state.isKilled, state.hasLostPower) = (false, false)
        }
    }

    // MARK: files

    /// Creates a file of another program, which the service must not change.
    ///
    /// - Parameter path: A path below the capture directory.
    func addForeign(_ path: String, _ bytes: Data) throws {
        let full = "\(photos)/\(path)"
        try FileManager.default.createDirectory(
            atPath: DurableFile.parent(of: full), withIntermediateDirectories: true)
        guard !FileManager.default.fileExists(atPath: full) else { return }
        try bytes.write(to: URL(filePath: full))
        state.withLock { state in
            state.foreign[path] = bytes
            state.durable?.makeEverythingDurable()
        }
    }

    /// The files of other programs, by path below the capture directory.
    var foreign: [String: Data] { state.withLock(\.foreign) }

    /// Returns all files below the capture directory, except the service's own folder, by path.
    func files() -> [String: Data] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: photos)) ?? []
        var files: [String: Data] = [:]
        for name in names where !name.hasPrefix(".framefast") {
            guard DurableFile.isRegular("\(photos)/\(name)") else { continue }
            files[name] = FileManager.default.contents(atPath: "\(photos)/\(name)")
        }
        return files
    }
}
