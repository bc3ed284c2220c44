import FrameFastConfiguration
import FrameFastModel
import SettingKeys
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
    /// Whether the folder must be on another disk than `/`. If `true`, photos wait until the disk is mounted.
    var mustBeMount = false
    /// The file that exists if the service has used the folder, or `nil` for the service's own folders and
    /// for files. Photos wait if the disk of a used folder is unmounted.
    var identity: String?

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

    /// Returns the places of a configuration: first all folders, then all files.
    static func all(in configuration: Configuration) -> [Self] {
        let own = [
            Self(path: configuration.capture.directory, use: .folder(.photos)),
            Self(path: configuration.state.directory, use: .folder(.state)),
        ]
        let folders = configuration.destinations.compactMap {
            $0.folder(stateDirectory: configuration.state.directory)
        }
        return own + folders + configuration.destinations.flatMap(\.filePlaces)
    }
}

extension Configuration.Destination {
    /// Returns the folder of a destination on this computer, or `nil` for a destination on a server or a
    /// relative path.
    fileprivate func folder(stateDirectory: String) -> ServicePlace? {
        guard self.kind == .directory, let path = settings.values["path"]?.text, path.hasPrefix("/") else {
            return nil
        }
        return ServicePlace(
            path: path, use: .folder(.destination(self.name)), destination: self.id,
            mustBeMount: settings.values["mount"] == .flag(true),
            identity: DirectoryDestination.identityPath(of: self.name, stateDirectory: stateDirectory))
    }

    /// The configured files, without the secrets that systemd passes to the service.
    var filePlaces: [ServicePlace] {
        self.kind.descriptor.keys.filter { $0.isSecretFile || ServicePlace.publicFiles.contains($0.name) }
            .compactMap { key in
                guard let path = settings.values[key.name]?.text, path.hasPrefix("/") else { return nil }
                return ServicePlace(
                    path: path, use: .file(key: key.name), destination: self.id)
            }
    }
}
