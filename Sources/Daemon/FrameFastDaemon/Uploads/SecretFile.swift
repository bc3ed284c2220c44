import APIServer
import Foundation
import FrameFastSystem
import Glibc

/// A reader of passwords, tokens and keys from a file or from systemd (`LoadCredential=`). The configuration
/// contains only the place of such a secret.
enum SecretFile {
    /// The largest size of a secret, in bytes.
    private static let bytesMax = 64 * 1024
    /// The environment variable with systemd's folder of credentials.
    private static let credentialsVariable = "CREDENTIALS_DIRECTORY"
    private static let credentialPrefix = "credential:"
    /// The prefix of credentials that systemd loaded from a folder. The unit has
    /// `LoadCredential=framefast:/etc/framefast/credentials`.
    private static let folderPrefix = "framefast_"

    /// Reads a secret; see ``SecretText``.
    ///
    /// - Parameter place: An absolute path, or `credential:NAME`.
    static func read(
        _ place: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SecretFileError) -> String {
        if place.hasPrefix(credentialPrefix) {
            guard let folder = environment[credentialsVariable] else { throw .noCredentials(place) }
            let name = place.dropFirst(credentialPrefix.count)
            guard !name.isEmpty, !name.contains("/"), name != ".." else {
                throw .unreadable(place, "it is not a credential name")
            }
            let path = "\(folder)/\(name)"
            let ofFolder = "\(folder)/\(folderPrefix)\(name)"
            return try content(access(path, F_OK) == 0 ? path : ofFolder, of: place)
        }
        guard place.hasPrefix("/") else { throw .unreadable(place, "it is not an absolute path") }
        try check(place)
        return try content(place, of: place)
    }

    /// Throws if other users can read, change or execute a file.
    ///
    /// The file may be accessible for the group of root, of this process or of the service, for example with
    /// `0640 root:framefast`. Credentials from systemd are not checked, because systemd protects them.
    ///
    /// - Parameter serviceGroup: The group of the system service, or `nil` if the package is not installed.
    static func check(
        _ path: String, serviceGroup: gid_t? = UserDatabase.groupID(named: AccessPolicy.groupName)
    ) throws(SecretFileError) {
        var facts = stat()
        // A later read reports a missing file.
        guard stat(path, &facts) == 0 else { return }
        let isOfOthers = ![0, getegid(), serviceGroup].contains(facts.st_gid)
        guard facts.st_mode & 0o007 != 0 || (facts.st_mode & 0o070 != 0 && isOfOthers) else { return }
        let word = path.asShellWord
        let isForService = facts.st_uid == 0 && serviceGroup != nil
        throw .exposed(
            path,
            isForService
                ? "sudo chgrp \(AccessPolicy.groupName) \(word) && sudo chmod 640 \(word)"
                : (facts.st_uid == geteuid() ? "" : "sudo ") + "chmod 600 \(word)")
    }

    private static func content(_ path: String, of place: String) throws(SecretFileError) -> String {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw .unreadable(place, "\((error as NSError).localizedDescription)")
        }
        guard data.count <= bytesMax else { throw .unreadable(place, "it is larger than \(bytesMax) bytes") }
        do { return try SecretText.read(data) } catch { throw .unreadable(place, error.description) }
    }
}

/// The reason why a secret can't be used.
enum SecretFileError: Error, Hashable, CustomStringConvertible {
    /// systemd has provided no credentials.
    case noCredentials(String)
    /// The file can't be read, or its contents are not a valid secret. The second value is the reason.
    case unreadable(String, String)
    /// Other users can read, change or execute the file. The second value is the command that removes their
    /// access.
    case exposed(String, String)

    /// The path or name of the secret, as configured.
    var place: String {
        switch self {
        case .noCredentials(let place), .unreadable(let place, _), .exposed(let place, _): place
        }
    }

    var description: String {
        switch self {
        case .noCredentials(let place):
            "cannot read '\(place)': systemd provides no credentials; put the secret into /etc/framefast/credentials "
                + "and run framefastd as a service"
        case .unreadable(let place, let why): "cannot read the secret '\(place)': \(why)"
        case .exposed(let place, let command):
            "cannot use the secret '\(place)', because other users can access it: run '\(command)'"
        }
    }
}
