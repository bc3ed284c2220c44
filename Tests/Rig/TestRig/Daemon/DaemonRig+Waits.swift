import Foundation
public import FrameFastAPI

extension DaemonRig {
    // MARK: one condition on one snapshot

    /// Waits until `look` returns a value.
    ///
    /// The condition sees status, records, jobs and files of one moment. A test that first waits for one of them and
    /// then reads another fails on a slow machine, because the second is true a moment later. A part that can't be
    /// read counts as "not yet".
    ///
    /// - Parameters:
    ///   - what: The event, for the report of a failure. If it names photos that are saved or delivered, the failure is
    ///     a loss.
    ///   - seconds: The patience.
    ///   - milliseconds: The pause between two looks.
    @discardableResult
    public func until<Value>(
        _ what: String, within seconds: Double = 30, every milliseconds: Int = 20,
        _ look: (RigSnapshot) throws -> Value?
    ) async throws -> Value {
        var last = RigSnapshot(self)
        var failure: (any Error)?
        do {
            return try await eventually(what, within: seconds, every: milliseconds) {
                last = RigSnapshot(self)
                failure = nil
                do { return try look(last) } catch let impatience as Impatience { throw impatience } catch {
                    failure = error
                    return nil
                }
            }
        } catch {
            let isStarved = (error as? Impatience)?.isStarved ?? false
            // A photo that does not come in all of the lived time counts as lost.
            let isLoss = !isStarved && ["saved", "delivered"].contains { what.contains($0) }
            throw Impatience(
                description: "\(isLoss ? PhotoComparison.tag : "")\(error); "
                    + "\(failure.map { "\($0); " } ?? "")\(last.summary); log:\n\(log.suffix(6000))",
                isStarved: isStarved)
        }
    }

    /// Waits until `isSo` holds for a snapshot.
    ///
    /// - Returns: that snapshot. An expectation after a wait uses only this value.
    @discardableResult
    public func until(
        _ what: String, within seconds: Double = 30, every milliseconds: Int = 20,
        _ isSo: (RigSnapshot) throws -> Bool
    ) async throws -> RigSnapshot {
        try await until(what, within: seconds, every: milliseconds) { snapshot -> RigSnapshot? in
            try isSo(snapshot) ? snapshot : nil
        }
    }

    /// Waits until the status is as the test wants it.
    ///
    /// - Returns: that status. An expectation after a wait uses only this value.
    @discardableResult
    public func status(
        _ what: String, within seconds: Double = 30, _ isSo: (StatusReply) -> Bool
    ) async throws -> StatusReply {
        try await until(what, within: seconds) { snapshot -> StatusReply? in
            let status = try snapshot.status
            return isSo(status) ? status : nil
        }
    }

    /// Waits until this many photos are saved.
    @discardableResult
    public func saved(_ count: Int, within seconds: Double = 60) async throws -> StatusReply {
        try await status("\(count) saved photos", within: seconds) { $0.captures.total >= count }
    }

    /// Waits until this many photos have records, each of them saved or damaged.
    @discardableResult
    public func settled(_ count: @autoclosure () throws -> Int, within seconds: Double = 60) async throws
        -> [CaptureReply]
    {
        let sentence = "\(try count()) photos to be saved or damaged"
        return try await until(sentence, within: seconds, every: 100) { snapshot -> [CaptureReply]? in
            let records = try snapshot.records
            return try records.count >= count()
                && records.allSatisfy { $0.savedAt != nil || $0.state == .damaged } ? records : nil
        }
    }

    /// Waits until nothing is on its way: no part file exists, and no camera is read.
    ///
    /// - Returns: the snapshot in which that was so.
    @discardableResult
    public func quiet() async throws -> RigSnapshot {
        try await until("nothing to be on its way") { snapshot -> Bool in
            try snapshot.parts.isEmpty && !snapshot.status.cameras.contains { $0.state == .downloading }
        }
    }

    // MARK: oracles of loss

    /// Waits until each photo of `truth` is saved once, equal byte for byte, and nothing is on its way.
    ///
    /// Only missing and unfinished photos are waited for. A photo that is doubled, foreign or wrong, and an error in
    /// the log that the test did not provoke (``expectedErrors``), end the wait at once.
    ///
    /// - Parameter damaged: The number of photos that are set aside as damaged, beyond `truth`.
    /// - Returns: the differences at the last look, each with the tag `[loss]`; empty if all photos match.
    public func untilIntact(
        _ truth: [Simulator.Shot], damaged: Int = 0, within seconds: Double = 60
    ) async throws -> [String] {
        try await untilIntact(within: seconds) { try PhotoComparison($0, with: truth, damaged: damaged) }
    }

    /// Waits until each photo is saved once, by its SHA-256: for cameras whose names for photos the driver changes.
    ///
    /// - Returns: as for ``untilIntact(_:damaged:within:)``.
    public func untilIntact(hashes: [String], within seconds: Double = 60) async throws -> [String] {
        try await untilIntact(within: seconds) { try PhotoComparison($0, withHashes: hashes) }
    }

    private func untilIntact(
        within seconds: Double, _ compare: (RigSnapshot) throws -> PhotoComparison
    ) async throws -> [String] {
        var last: [String]?
        do {
            return try await until("every photo to be saved once", within: seconds, every: 100) {
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
