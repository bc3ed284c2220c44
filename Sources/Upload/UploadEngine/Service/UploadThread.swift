import PlainThreads
import Synchronization

/// The thread on which everything of the uploads runs that does not block: their tasks hand over to each other for each
/// request and each commit, and on one thread that costs no switch. It yields to captures when the processor is short
/// (``PlainThread/start(_:stackBytes:yields:_:)``).
final class UploadThread: TaskExecutor, @unchecked Sendable {
    // Reason: `jobs` is used only with the monitor held.
    /// The one of this process; `nil` where the system had no thread to give: then tasks run as all do.
    static let shared = try? UploadThread()

    /// Shortest time between two looks at ``waitedShare``.
    private static let lookEvery = Duration.milliseconds(50)

    private let monitor = Monitor()
    private var jobs: [UnownedJob] = []
    private let share = Mutex<Double?>(nil)

    /// How much of the time in which it last had something to do the thread waited for a processor, 0...1; `nil` where the
    /// kernel does not say.
    var waitedShare: Double? { share.withLock(\.self) }

    private init() throws(PlainThread.StartError) {
        try PlainThread.start("uploads", yields: true) { [self] in run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        monitor.change { jobs.append(job) }
    }

    /// Runs what is there, and then what came meanwhile.
    private func run() -> Never {
        var turns = ThreadTurns.ofThisThread()
        var lookedAt = ContinuousClock.now
        while true {
            let ready = monitor.wait { () -> [UnownedJob]? in
                guard !jobs.isEmpty else { return nil }
                defer { jobs = [] }
                return jobs
            }
            for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
            guard let before = turns, .now - lookedAt >= Self.lookEvery else { continue }
            lookedAt = .now
            turns = ThreadTurns.ofThisThread()
            let now = turns?.waitedShare(since: before)
            share.withLock { $0 = now }
        }
    }
}
