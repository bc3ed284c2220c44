import FrameFastSystem
import SystemPackage

/// The sentences of the findings.
extension FolderCheck {
    static let noSandbox =
        "the service cannot be started: systemd cannot create its sandbox. A folder in a drop-in of the unit may be missing: "
        + "find it with 'systemctl cat framefastd', and create it, mount its disk, or put '-' in front of its path"

    /// Returns the fault of a folder whose contents systemd removes.
    static func faultOfTemporaryFolder(_ tried: TriedPlace) -> String {
        "\(tried.place.prefix)instead of \(tried.outside.target), the service uses a private folder that "
            + "systemd removes when the service stops: choose another folder, such as /srv/photos"
    }

    /// Returns the fault of a folder, or `nil` if the service can write to it.
    func faultOfFolder(
        _ tried: TriedPlace, _ purpose: ServiceSandbox.Purpose, isService: Bool
    ) -> String? {
        let (place, target, result) = (tried.place, tried.outside.target, tried.result)
        guard let number = result.errno else { return nil }
        guard number != 0 else {
            guard isService else { return nil }
            return missingDropIn(tried, purpose).map { place.prefix + $0 }
        }
        let reason = Errno(rawValue: number)
        let advice = CaptureFolderAdvice(
            target, reason, subject: result.subject, closed: result.isClosed ? result.subject : nil,
            purpose: purpose, isSystemService: isService, isForStart: true)
        return "\(place.prefix)the service cannot write to \(place.path) (\(result.subject): \(reason)). "
            + (advice.text ?? (reason.isDiskFull ? "Free some space on that disk." : "Check that folder."))
    }

    /// Returns the warning for a folder whose disk is missing, or `nil` if the service can use the folder.
    ///
    /// The usual commands would create the folder on the disk of the mount point. The warning therefore first
    /// tells the user to mount the missing disk, and contains commands only if the unit needs a drop-in.
    func warningOfMissingDisk(_ tried: TriedPlace, _ purpose: ServiceSandbox.Purpose) -> String? {
        let (place, result) = (tried.place, tried.result)
        guard let number = result.errno else { return nil }
        let advice = missingDropIn(tried, purpose)
        guard number != 0 || advice != nil else { return nil }
        let reason = number == 0 ? "" : " (\(result.subject): \(Errno(rawValue: number)))"
        return "\(place.prefix)the service cannot use \(place.path) now\(reason). "
            + "Photos wait until the disk is mounted. "
            + (advice.map { "First mount the disk. " + $0 } ?? "Mount the disk, then run the check again.")
    }

    /// Returns the commands for a folder that the unit does not allow, or `nil` if the unit allows it.
    private func missingDropIn(_ tried: TriedPlace, _ purpose: ServiceSandbox.Purpose) -> String? {
        guard tried.inside?.errno != 0 else { return nil }
        return sandbox.advice(for: tried.outside.target, purpose: purpose)
    }

    /// Returns the fault of a file, or `nil` if the service can read it.
    ///
    /// - Parameters:
    ///   - key: The configuration key of the file.
    ///   - unit: See ``ServiceSandbox/conceals(_:unit:)``.
    func faultOfFile(_ tried: TriedPlace, key: String, unit: String) -> String? {
        let (place, result) = (tried.place, tried.result)
        // The destinations themselves report a missing file.
        guard !tried.outside.isMissing, let number = result.errno, number != 0,
            let destination = place.destination
        else { return nil }
        let reason = Errno(rawValue: number)
        let problem = "\(place.prefix)the service cannot read \(place.path) (\(result.subject): \(reason)). "
        guard reason != .ioError else { return problem + CaptureFolderAdvice.diskCheck(place.path) + "." }
        let mustMove =
            !reason.isNotAllowed || result.isClosed || sandbox.conceals(place.path, unit: unit)
        let copy = mustMove ? ServiceSandbox.copy(of: place.path, for: destination) : nil
        let step = copy.map { "Set \(key) to \"\($0)\". " } ?? ""
        return problem + step + "Run: " + ServiceSandbox.commandToRead(place.path, copy: copy)
    }

    /// Returns the warning for places that could not be tested as the service.
    func warningOfUnseen(_ paths: [String]) -> String {
        let names = paths.joined(separator: " and ")
        return isRoot
            ? "cannot check whether the service can use \(names), because systemd did not run "
                + "the check in the service's sandbox"
            : "this user has no permission to check whether the service can use \(names): "
                + "run 'sudo framefastd --check-config'"
    }
}
