import FrameFastSystem
import Synchronization
import SystemIO

/// The thread that runs all non-blocking upload code. Upload tasks switch at each request and each commit,
/// and a single thread avoids thread switches. The thread yields to captures when the processor is busy
/// (``PlainThread/start(_:stackBytes:yields:_:)``).
final class UploadThread: TaskExecutor, @unchecked Sendable {
    // Safe because `jobs` is used only while the monitor is locked.
    /// The thread of this process, or `nil` if the system could not start the thread. Without the thread,
    /// tasks run on Swift's pool.
    static let shared = try? UploadThread()

    /// The thread of this process, or `nil` inside a simulation, which runs all tasks on its own thread.
    static var preferred: UploadThread? { SimulatedHost.current == nil ? shared : nil }

    /// The shortest time between two measurements of ``waitedShare``, in seconds.
    private static let measureSeconds = 0.05

    private let monitor = Monitor()
    private var jobs: [UnownedJob] = []
    private let share = Mutex<Double?>(nil)

    /// The share of the thread's ready time in which the thread waited for a processor, 0...1, at the last
    /// measurement. `nil` before the first measurement, or if the kernel does not report the times.
    var waitedShare: Double? { share.withLock(\.self) }

    private init() throws(PlainThread.StartError) {
        try PlainThread.start("uploads", yields: true) { [self] in run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        monitor.withLockAndNotify { jobs.append(job) }
    }

    /// Runs queued jobs, and waits for further jobs.
    private func run() -> Never {
        var times = ThreadRunTimes.ofCurrentThread()
        let clock = HostClock.system
        var measuredAt = clock.uptime()
        while true {
            let ready = monitor.wait { () -> [UnownedJob]? in
                guard !jobs.isEmpty else { return nil }
                defer { jobs = [] }
                return jobs
            }
            for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
            guard let before = times, clock.uptime() - measuredAt >= Self.measureSeconds else { continue }
            measuredAt = clock.uptime()
            times = ThreadRunTimes.ofCurrentThread()
            let now = times?.waitedShare(since: before)
            share.withLock { $0 = now }
        }
    }
}
