import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastSystem
import Glibc
import SettingKeys
import Store

/// The audit of `framefastd --audit`. `framefast doctor --audit` shows the audit's output.
///
/// A separate process reads the photos, so the audit also works if the service is not running.
struct AuditRun {
    let configuration: Configuration
    /// The configuration file of the option `--config`, or `nil` without the option.
    let configFile: String?
    /// Whether the ledger belongs to a user service.
    let isUserService: Bool
    let clock: HostClock

    /// The shortest time between two progress lines.
    private static let progressInterval = Duration.milliseconds(200)

    /// Runs the audit.
    ///
    /// - Parameter print: Called with each line, last with the result or an error.
    /// - Returns: Whether the audit has a result.
    func run(print: (AuditLine) throws -> Void) async throws -> Bool {
        // Print a first line now, because the check of a large ledger takes seconds.
        try print(
            AuditLine(progress: AuditLine.Progress(photos: 0, photosTotal: 0, bytes: 0, bytesTotal: 0)))
        do {
            let path = LedgerFile(configuration).path
            let lock = configuration.state.directory + "/lock"
            let settings = try CaptureSettings(
                configuration.capture, stateDirectory: configuration.state.directory)
            let audit = CaptureAudit(
                ledger: try LedgerReader(path: path), incomingFolder: settings.incomingFolder, clock: clock,
                isServiceRunning: { StateLock.isHeld(lock) })
            var next = clock.uptime()
            let report = try await audit.run { progress in
                guard clock.uptime() >= next else { return }
                next = clock.deadline(after: Self.progressInterval)
                try? print(AuditLine(progress: AuditLine.Progress(progress)))
            }
            try print(AuditLine(result: AuditReply(report, ledger: path)))
            return true
        } catch {
            let detail = ErrorReply.Detail(
                code: .internal, message: "\(error)", nextStep: nextStep(isRoot: geteuid() == 0))
            try print(AuditLine(error: detail))
            return false
        }
    }

    /// Returns the next step if the ledger cannot be read.
    func nextStep(isRoot: Bool) -> String {
        guard !isRoot, !isUserService else {
            return "Check the folder \(configuration.state.directory) and its disk."
        }
        let option = configFile.map { " --config \($0)" } ?? ""
        return "Run it as root: sudo framefast doctor --audit\(option)"
    }
}

extension AuditLine.Progress {
    fileprivate init(_ progress: CaptureAudit.Progress) {
        self.init(
            photos: progress.photos, photosTotal: progress.photosTotal,
            bytes: Int64(clamping: progress.bytes), bytesTotal: Int64(clamping: progress.bytesTotal))
    }
}

extension AuditReply {
    fileprivate init(_ report: CaptureAudit.Report, ledger: String) {
        self.init(
            ledger: ledger, photos: report.progress.photos, bytes: Int64(clamping: report.progress.bytes),
            findings: report.findings.map { finding in
                Finding(
                    kind: finding.kind, capture: finding.capture, job: finding.job, path: finding.path,
                    sentence: finding.sentence, nextStep: finding.nextStep)
            }, findingsTotal: report.findingsTotal)
    }
}
