import FrameFastSystem
import SystemPackage

/// Advice for photos that cannot be written to their folder.
struct CaptureFolderAdvice: Hashable {
    /// The commands or the step that solve the problem, or `nil` if only general advice applies.
    let text: String?

    /// Returns the step after an I/O error, without a period at the end.
    static func diskCheck(_ subject: String) -> String {
        "Check the disk that holds \(subject): 'sudo dmesg' shows its errors"
    }

    /// Returns the step for a folder on a file system without owners, without a period at the end.
    ///
    /// - Parameter user: The name of the service's user.
    static func mountStep(_ folder: String, user: String) -> String {
        let group = user == Observer.serviceUser ? ",gid=\(user)" : ""
        return "The file system of \(folder) stores no owners. Unmount it, then mount it with the options "
            + "uid=\(user)\(group), for example in /etc/fstab"
    }

    /// - Parameter environment: The environment, which shows whether systemd runs this process as a system
    ///   service. A system service has its own user and sandbox, and needs different steps.
    init(_ directory: String, _ error: SystemCallError, environment: [String: String]) {
        self.init(
            directory, error.errno, subject: error.subject,
            closed: error.errno.isNotAllowed ? Observer.service.closedFolder(above: directory) : nil,
            isSystemService: environment["NOTIFY_SOCKET"] != nil && environment["XDG_RUNTIME_DIR"] == nil)
    }

    /// - Parameters:
    ///   - closed: The parent folder that the service can't pass through, if that is the reason.
    ///   - isForStart: Whether the advice is for the start of the service. If `true`, the advice does not
    ///     say that FrameFast then continues automatically.
    ///   - lacksOwners: Returns whether a folder is on a file system without owners.
    init(
        _ directory: String, _ reason: Errno, subject: String, closed: String? = nil,
        purpose: ServiceSandbox.Purpose = .photos, isSystemService: Bool, isForStart: Bool = false,
        lacksOwners: (_ folder: String) -> Bool = { (try? DiskIdentity.of($0))?.lacksOwners == true }
    ) {
        let sandbox = ServiceSandbox()
        // A folder that the sandbox hides is no barrier. The commands below create a drop-in, which lets the
        // service pass through that folder.
        let barrier = closed.flatMap { sandbox.hides($0) ? nil : $0 }
        let effect = isForStart ? "" : ". FrameFast then continues automatically"
        switch reason {
        case .readOnlyFileSystem where !isSystemService || sandbox.lines(for: directory).isEmpty:
            // Linux mounts a disk read-only after an error (errors=remount-ro in ext4(5)).
            text =
                "The folder's disk is mounted read-only. If 'sudo dmesg' shows errors of the disk, check the disk. "
                + "Then mount the disk read-write."
        case let reason where reason.isNotAllowed && lacksOwners(barrier ?? directory):
            let user = isSystemService ? Observer.serviceUser : Observer.service.account
            text = Self.mountStep(barrier ?? directory, user: user) + effect + "."
        case let reason where reason.isNotAllowed && barrier != nil:
            let place = barrier ?? subject
            text =
                isSystemService
                ? "The service has no access to \(place): mount the disk under /srv or /mnt and choose a folder on it, "
                    + "or run 'sudo setfacl -m u:framefast:x \(place.asShellWord)'."
                : "Give your user access to \(place)\(effect)."
        case let reason where reason == .readOnlyFileSystem || reason.isNotAllowed:
            text =
                isSystemService
                ? "Run: " + sandbox.commands(for: directory, purpose: purpose).joined(separator: " && ")
                : "Give your user write permission for \(directory)\(effect)."
        case let reason where reason.isBlocked:
            text = "The folder can't be created while \(subject) is there. Move it to another path\(effect)."
        case .ioError: text = Self.diskCheck(subject) + effect + "."
        default: text = ShareAdvice.step(for: reason).map { $0 + effect + "." }
        }
    }
}
