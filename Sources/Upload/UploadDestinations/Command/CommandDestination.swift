public import ChildProcesses
import Foundation
import FrameFastModel
public import Logging
public import UploadEngine

/// Photos given to a program: exit 0 means that it has them.
public struct CommandDestination: UploadDestination {
    private let name: String
    let settings: CommandSettings
    private let logger: Logger

    /// EX_TEMPFAIL of sysexits.h.
    private static let temporary: Int32 = 75

    /// Creates a destination.
    ///
    /// - Parameter name: Name of the destination, for sentences.
    public init(name: String, settings: CommandSettings, logger: Logger) {
        self.name = name
        self.settings = settings
        self.logger = logger
    }

    /// Brings one photo there; see ``UploadDestination``.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try await probe()
        _ = try PhotoFile(item)
        var facts = item.facts
        // A probe is no photo, and has these as well.
        facts[.file] = item.localPath
        facts[.name] = item.remoteName
        facts[.bytes] = String(item.bytes)
        facts[.sha256] = item.sha256
        facts[.job] = item.jobID.description
        facts[.destination] = name
        facts[.bandwidth] = settings.bytesPerSecond.map(String.init)
        let outcome = await CommandRun(settings: settings, facts: facts.byName).run()
        logger.info(
            "command ended",
            metadata: [
                "destination": "\(name)", "job": "\(item.jobID)", "end": "\(outcome.end)",
                "output": "\(oneLine(outcome.output, max: 2_000))",
                "errors": "\(oneLine(outcome.errors, max: 2_000))",
            ])
        if let failure = failure(outcome) { throw failure }
        progress(item.bytes)
        return UploadReceipt(remoteName: item.remoteName, proof: .word, evidence: "exit 0")
    }

    /// Whether the place can be reached now.
    public func probe() async throws(UploadFailure) {
        guard let fault = settings.faults.first else { return }
        throw UploadFailure(
            .permanent(.misconfigured), fault, nextStep: "Correct the destination's settings or its program.")
    }

    /// The program has it; it was told by `FRAMEFAST_PROBE=1` what it is.
    public func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {}

    /// Whatever the program does, a person has asked for.
    public var takesProbes: Bool { false }

    /// An exit code is the program's word about one photo.
    public var refusesSinglePhotos: Bool { true }

    /// Gives back connections and child processes.
    public func close() async {}

    /// What the end of a run means; `nil` is success.
    func failure(_ outcome: CommandRun.Outcome) -> UploadFailure? {
        let said = outcome.lastLine.map { " (\($0))" } ?? ""
        switch outcome.end {
        case .exited(0): return nil
        case .exited(let code) where code == Self.temporary || settings.retryCodes.contains(code):
            return UploadFailure(
                .outage(retryAfterSeconds: nil), "the program asks to try again later\(said)")
        case .exited(let code):
            return UploadFailure(
                .permanent(.unprocessable), "the program failed with exit code \(code)\(said)",
                nextStep: "See the log for its output, correct it, then retry the job.")
        case .killed(let signal):
            return UploadFailure(
                .transient, "the program was ended by signal \(signal)\(said)",
                nextStep: "See the log for its output.")
        case .timedOut:
            return UploadFailure(
                .transient,
                "the program was ended after \(settings.timeoutSeconds.formatted()) s\(said)",
                nextStep: "Make it faster, or raise its timeout.")
        case .cancelled: return UploadFailure.stopped
        case .notStarted(let reason):
            return UploadFailure(
                .permanent(.misconfigured), "\(reason)",
                nextStep: "Check the program and its first line.")
        }
    }
}
