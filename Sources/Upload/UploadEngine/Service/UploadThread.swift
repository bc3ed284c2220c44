import PlainThreads

/// The thread on which everything of the uploads runs that does not block: their tasks hand over to each other for each
/// request and each commit, and on one thread that costs no switch. It yields to captures when the processor is short
/// (``PlainThread/start(_:stackBytes:yields:_:)``).
final class UploadThread: TaskExecutor, @unchecked Sendable {
    // Reason: `jobs` is used only with the monitor held.
    /// The one of this process; `nil` where the system had no thread to give: then tasks run as all do.
    static let shared = try? UploadThread()

    private let monitor = Monitor()
    private var jobs: [UnownedJob] = []

    private init() throws(PlainThread.StartError) {
        try PlainThread.start("uploads", yields: true) { [self] in run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        monitor.change { jobs.append(job) }
    }

    /// Runs what is there, and then what came meanwhile.
    private func run() -> Never {
        while true {
            let ready = monitor.wait { () -> [UnownedJob]? in
                guard !jobs.isEmpty else { return nil }
                defer { jobs = [] }
                return jobs
            }
            for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
