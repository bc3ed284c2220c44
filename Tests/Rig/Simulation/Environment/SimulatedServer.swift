import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization
import UploadEngine

/// A simulated server that receives photos. The server outlives the service.
final class SimulatedServer: Sendable {
    /// A fault of one upload.
    enum Fault: CaseIterable, Sendable {
        /// The connection is lost before the server has the file.
        case dropped
        /// The server has the file, and its reply is lost.
        case lostReply
        /// The server does not answer this upload.
        case outage
        /// The upload does not end until the queue stops it.
        case hang
    }

    private struct State {
        /// The SHA-256 of each file, by name.
        var files: [String: String] = [:]
        var awaySince: Double?
        var isOverloaded = false
        var faults: [Fault] = []
        /// Descriptions of uploads whose bytes do not have the photo's hash.
        var wrong: [String] = []
    }

    let name: DestinationName
    private let state = Mutex(State())

    init(name: DestinationName) { self.name = name }

    /// The start of the current outage, in seconds since the start of the simulation, or `nil` if the server
    /// is reachable.
    var awaySince: Double? { state.withLock(\.awaySince) }

    /// Whether the server is unreachable.
    var isAway: Bool { awaySince != nil }

    /// Makes the server unreachable or reachable.
    ///
    /// - Parameter now: The time since the start of the simulation, in seconds.
    func setAway(_ isAway: Bool, at now: Double) {
        state.withLock { $0.awaySince = isAway ? $0.awaySince ?? now : nil }
    }

    /// Whether the server replies to probes, and refuses all uploads for the moment.
    var isOverloaded: Bool {
        get { state.withLock(\.isOverloaded) }
        set { state.withLock { $0.isOverloaded = newValue } }
    }

    /// Adds a fault of a future upload.
    func add(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

    /// Removes all faults.
    func repair() {
        state.withLock { state in
            state.awaySince = nil
            state.isOverloaded = false
            state.faults = []
        }
    }

    /// Returns the number of copies of a file.
    func copies(of sha256: String) -> Int { state.withLock { $0.files.values.count { $0 == sha256 } } }

    /// The number of files.
    var count: Int { state.withLock(\.files.count) }

    /// Descriptions of uploads whose bytes were wrong.
    var wrong: [String] { state.withLock(\.wrong) }

    /// Removes and returns the next fault, or returns `nil` if no fault remains.
    func nextFault() -> Fault? { state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() } }

    /// Stores a file under its name, or under a free name if another file has its name.
    ///
    /// - Returns: The name, and whether the server already had the file.
    func store(_ bytes: Data, _ item: UploadItem) -> (name: String, alreadyExisted: Bool) {
        let sum = Hex.text(SHA256.hash(data: bytes))
        return state.withLock { state in
            if sum != item.sha256 { state.wrong.append("\(name) has wrong bytes of \(item.remoteName)") }
            var free = item.remoteName
            var suffix = 2
            while let existing = state.files[free] {
                guard existing != sum else { return (free, true) }
                free = NamingTemplate.path(item.remoteName, suffix: suffix)
                suffix += 1
            }
            state.files[free] = sum
            return (free, false)
        }
    }
}

/// The destination of one run of the service. Requests of a killed service do not reach the server.
struct SimulatedDestination: UploadDestination {
    let server: SimulatedServer
    let disk: SimulatedDisk
    let trace: SimulationTrace
    let executor: SimulationExecutor
    let load: OutageLoadRule
    let deliveries: DeliveryRule

    private static let outage = UploadFailure(.outage(retryAfterSeconds: nil), "The server does not answer.")
    /// The longest time of one request, in milliseconds.
    private static let requestMsMax = 2_000
    /// The duration of a hanging upload, in seconds. The queue stops the upload earlier.
    private static let hangSeconds = 3_600.0

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        if item.facts[.probe] != nil {
            try await probe()
            return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "a probe")
        }
        try await pause()
        if let start = server.awaySince { load.recordRefusal(since: start, at: executor.uptime) }
        guard !server.isAway, !server.isOverloaded else { throw Self.outage }
        let fault = server.nextFault()
        if let fault { trace.add("\(server.name): \(fault)") }
        switch fault {
        case .dropped: throw UploadFailure(.transient, "The connection was lost.")
        case .outage: throw Self.outage
        case .hang: try await sleep(Self.hangSeconds)
        case .lostReply, nil: break
        }
        progress(item.bytes / 2)
        try await pause()
        guard let bytes = FileManager.default.contents(atPath: item.localPath) else {
            throw UploadFailure(.transient, "The file cannot be read.")
        }
        guard !disk.isKilled else { throw .stopped }
        let (name, alreadyExisted) = server.store(bytes, item)
        trace.add("\(server.name): has \(name)\(alreadyExisted ? " already" : "")")
        if fault == .lostReply { throw UploadFailure(.transient, "The reply was lost.") }
        progress(item.bytes)
        try await pause()
        deliveries.recordConfirmation(of: item.jobID)
        return UploadReceipt(
            remoteName: name, proof: .size, evidence: "size \(bytes.count)", alreadyExisted: alreadyExisted)
    }

    func probe() async throws(UploadFailure) {
        try await pause()
        guard !server.isAway, !disk.isKilled else { throw Self.outage }
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {}

    func close() async {}

    /// Waits for the random duration of a request.
    private func pause() async throws(UploadFailure) {
        try await sleep(Double(executor.draw { $0.number(1...Self.requestMsMax) }) / 1_000)
    }

    private func sleep(_ seconds: Double) async throws(UploadFailure) {
        do { try await executor.clock.sleep(seconds) } catch { throw UploadFailure.stopped }
    }
}
