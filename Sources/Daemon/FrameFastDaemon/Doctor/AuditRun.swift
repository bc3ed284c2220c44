import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastSystem
import Glibc
import SettingKeys
import Store

/// The audit of `framefastd --audit`. `framefast doctor --audit` shows its lines.
///
/// A separate process reads the photos, so the audit also works if the service is not running, and does not
/// delay a running service.
struct AuditRun {
    let configuration: Configuration
    let clock: HostClock

    /// The shortest time between two lines with the progress.
    private static let progressInterval = Duration.milliseconds(200)

    /// Runs the audit.
    ///
    /// - Parameter print: Called with each line, last with the result or an error.
    /// - Returns: Whether the audit has a result.
    func run(print: (AuditLine) throws -> Void) async throws -> Bool {
        do {
            let settings = try CaptureSettings(
                configuration.capture, stateDirectory: configuration.state.directory)
            let audit = CaptureAudit(
                ledger: try LedgerReader(path: LedgerFile(configuration).path), settings: settings,
                clock: clock)
            var next = clock.uptime()
            let report = try await audit.run { progress in
                guard clock.uptime() >= next else { return }
                next = clock.deadline(after: Self.progressInterval)
                try? print(AuditLine(progress: AuditLine.Progress(progress)))
            }
            try print(AuditLine(result: AuditReply(report)))
            return true
        } catch {
            let step =
                geteuid() == 0
                ? "Check the folder \(configuration.state.directory) and its disk."
                : "Run it as root: sudo framefast doctor --audit"
            let detail = ErrorReply.Detail(code: .internal, message: "\(error)", nextStep: step)
            try print(AuditLine(error: detail))
            return false
        }
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
    fileprivate init(_ report: CaptureAudit.Report) {
        self.init(
            photos: report.progress.photos, bytes: Int64(clamping: report.progress.bytes),
            findings: report.findings.map { finding in
                Finding(
                    kind: finding.kind, capture: finding.capture, job: finding.job, path: finding.path,
                    sentence: finding.sentence, nextStep: finding.nextStep)
            }, findingsTotal: report.findingsTotal)
    }
}
