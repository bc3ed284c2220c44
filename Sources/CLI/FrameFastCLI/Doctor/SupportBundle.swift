import FrameFastAPI
import Glibc
import TerminalUI

/// The reason why the archive could not be written.
enum SupportBundleError: Error {
    case exists
    case cannotWrite(String)
    case noTar

    func explanation(_ path: String) -> Explanation {
        switch self {
        case .exists:
            Explanation(
                status: .failed, code: .conflict, message: "cannot write \(path): it already exists",
                nextStep: "Choose another name.")
        case .cannotWrite(let reason):
            Explanation(status: .failed, code: .internal, message: "cannot write \(path): \(reason)")
        case .noTar:
            Explanation(
                status: .failed, code: .internal, message: "cannot write \(path): tar failed or is missing",
                nextStep: "Install tar.")
        }
    }
}

/// Writes the diagnostics archive.
enum SupportBundle {
    /// Writes the files into an archive that only this user can read.
    ///
    /// - Parameter files: The names and texts of the files, without secrets.
    static func write(_ files: [(name: String, text: String)], to path: String) throws(SupportBundleError) {
        guard let tar = ShortCommand.find("tar") else { throw .noTar }
        let archive = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard archive >= 0 else {
            if errno == EEXIST { throw .exists }
            throw .cannotWrite(String(cString: strerror(errno)))
        }
        var isWritten = false
        defer {
            close(archive)
            if !isWritten { unlink(path) }
        }
        let folder = try makeFolder()
        defer { remove(folder, files.map(\.name)) }
        for file in files {
            let descriptor = open("\(folder)/\(file.name)", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .cannotWrite(String(cString: strerror(errno))) }
            let isComplete = FileDescriptorText.write(Array(file.text.utf8), to: descriptor)
            let reason = String(cString: strerror(errno))
            close(descriptor)
            guard isComplete else { throw .cannotWrite("\(reason) (\(folder))") }
        }
        let result = ShortCommand.run(
            tar,
            [
                "-czf", "-", "--owner=0", "--group=0", "--transform=s,^,framefast-diagnosis/,", "-C", folder,
            ] + files.map(\.name), output: archive)
        guard result?.status == 0 else { throw .noTar }
        changeOwnerToCaller(archive)
        guard fsync(archive) == 0 else { throw .cannotWrite(String(cString: strerror(errno))) }
        isWritten = true
    }

    /// Changes the owner of the archive to the user who called `sudo`. Some users need `sudo` to read the
    /// log.
    private static func changeOwnerToCaller(_ archive: Int32) {
        let number = { (name: String) in getenv(name).flatMap { UInt32(String(cString: $0)) } }
        guard geteuid() == 0, let user = number("SUDO_UID"), let group = number("SUDO_GID") else { return }
        _ = fchown(archive, user, group)
    }

    private static func makeFolder() throws(SupportBundleError) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/framefast-doctor-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .cannotWrite(String(cString: strerror(errno))) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func remove(_ folder: String, _ names: [String]) {
        for name in names { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
