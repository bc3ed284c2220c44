public import Foundation
import SettingKeys

/// The command-line flags of the configuration.
public struct ConfigurationFlags: Sendable, Hashable {
    /// `--config`: the configuration file, which must exist.
    public var configFile: String?
    /// `--state-dir`.
    public var stateDirectory: String?
    /// `--socket`.
    public var socket: String?

    /// Creates flags. Omitted flags are `nil`.
    public init(configFile: String? = nil, stateDirectory: String? = nil, socket: String? = nil) {
        self.configFile = configFile
        self.stateDirectory = stateDirectory
        self.socket = socket
    }
}

extension Configuration {
    /// The environment variable that overrides the path of the camera worker. It is not a configuration key,
    /// although its name starts with `FRAMEFAST_CAMERA_`.
    public static let workerProgramVariable = "FRAMEFAST_CAMERA_PROGRAM"
    /// The file that is read if no other file is given. The file may be missing.
    static let defaultFile = "/etc/framefast/framefast.toml"
    /// The maximum size of a configuration file, in bytes, enough for a thousand cameras.
    static let fileBytesMax = 1 << 20

    /// Loads and combines the layers: defaults, file, `conf.d/*.toml` next to it, environment, flags.
    ///
    /// - Parameters:
    ///   - isRoot: Whether the process runs as root, which determines the default locations.
    ///   - checkTemplate: Returns the problem of a naming template, or `nil` if the template is valid.
    /// - Throws: ``ConfigurationErrors`` with all errors of the configuration.
    public static func load(
        flags: ConfigurationFlags = .init(),
        environment: [String: String] = ProcessInfo.processInfo.environment,
        isRoot: Bool = geteuid() == 0,
        checkTemplate: @escaping (String) -> String? = { _ in nil }
    ) throws(ConfigurationErrors) -> Configuration {
        let here = FileManager.default.currentDirectoryPath
        var layer = ConfigurationLayer.defaults()
        layer.setDefaultLocations(environment: environment, isRoot: isRoot)
        let files = ConfigurationFiles(
            main: flags.configFile, default: ConfigurationLayer.defaultFile(environment: environment))
        layer.overlay(files.layer)
        layer.overlay(ConfigurationLayer(environment: environment, workingDirectory: here))
        layer.overlay(ConfigurationLayer(flags: flags, workingDirectory: here))
        return try Configuration(layer, files: files.paths, checkTemplate: checkTemplate)
    }
}

extension ConfigurationLayer {
    fileprivate init(flags: ConfigurationFlags, workingDirectory: String) {
        let given = ["--state-dir": flags.stateDirectory, "--socket": flags.socket]
        for key in ConfigurationKeys.all {
            guard let flag = key.declaration.flag, let text = given[flag] ?? nil else { continue }
            set(key, variable: text, source: flag, workingDirectory: workingDirectory)
        }
    }
}

/// The contents of the configuration files.
private struct ConfigurationFiles {
    var layer = ConfigurationLayer()
    var paths: [String] = []

    init(main: String?, default defaultFile: String) {
        let file = main ?? defaultFile
        add(file, isRequired: main != nil)
        let directory = (file as NSString).deletingLastPathComponent
        let folder = directory.isEmpty ? "conf.d" : directory + "/conf.d"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasSuffix(".toml") && !name.hasPrefix(".") {
            add(folder + "/" + name, isRequired: true)
        }
    }

    private mutating func add(_ file: String, isRequired: Bool) {
        guard isRequired || FileManager.default.fileExists(atPath: file) else { return }
        guard access(file, R_OK) == 0 else {
            fail(file, "cannot be read: \(String(cString: strerror(errno)))")
            return
        }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            guard data.count <= Configuration.fileBytesMax else {
                fail(file, "is larger than \(Configuration.fileBytesMax) bytes")
                return
            }
            guard let text = String(data: data, encoding: .utf8) else {
                fail(file, "is not UTF-8")
                return
            }
            paths.append(file)
            layer.overlay(ConfigurationLayer(toml: text, file: file))
        } catch {
            fail(file, "cannot be read: \(error.localizedDescription)")
        }
    }

    private mutating func fail(_ file: String, _ message: String) {
        layer.errors.append(.init(source: file, message: message))
    }
}
