import ChildProcesses
import FrameFastModel
import FrameFastSystem
import SystemPackage

/// The parts of the service that fail because this computer has run out of file descriptors, processes or
/// memory.
///
/// All parts share one condition, which names the cause. The condition ends when every failed part has
/// succeeded or was removed, and the limit of open files is high enough.
struct HostShortage: Sendable {
    /// A part that failed.
    private struct Failure: Sendable {
        /// The effect, phrased as the end of a sentence.
        var effect: String
        /// The errno of the failed system call.
        var reason: Errno
    }

    /// The limit of open files, or `nil` if the limit is high enough.
    private var lowLimit: UInt?
    private var failures: [ConditionSubject: Failure] = [:]

    /// The sentence and the next step of the condition, or `nil` without a shortage.
    var advice: (sentence: String, nextStep: String)? {
        guard let first = failures.values.min(by: { $0.effect < $1.effect }) else {
            return lowLimit.map(Self.advice(limit:))
        }
        let others = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
        return (
            "\(Self.cause(first.reason)): \(first.effect)\(others).",
            "\(Self.remedy(first.reason)) FrameFast retries automatically."
        )
    }

    /// Records the limit of open files.
    mutating func recordLimit(_ count: UInt) { lowLimit = count < DescriptorLimit.enough ? count : nil }

    /// Records that a part failed.
    mutating func recordFailure(_ subject: ConditionSubject, _ effect: String, _ reason: Errno) {
        failures[subject] = Failure(effect: effect, reason: reason)
    }

    /// Records that a part succeeded or was removed.
    mutating func recordSuccess(_ subject: ConditionSubject) { failures[subject] = nil }

    /// Returns the errno if a worker can't be started because of a lack of resources, or `nil` for any other
    /// error.
    static func reason(of error: any Error) -> Errno? {
        let reason: Errno? =
            switch error {
            case let error as ChildProcess.StartError: error.errno
            case let error as WorkerHomeError: error.errno
            case let error as SystemCallError: error.errno
            default: nil
            }
        return reason.flatMap { $0.preventsStart ? $0 : nil }
    }

    private static func cause(_ reason: Errno) -> String {
        switch reason {
        case .tooManyOpenFiles: "The service has reached its limit of open files"
        case .tooManyOpenFilesInSystem: "This computer has reached its kernel's limit of open files"
        case .resourceTemporarilyUnavailable: "The service cannot start more processes"
        default: "This computer is out of memory"
        }
    }

    private static func remedy(_ reason: Errno) -> String {
        switch reason {
        case .tooManyOpenFiles:
            "Raise the limit: LimitNOFILE= in the service's unit, or 'ulimit -n' before a manual start."
        case .tooManyOpenFilesInSystem: "Close other programs, or raise the limit 'fs.file-max' with sysctl."
        case .resourceTemporarilyUnavailable:
            "Close other programs, or raise the limit: TasksMax= in the service's unit, or 'ulimit -u' before a "
                + "manual start."
        default: "Close other programs."
        }
    }

    private static func advice(limit: UInt) -> (sentence: String, nextStep: String) {
        (
            "The service may open only \(limit) files at a time: cameras, uploads and commands can fail.",
            "Raise the limit to at least \(DescriptorLimit.enough): LimitNOFILE= in the service's unit, or 'ulimit -n' "
                + "before a manual start; then restart the service."
        )
    }
}
