import Foundation
public import FrameFastAPI

extension DaemonRig {
    // MARK: waits for a condition of one snapshot

    /// Waits until `look` returns a value.
    ///
    /// `look` reads status, records, jobs and files from one snapshot. A test that waits for one part and
    /// then reads another part fails on a slow machine, because the other part changes later. If a part
    /// can't be read, the wait continues.
    ///
    /// - Parameters:
    ///   - what: The description of the event in the failure report. A timeout is reported as a loss if the
    ///     description contains "saved" or "delivered".
    ///   - seconds: The time limit, in seconds of ``LivedTime``.
    ///   - milliseconds: The time between two polls.
    @discardableResult
    public func waitUntil<Value>(
        _ what: String, within seconds: Double = 30, every milliseconds: Int = 20,
        _ look: (RigSnapshot) throws -> Value?
    ) async throws -> Value {
        var last = RigSnapshot(self)
        var failure: (any Error)?
        do {
            return try await eventually(what, within: seconds, every: milliseconds) {
                last = RigSnapshot(self)
                failure = nil
                do { return try look(last) } catch let timeout as WaitTimeout { throw timeout } catch {
                    failure = error
                    return nil
                }
            }
        } catch {
            let isStarved = (error as? WaitTimeout)?.isStarved ?? false
            // A photo that doesn't arrive within the time limit is treated as lost.
            let isLoss = !isStarved && ["saved", "delivered"].contains { what.contains($0) }
            throw WaitTimeout(
                description: "\(isLoss ? PhotoComparison.tag : "")\(error); "
                    + "\(failure.map { "\($0); " } ?? "")\(last.summary); log:\n\(log.suffix(6000))",
                isStarved: isStarved)
        }
    }

    /// Waits until `condition` returns `true` for a snapshot.
    ///
    /// - Returns: That snapshot. An expectation after a wait must use only this value.
    @discardableResult
    public func waitUntil(
        _ what: String, within seconds: Double = 30, every milliseconds: Int = 20,
        _ condition: (RigSnapshot) throws -> Bool
    ) async throws -> RigSnapshot {
        try await waitUntil(what, within: seconds, every: milliseconds) { snapshot -> RigSnapshot? in
            try condition(snapshot) ? snapshot : nil
        }
    }

    /// Waits until `condition` returns `true` for the status.
    ///
    /// - Returns: That status. An expectation after a wait must use only this value.
    @discardableResult
    public func status(
        _ what: String, within seconds: Double = 30, _ condition: (StatusReply) -> Bool
    ) async throws -> StatusReply {
        try await waitUntil(what, within: seconds) { snapshot -> StatusReply? in
            let status = try snapshot.status
            return condition(status) ? status : nil
        }
    }

    /// Waits until at least this many photos are saved.
    @discardableResult
    public func waitUntilSaved(_ count: Int, within seconds: Double = 60) async throws -> StatusReply {
        try await status("\(count) saved photos", within: seconds) { $0.captures.total >= count }
    }

    /// Waits until at least this many records exist and every record is saved or damaged.
    @discardableResult
    public func waitUntilSettled(_ count: @autoclosure () throws -> Int, within seconds: Double = 60)
        async throws
        -> [CaptureReply]
    {
        let sentence = "\(try count()) photos to be saved or damaged"
        return try await waitUntil(sentence, within: seconds, every: 100) { snapshot -> [CaptureReply]? in
            let records = try snapshot.records
            return try records.count >= count()
                && records.allSatisfy { $0.savedAt != nil || $0.state == .damaged } ? records : nil
        }
    }

    /// Waits until no transfer is in progress: no part file exists, and no camera is downloading.
    ///
    /// - Returns: The snapshot for which this was true.
    @discardableResult
    public func waitUntilIdle() async throws -> RigSnapshot {
        try await waitUntil("no transfer to be in progress") { snapshot -> Bool in
            try snapshot.parts.isEmpty && !snapshot.status.cameras.contains { $0.state == .downloading }
        }
    }

    /// Waits until no camera is connected.
    ///
    /// A connected camera is `ready`, or `downloading` while its photos are transferred.
    ///
    /// - Returns: The status for which this was true.
    @discardableResult
    public func waitUntilDisconnected() async throws -> StatusReply {
        try await status("the camera to disconnect") { status in
            !status.cameras.contains { $0.state == .ready || $0.state == .downloading }
        }
    }

    // MARK: waits that detect lost photos

    /// Waits until each photo of `truth` is saved exactly once with the same bytes, and no transfer is in
    /// progress.
    ///
    /// Only missing and unfinished photos extend the wait. A duplicated or wrong record ends the wait
    /// immediately, as does an error in the log that is not in ``expectedErrors``. Files are compared only if
    /// the ledger has all photos.
    ///
    /// - Parameter damaged: The expected number of photos that are set aside as damaged, in addition to
    ///   `truth`.
    /// - Returns: The differences at the last poll, each with the tag `[loss]`; empty if all photos match.
    public func untilIntact(
        _ truth: [Simulator.Shot], damaged: Int = 0, within seconds: Double = 60
    ) async throws -> [String] {
        try await untilIntact(within: seconds) { try PhotoComparison($0, with: truth, damaged: damaged) }
    }

    /// Waits until each photo is saved once, compared by SHA-256. Use this function for cameras whose
    /// photos the driver renames.
    ///
    /// - Returns: The differences, as for ``untilIntact(_:damaged:within:)``.
    public func untilIntact(hashes: [String], within seconds: Double = 60) async throws -> [String] {
        try await untilIntact(within: seconds) { try PhotoComparison($0, withHashes: hashes) }
    }

    private func untilIntact(
        within seconds: Double, _ compare: (RigSnapshot) throws -> PhotoComparison
    ) async throws -> [String] {
        var last: [String]?
        do {
            return try await waitUntil("every photo to be saved once", within: seconds, every: 100) {
                snapshot -> [String]? in
                let comparison = try compare(snapshot)
                last = comparison.differences
                return comparison.isFinal ? comparison.differences : nil
            }
        } catch {
            guard let last else { throw error }
            return last
        }
    }
}
