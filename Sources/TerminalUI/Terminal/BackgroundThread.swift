import Glibc

/// A thread for one blocking job.
public enum BackgroundThread {
    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts the job. It ends with the process, or by itself.
    public static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Job(body))
        let code = pthread_create(
            &thread, nil,
            { pointer in
                pointer.map { Unmanaged<Job>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            }, job.toOpaque())
        if code == 0 { pthread_detach(thread) } else { job.release() }
    }
}
