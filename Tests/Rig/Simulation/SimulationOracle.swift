import CaptureEngine
import Crypto
import Foundation
import FrameFastModel
import Store

/// Checks of the whole simulated environment.
///
/// Each photo must be on disk once, with its bytes, and at each server once. The retention rule may delete
/// delivered photos from the disk. Files of other programs must stay unchanged, and the ledger must agree
/// with the disk. If the service can still repair a missing photo or upload, the check reports this photo or
/// upload as waiting. Everything else is a violation.
struct SimulationOracle {
    /// The results of a check.
    struct Findings {
        /// Violations that no later event can repair.
        var violations: [String] = []
        /// Photos and uploads that wait, with the reason.
        var waiting: [String] = []
        /// Photos that wait until their camera connects again, because the camera did not report them.
        var hidden: [String] = []
    }

    let environment: SimulatedEnvironment
    /// The part of the simulated environment that is still broken.
    var broken = SimulationPlan.Broken.nothing
    /// Whether the service has not started yet. No task of the service then changes the ledger.
    var isAtStart = false

    static let recordsMax = 1_000
    private static let jobsMax = 10_000

    /// Compares cameras, disk, ledger and servers.
    func check(_ ledger: LedgerStore) async throws -> Findings {
        let records = try await records(of: ledger)
        // Without sessions, this query would only change the order of the executor's jobs.
        let sessions = try await environment.plan.features.hasSessions ? ledger.sessions().map(\.session) : []
        var findings = Findings()
        findings.violations += environment.violations.all + environment.reads.violations
        findings.violations += NumberRule(environment: environment, sessions: sessions).violations(records)
        findings.violations += SessionRule(environment: environment, sessions: sessions).violations(records)
        findings.waiting += environment.hooks.waiting(records) + environment.deletions.waiting()
        checkFiles(records, &findings)
        checkRecords(records, &findings)
        for (index, server) in environment.servers.enumerated() {
            let jobs = try await ledger.uploads(
                UploadFilter(destination: server.name), limit: Self.jobsMax)
            checkServer(
                server, isBroken: broken == .server(index), records, jobs,
                HoldRule(environment.plan, sessions), &findings)
        }
        return findings
    }

    /// Returns the records of all photos.
    func records(of ledger: LedgerStore) async throws -> [CaptureRecord] {
        try await ledger.captures(CaptureQuery(limit: Self.recordsMax)).map(\.record)
            .sorted { $0.id < $1.id }
    }

    private func checkFiles(_ records: [CaptureRecord], _ findings: inout Findings) {
        var files = environment.disk.files()
        for (path, bytes) in environment.disk.foreign.sorted(by: { $0.key < $1.key }) {
            if files.removeValue(forKey: path) != bytes {
                findings.violations.append("another program's file was changed: \(path)")
            }
        }
        // The ledger records the start of clearing before the file is removed (`Clearing`). A clearing that
        // a kill interrupted ends after the next start.
        for record in records where record.state == .saved && record.clearedAt != nil && hasFile(record) {
            findings.waiting.append("capture \(record.id) is cleared, but its file is still on the disk")
        }
        let cleared = Set(records.filter { $0.clearedAt != nil }.compactMap(\.sha256))
        var paths = Dictionary(grouping: files.keys.sorted()) { files[$0] ?? Data() }
        for (index, camera) in environment.cameras.enumerated() {
            for shot in camera.taken {
                let copies = paths.removeValue(forKey: shot.bytes) ?? []
                if copies.count > 1 {
                    findings.violations.append("on disk \(copies.count) times: \(copies)")
                }
                guard copies.isEmpty, !cleared.contains(shot.sha256) else { continue }
                if !camera.has(shot) {
                    findings.violations.append(
                        "lost, because it was deleted on the camera: \(camera.id) \(shot.object.path)")
                } else if broken == .camera(index) || mayWait(shot, of: index, records) {
                    continue
                } else if camera.isHidden(shot) {
                    findings.hidden.append("hidden: \(camera.id) \(shot.object.path)")
                } else {
                    findings.waiting.append("not on disk: \(camera.id) \(shot.object.path)")
                }
            }
        }
        // Until its second reading, a photo on the disk may contain a wrong byte.
        let unverified = Set(records.filter { $0.verified == .awaitingReread }.compactMap(\.path))
        for path in paths.values.joined().sorted()
        where !unverified.contains("\(environment.disk.photos)/\(path)") {
            findings.violations.append("torn, or not from any camera: \(path)")
        }
    }

    private func hasFile(_ record: CaptureRecord) -> Bool {
        record.path.map { FileManager.default.fileExists(atPath: $0) } ?? false
    }

    /// Finds records that wait although nothing delays them.
    ///
    /// If cameras share a serial number, the service may set a damaged photo aside for the wrong camera. This
    /// record may stay set aside even after the right camera's photo is saved, and is not a finding.
    private func checkRecords(_ records: [CaptureRecord], _ findings: inout Findings) {
        if case .camera = broken { return }
        let mayConfuse = environment.plan.sharedSerial != nil
        for record in records where record.verified == .awaitingReread && !mayConfuse {
            findings.waiting.append("capture \(record.id) waits for its second reading")
        }
        for record in records where record.state != .saved {
            if mayConfuse, record.state == .setAside { continue }
            if record.state == .seen,
                environment.cameras.contains(where: { $0.hasMisreadTwice(record.object) })
            {
                continue
            }
            if case .photo(let index) = broken,
                record.attempts > 0 || record.object == environment.cameras[index].unreadablePhoto?.object
            {
                continue
            }
            findings.waiting.append(
                "capture \(record.id) is \(record.state): \(record.object.path), "
                    + "\(record.failure ?? "no failure"), \(record.attempts) attempts")
        }
    }

    /// Whether a photo may wait because its camera has an unreadable photo. The service retries the
    /// unreadable photo, and photos with a failed transfer, only while the camera is idle.
    private func mayWait(_ shot: SimulatedCamera.Shot, of index: Int, _ records: [CaptureRecord]) -> Bool {
        guard broken == .photo(index) else { return false }
        return shot == environment.cameras[index].unreadablePhoto
            || records.contains { $0.object == shot.object && $0.attempts > 0 }
    }

    /// Compares the ledger with the disk and the receipts, after the service has stopped.
    func audit() async throws -> [String] {
        let ledger = try LedgerReader(path: environment.ledgerPath)
        let audit = CaptureAudit(
            ledger: ledger, incomingFolder: environment.captureSettings.incomingFolder,
            clock: environment.executor.clock, isServiceRunning: { false })
        return try await audit.run().findings.map { finding in
            "audit: \(finding.kind), capture \(finding.capture?.description ?? "none")"
        }
    }

    static func sum(_ bytes: Data) -> String { Hex.text(SHA256.hash(data: bytes)) }
}
