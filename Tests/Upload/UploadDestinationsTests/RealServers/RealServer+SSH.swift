import Foundation
import TestRig

@testable import UploadDestinations
@testable import UploadEngine

extension RealServer {
    /// OpenSSH with a subsystem that refuses some requests (`sftp-server -P`) or all changes (`-R`).
    static let openSSHRows = [
        Row("OpenSSH without fsync, times and replacing") {
            try await openSSH("-P fsync,setstat,fsetstat,lsetstat,posix-rename", in: $0)
        },
        Row("OpenSSH without renames") { try await openSSH("-P rename,posix-rename,hardlink", in: $0) },
        Row("OpenSSH without sizes") { try await openSSH("-P lstat,stat,fstat,statvfs,fstatvfs", in: $0) },
        Row("OpenSSH drop box", keepsTrialFiles: true) {
            try await openSSH(
                "-P read,remove,rename,posix-rename,hardlink,opendir,readdir,setstat,fsetstat,fsync", in: $0)
        },
        Row("OpenSSH that returns no files and runs sha256sum") {
            try await openSSH("-P read", command: "sha256sum", in: $0)
        },
        Row("read-only OpenSSH", refusal: "denied write permission") {
            try await openSSH("-R", in: $0)
        },
    ]

    /// - Parameters:
    ///   - arguments: The arguments of sftp-server.
    ///   - command: The only command besides SFTP that the account may run, or `nil` for any command. The
    ///     command verifies the photos.
    private static func openSSH(
        _ arguments: String, command: String? = nil, in scratch: ScratchFolder
    ) async throws -> RealServer {
        let server = try await SSHServer()
        let program = "/usr/lib/openssh/sftp-server \(arguments)"
        var options = "MaxStartups 100"
        if let command {
            let script = server.folder.appending(path: "account")
            try """
            #!/bin/sh
            case "$SSH_ORIGINAL_COMMAND" in
                *sftp-server*) exec \(program) ;;
                \(command)\\ *) exec sh -c "$SSH_ORIGINAL_COMMAND" ;;
            esac
            echo "this account runs \(command) only" >&2
            exit 1

            """.write(to: script, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
            options += "\nForceCommand \(script.path)"
        }
        try await server.start(subsystem: program, options: options)
        let folder = server.home.appending(path: "photos")
        return RealServer(programs: [server], port: Int(server.port)) {
            files(below: folder)
        } destination: { port, memory in
            var settings = server.settings()
            settings.port = port
            if let command { settings.verification = .command(command) }
            return SFTPDestination(settings, memory: memory)
        }
    }
}
