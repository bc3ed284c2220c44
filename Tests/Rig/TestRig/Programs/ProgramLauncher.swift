import Foundation
import Glibc
import Synchronization

/// A launcher of programs on one thread, which runs as long as the test program.
///
/// With PR_SET_PDEATHSIG, the kernel signals a child when the thread that started the child ends (prctl(2)).
/// A pool's threads must not start programs, because the pool may end a thread at any time.
final class ProgramLauncher: Sendable {
    static let shared = ProgramLauncher()
    private let pendingStarts = Mutex<[@Sendable () -> Void]>([])
    private let workAvailable = DispatchSemaphore(value: 0)

    private init() {
        Thread { [self] in
            while true {
                workAvailable.wait()
                pendingStarts.withLock { $0.removeFirst() }()
            }
        }.start()
    }

    /// Starts a program.
    ///
    /// - Parameter log: The file to which the output is appended.
    /// - Returns: The process ID.
    func start(_ words: [String], environment: [String], log: String) throws -> pid_t {
        let result = Mutex<(error: Int32, pid: pid_t)>((0, 0))
        let isDone = DispatchSemaphore(value: 0)
        pendingStarts.withLock { pendingStarts in
            pendingStarts.append {
                result.withLock { $0 = Self.spawn(words, environment, log) }
                isDone.signal()
            }
        }
        workAvailable.signal()
        isDone.wait()
        let (error, pid) = result.withLock { $0 }
        guard error == 0 else {
            throw WaitTimeout(description: "cannot start \(words): \(String(cString: strerror(error)))")
        }
        return pid
    }

    private static func spawn(_ words: [String], _ environment: [String], _ log: String)
        -> (error: Int32, pid: pid_t)
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Closes descriptors that are not marked close-on-exec.
        for descriptor: Int32 in 3..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        // Threads of a pool block signals, and this thread may have inherited their mask.
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer {
            for text in arguments + variables { free(text) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var pid: pid_t = 0
        let error = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
        return (error, pid)
    }
}
