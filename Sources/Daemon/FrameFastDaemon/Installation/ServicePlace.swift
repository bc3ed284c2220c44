import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Glibc
import SettingKeys
import SystemPackage
import UploadDestinations

/// A folder or a file that the service uses, as configured.
struct ServicePlace: Hashable, Sendable {
    /// The way in which the service uses the place.
    enum Use: Hashable, Sendable {
        /// The service creates files in the folder.
        case folder(ServiceSandbox.Purpose)
        /// The service, or a program that it starts, reads the file. `key` is the configuration key.
        case file(key: String)
    }

    /// The absolute path.
    var path: String
    var use: Use
    /// The name of the destination that uses the place, or `nil` for the service's own folders.
    var destination: DestinationName?
    /// Whether the folder's disk may be missing. Photos then wait for the disk.
    var mayBeAway = false

    /// The option with which the test process tests the place.
    var option: String {
        switch use {
        case .folder: "--try-folder"
        case .file: "--try-file"
        }
    }

    /// The beginning of a sentence about the place.
    var prefix: String { destination.map { "destination '\($0.rawValue)': " } ?? "" }

    /// The configuration keys of files that contain no secret.
    fileprivate static let publicFiles = ["ca_file", "known_hosts"]

    /// Whether a file exists, or is in a folder that this user has no permission to search.
    fileprivate static func mayExist(_ path: String) -> Bool {
        access(path, F_OK) == 0 || Errno(rawValue: errno).isNotAllowed
    }

    /// Returns the places of a configuration: first all folders, then all files.
    static func all(in configuration: Configuration) -> [Self] {
        let own = [
            Self(path: configuration.capture.directory, use: .folder(.photos)),
            Self(path: configuration.state.directory, use: .folder(.state)),
        ]
        let folders = configuration.destinations.compactMap {
            $0.folder(stateDirectory: configuration.state.directory)
        }
        return own + folders + configuration.destinations.flatMap(\.files)
    }
}

extension Configuration.Destination {
    /// Returns the folder of a destination on this computer, or `nil` for a destination on a server or a
    /// relative path.
    ///
    /// The disk of a folder with `mount = true`, or of a folder that the service has used before, may be
    /// unmounted. A user who cannot search the state directory does not know whether the service has used the
    /// folder.
    fileprivate func folder(stateDirectory: String) -> ServicePlace? {
        guard self.kind == .directory, let path = settings.values["path"]?.text, path.hasPrefix("/") else {
            return nil
        }
        let identity = DirectoryDestination.identityPath(of: self.name, stateDirectory: stateDirectory)
        return ServicePlace(
            path: path, use: .folder(.destination(self.name)),
            destination: self.id,
            mayBeAway: settings.values["mount"] == .flag(true)
                || ServicePlace.mayExist(identity))
    }

    /// The configured files, without the secrets that systemd passes to the service.
    fileprivate var files: [ServicePlace] {
        self.kind.descriptor.keys.filter { $0.isSecretFile || ServicePlace.publicFiles.contains($0.name) }
            .compactMap { key in
                guard let path = settings.values[key.name]?.text, path.hasPrefix("/") else { return nil }
                return ServicePlace(
                    path: path, use: .file(key: key.name), destination: self.id)
            }
    }
}
