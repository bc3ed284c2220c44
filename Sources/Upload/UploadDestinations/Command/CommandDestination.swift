import ChildProcesses
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import UploadEngine

/// A destination that passes each photo to a program. Exit code 0 means that the program accepted the photo.
struct CommandDestination: UploadDestination {
    private let name: String
    let settings: CommandSettings
    private let logger: Logger

    /// The exit code for a temporary failure: `EX_TEMPFAIL` of sysexits.h.
    private static let temporary: Int32 = 75

    /// Creates a destination that runs the program in `settings`.
    ///
    /// - Parameter name: The destination's name, for messages.
    init(name: String, settings: CommandSettings, logger: Logger) {
        self.name = name
        self.settings = settings
        self.logger = logger
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try await probe()
        _ = try PhotoFile(item)
        var facts = item.facts
        // Replaces the file's facts, because the facts of a probe are empty or describe another photo.
        facts[.file] = item.localPath
        facts[.name] = item.remoteName
        facts[.bytes] = String(item.bytes)
        facts[.sha256] = item.sha256
        facts[.job] = item.jobID.description
        facts[.destination] = name
        facts[.bandwidth] = settings.bytesPerSecond.map(String.init)
        let outcome = await CommandRun(
            settings: settings, facts: facts.byName, factNames: FactName.all
        ).run()
        logger.info(
            "a command ended",
            metadata: [
                "destination": "\(name)", "job": "\(item.jobID)", "end": "\(outcome.end)",
                "output": "\(oneLine(outcome.output, max: 2_000))",
                "errors": "\(oneLine(outcome.errors, max: 2_000))",
            ])
        if let failure = failure(outcome, item.remoteName) { throw failure }
        progress(item.bytes)
        return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "exit 0")
    }

    /// Checks the settings without running the program.
    func probe() async throws(UploadFailure) {
        guard let fault = settings.faults.first else { return }
        throw UploadFailure(
            .permanent(.misconfigured), fault, nextStep: "Correct the destination's settings or its program.")
    }

    /// Does nothing. Only `destinations test` passes a probe to the program, with `FRAMEFAST_PROBE=1`. The
    /// program must discard the probe itself.
    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {}

    /// Returns `false`: after a refusal, the runner does not start the program with a probe, because the
    /// program may have any effect.
    var acceptsProbes: Bool { false }

    /// Returns `true`, because an exit code concerns only its photo.
    var refusesSinglePhotos: Bool { true }

    /// Does nothing, because each child process ends with its upload.
    func close() async {}

    /// Returns the failure for a finished run, or `nil` if the program accepted the photo.
    ///
    /// - Parameter remoteName: The name that the program received.
    func failure(_ outcome: CommandRun.Outcome, _ remoteName: String) -> UploadFailure? {
        let detail = outcome.lastLine.map { " (\(ServerWords.withoutSecrets($0)))" } ?? ""
        let action = UploadStep.send.infinitive(RemoteName.split(remoteName).file)
        func failure(
            _ kind: UploadFailure.Kind, _ sentence: String, _ nextStep: String? = nil
        ) -> UploadFailure { UploadFailure(kind, sentence, nextStep: nextStep, step: .send) }
        switch outcome.end {
        case .exited(0): return nil
        case .exited(let code) where code == Self.temporary || settings.retryCodes.contains(code):
            return failure(
                .outage(retryAfterSeconds: nil),
                "the program refuses \(action) and requests a retry\(detail)",
                "See the log for the program's output. FrameFast retries automatically.")
        case .exited(let code):
            return failure(
                .permanent(.unprocessable), "the program failed \(action): exit code \(code)\(detail)",
                "See the log for the program's output, fix the problem, then retry the upload.")
        case .killed(let signal):
            return failure(
                .transient, "the program failed \(action): it was killed by signal \(signal)\(detail)",
                "See the log for the program's output.")
        case .timedOut:
            return failure(
                .transient,
                "the program failed \(action) within \(settings.timeoutSeconds.formatted()) s "
                    + "and was killed\(detail)",
                "Make the program faster, or raise the destination's timeout.")
        case .cancelled: return UploadFailure.stopped
        case .notStarted(_, let reason?) where reason.preventsStart:
            return UploadFailure.shortage("The program cannot be started", reason)
        case .notStarted(let reason, _):
            return failure(
                .permanent(.misconfigured), "cannot start the program \(action) (\(reason))",
                "Check that the program is executable, and that its first line names an installed interpreter."
            )
        }
    }
}
