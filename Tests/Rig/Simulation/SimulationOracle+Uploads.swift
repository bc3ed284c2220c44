import FrameFastModel

/// Checks of the servers and the upload queue.
extension SimulationOracle {
    /// Compares a server with the ledger.
    ///
    /// - Parameters:
    ///   - isBroken: Whether the server is unreachable.
    ///   - jobs: The uploads to the server.
    func checkServer(
        _ server: SimulatedServer, isBroken: Bool, _ records: [CaptureRecord], _ jobs: [UploadJob],
        _ holds: HoldRule, _ findings: inout Findings
    ) {
        findings.violations += server.wrong
        let jobOf = Dictionary(jobs.map { ($0.captureID, $0) }) { first, _ in first }
        var delivered = 0
        for record in records where record.state == .saved {
            let copies = record.sha256.map(server.copies(of:)) ?? 0
            delivered += copies
            if copies > 1 {
                findings.violations.append("capture \(record.id) is on \(server.name) \(copies) times")
            }
            let job = jobOf[record.id]
            if job?.state == .delivered, copies == 0 {
                findings.violations.append("a receipt without a copy at \(server.name): capture \(record.id)")
            }
            findings.violations += violations(of: record, job, copies: copies, holds)
            guard record.verified != .awaitingReread, !isBroken, !holds.isComplete(record, job) else {
                continue
            }
            findings.waiting.append(
                "not at \(server.name): capture \(record.id), "
                    + "\(job.map { "\($0.state), \($0.reason ?? "no reason")" } ?? "no upload")")
        }
        if server.count > delivered {
            findings.violations.append("\(server.name) has \(server.count - delivered) file(s) of no photo")
        }
    }

    /// Returns the violations of the rules for holds and second readings.
    private func violations(
        of record: CaptureRecord, _ job: UploadJob?, copies: Int, _ holds: HoldRule
    ) -> [String] {
        // "FrameFast reads each photo from the camera a second time before it queues the photo"
        // (`docs/uploads.md`). Check this only before the service starts. While it runs, the ledger can
        // change after the records are read and before the jobs are read.
        if record.verified == .awaitingReread {
            return isAtStart && job != nil
                ? ["capture \(record.id) has an upload before its second reading"] : []
        }
        return holds.violation(of: record, job, copies: copies).map { [$0] } ?? []
    }
}
