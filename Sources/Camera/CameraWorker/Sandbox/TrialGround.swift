import CLinux
import Glibc

/// What the trial of the sandbox tries to reach, made before the sandbox is entered: a home, a file of somebody else
/// and a process of the same user. Nothing of it depends on where the caller's own home and photos are.
struct TrialGround {
    /// The trial's own home.
    let home: String
    /// A file of the same user that is no business of this worker: as another camera's photo.
    let foreignFile: String
    /// A process of the same user, as the service is one.
    let neighbour: pid_t

    /// Makes it below `/tmp`; a process that waits for this one's end removes it.
    ///
    /// - Returns: `nil` when it cannot be made; errno says why.
    static func make() -> Self? {
        var template = Array("/tmp/framefast-trial-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let (home, file) = (folder + "/home", folder + "/foreign.jpg")
        guard mkdir(home, 0o700) == 0 else { return nil }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        setenv("HOME", home, 1)
        guard let neighbour = startNeighbour(folder) else { return nil }
        return Self(home: home, foreignFile: file, neighbour: neighbour)
    }

    /// It ends when the other end of its standard input closes, which this process' end does.
    private static func startNeighbour(_ folder: String) -> pid_t? {
        var ends: [Int32] = [0, 0]
        guard framefast_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // Not the caller's output, whose end the caller waits for.
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let line = ["sh", "-c", "read line; PATH=/usr/bin:/bin; rm -rf \"$0\"", folder]
        var arguments: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var neighbour = pid_t()
        let status = posix_spawn(&neighbour, "/bin/sh", &actions, nil, &arguments, &environment)
        if status != 0 { errno = status }
        return status == 0 ? neighbour : nil
    }
}
