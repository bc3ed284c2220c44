import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Glibc
import SettingKeys
import Store
import SystemPackage
import TextForms

/// Checks of folders: whether the service may write to them, and their free disk space.
extension Doctor {
    /// Checks the disk for photos. Returns `nil` if a condition reports the folder or its disk.
    func disk(_ conditions: [ConditionReply]) -> Check? {
        guard !conditions.contains(anyOf: [.diskFull, .diskLow, .photosAway, .saveFailing]) else {
            return nil
        }
        return freeSpace(
            id: "disk", title: "Disk", directory: configuration.capture.directory,
            needBytes: configuration.capture.minFreeBytes, what: "photos")
    }

    /// Checks the ledger and its disk. Returns `nil` if a condition reports that the ledger cannot be
    /// written.
    func state(_ conditions: [ConditionReply]) -> Check? {
        guard !conditions.contains(anyOf: [.ledgerFailing]) else { return nil }
        let ledger = LedgerFile(configuration)
        // A running service has already checked the ledger when it opened the file.
        if service == nil, let damage = ledger.damage {
            return Check(
                id: "state", title: "State", verdict: .danger,
                sentence: "The ledger \(ledger.path) is damaged: \(damage).",
                steps: [
                    "Start the service. It moves the damaged file aside and recovers the data into a new ledger.",
                    "Check the disk of \(configuration.state.directory), for example with 'sudo dmesg'.",
                ])
        }
        let space = freeSpace(
            id: "state", title: "State", directory: configuration.state.directory,
            needBytes: Self.stateBytesMin, what: "the ledger")
        guard space.verdict == .ok, ledger.isFromNewerVersion else { return space }
        return Check(
            id: "state", title: "State", verdict: .warning,
            sentence: "A newer version of FrameFast has changed the ledger \(ledger.path).",
            steps: ["Install the newer version again. This version ignores the data of the newer version."])
    }

    /// The free disk space that the ledger needs, in bytes. The ledger and its log stay far below this size.
    private static let stateBytesMin: Int64 = 64 * 1024 * 1024

    /// Returns the command that creates a folder for a user. The service's user has its own group.
    static func createCommand(_ directory: String, for account: String) -> String {
        let group = account == Observer.serviceUser ? " -g \(account)" : ""
        return "sudo install -d -o \(account)\(group) \(directory.asShellWord)"
    }

    private func freeSpace(
        id: String, title: String, directory: String, needBytes: Int64, what: String
    ) -> Check {
        let check = { (verdict: DiagnosisReply.Level, sentence: String, steps: [String]) in
            Check(id: id, title: title, verdict: verdict, sentence: sentence, steps: steps)
        }
        let unseen = check(
            .info, "This user has no permission to check whether \(what) can be written to \(directory).",
            ["Run the doctor as root: sudo framefast doctor"])
        // Before the first start the folder does not exist yet. Its nearest existing ancestor is on the same
        // disk.
        let place = FolderPermission.nearest(to: directory)
        var facts = statvfs()
        guard let place, statvfs(place, &facts) == 0 else {
            let reason = Errno(rawValue: errno)
            if reason.isNotAllowed { return unseen }
            let step =
                reason == .ioError
                ? CaptureFolderAdvice.diskCheck(directory) + "." : "Check the path in the configuration."
            return check(.danger, "\(directory) cannot be checked: \(reason).", [step])
        }
        if facts.f_flag & UInt(ST_RDONLY) != 0, observer != .service {
            return check(
                .danger, "The disk of \(directory) is mounted read-only.",
                ["Mount the disk read-write."])
        }
        switch observer.mayWrite(to: place) {
        case true?: break
        case false? where (try? DiskIdentity.of(place))?.lacksOwners == true:
            return check(
                .danger, "\(observer.name.capitalizedFirst) cannot write \(what) to \(directory).",
                [CaptureFolderAdvice.mountStep(place, user: observer.account) + "."])
        case false? where place.split(separator: "/") != directory.split(separator: "/"):
            return check(
                .danger, "\(directory) does not exist, and \(observer.name) cannot create it in \(place).",
                ["Create the folder: " + Self.createCommand(directory, for: observer.account)])
        case false?:
            return check(
                .danger, "\(observer.name.capitalizedFirst) cannot write \(what) to \(directory).",
                ["Change the folder's owner: sudo chown \(observer.account): \(directory.asShellWord)"])
        case nil: return unseen
        }
        let free = Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
        let text = "\(ByteSizeText.text(of: free)) are free for \(what) in \(directory)."
        return free >= needBytes
            ? check(.ok, text, [])
            : check(
                .danger, text + " At least \(ByteSizeText.text(of: needBytes)) are needed.",
                ["Free some space, or choose another disk in the configuration."])
    }
}

extension [ConditionReply] {
    fileprivate func contains(anyOf kinds: Set<ConditionKind>) -> Bool {
        contains { condition in kinds.contains { $0.rawValue == condition.code } }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
