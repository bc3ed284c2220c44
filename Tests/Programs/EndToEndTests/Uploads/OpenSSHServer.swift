import Foundation
import Glibc
import TestRig
import Testing

/// OpenSSH's server with its own keys and configuration. Its folder contains `user_key`, with which a client
/// signs in, and `known_hosts`.
enum OpenSSHServer {
    /// Starts the server without waiting until it listens.
    ///
    /// - Parameters:
    ///   - port: A port of 127.0.0.1 that the test has reserved.
    ///   - subsystem: The program that answers SFTP requests.
    static func start(
        on port: Int, in scratch: ScratchFolder, subsystem: String = "internal-sftp"
    ) async throws -> RunningProgram {
        for name in ["host_key", "user_key"] {
            let run = try await RunningProgram.run(
                URL(filePath: "/usr/bin/ssh-keygen"),
                ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", scratch.path(name)], in: scratch)
            try #require(run.status == 0, "\(run.output)")
        }
        let host = try String(contentsOfFile: scratch.path("host_key.pub"), encoding: .utf8)
        try "[127.0.0.1]:\(port) \(host)".write(
            toFile: scratch.path("known_hosts"), atomically: true, encoding: .utf8)
        let configuration = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(scratch.path("host_key"))
            PidFile none
            AuthorizedKeysFile \(scratch.path("user_key.pub"))
            UsePAM no
            StrictModes no
            PasswordAuthentication no
            MaxStartups 100
            Subsystem sftp \(subsystem)

            """
        try configuration.write(toFile: scratch.path("sshd_config"), atomically: true, encoding: .utf8)
        // sshd closes its inherited descriptors, which `Process` treats as the end of the program. `Process`
        // then waits for sshd, and misses the end of other programs. A shell between `Process` and sshd keeps
        // the descriptors open.
        return try RunningProgram(
            ServerPrograms.sshd, ["-D", "-e", "-f", scratch.path("sshd_config")],
            log: scratch.url.appending(path: "server.log"), wrapper: ["sh", "-c", "\"$@\" & wait", "sh"],
            environment: try ServerPrograms.sshdEnvironment(in: scratch.url))
    }
}
