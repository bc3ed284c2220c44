import FrameFastModel
import Synchronization

/// The running attempts of all runners.
///
/// A runner registers the attempt of a claimed job after the commit of the claim, and before the next commit
/// of the ledger. A hold or a drop stops the job's attempt after the commit of the hold or drop. The stop
/// therefore finds the attempt of each earlier claim. The attempt may not have started yet, and a reload of
/// the configuration may have removed the runner.
final class RunningAttempts: Sendable {
    private let running = Mutex<[ObjectIdentifier: [JobID: Attempt]]>([:])

    /// Returns the attempts of a runner.
    func attempts(of runner: DestinationRunner) -> [JobID: Attempt] {
        running.withLock { $0[ObjectIdentifier(runner)] ?? [:] }
    }

    /// Returns the attempts that must end before a job's attempt starts: the runner's attempts to upload the
    /// same photo for earlier jobs.
    ///
    /// A person may drop a job and add its photo again while the attempt of the dropped job ends. Two
    /// attempts at the same time could send the photo twice.
    func earlierAttempts(forPhotoOf job: UploadJob, by runner: DestinationRunner) -> [Attempt] {
        attempts(of: runner).values.filter { attempt in
            attempt.claimed.captureID == job.captureID && attempt.claimed.id < job.id
        }
    }

    /// Replaces ended attempts with the attempts of claimed jobs.
    ///
    /// A person may hold and release a job while its attempt ends. If the job is then claimed again, the new
    /// attempt is ignored, because two attempts would send the photo twice. The outcome of the ending attempt
    /// counts for the new claim.
    ///
    /// - Parameter ended: The jobs whose outcomes the ledger has recorded.
    func replace(_ ended: [JobID], of runner: DestinationRunner, with claimed: [Attempt]) {
        running.withLock { running in
            var attempts = running[ObjectIdentifier(runner)] ?? [:]
            for id in ended { attempts[id] = nil }
            for attempt in claimed where attempts[attempt.claimed.id] == nil {
                attempts[attempt.claimed.id] = attempt
            }
            running[ObjectIdentifier(runner)] = attempts.isEmpty ? nil : attempts
        }
    }

    /// Removes the attempts of a runner that no longer exists. A later runner can have the same identifier.
    func removeAll(of runner: ObjectIdentifier) {
        running.withLock { $0[runner] = nil }
    }

    /// Stops the attempt of a held or dropped job, if the job is running.
    func stop(_ job: JobID) {
        let attempts = running.withLock { running in running.values.compactMap { $0[job] } }
        for attempt in attempts { attempt.stop() }
    }
}
