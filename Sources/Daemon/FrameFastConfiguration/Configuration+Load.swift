public import Foundation
import SettingKeys

/// What the command line says about the configuration.
public struct ConfigurationFlags: Sendable, Hashable {
    /// `--config`: the file that must be there.
    public var configFile: String?
    /// `--state-dir`.
    public var stateDirectory: String?
    /// `--socket`.
    public var socket: String?

    /// What was given.
    public init(configFile: String? = nil, stateDirectory: String? = nil, socket: String? = nil) {
        self.configFile = configFile
        self.stateDirectory = stateDirectory
        self.socket = socket
    }
}

extension Configuration {
    /// Overrides where the camera worker is installed. It is named like a key of a camera and is none.
    public static let workerProgramVariable = "FRAMEFAST_CAMERA_PROGRAM"
    /// The file that is read when no other is named. It may be missing.
    static let defaultFile = "/etc/framefast/framefast.toml"
    /// Largest file that is read, in bytes: a thousand cameras fit.
    static let fileBytesMax = 1 << 20

    /// Puts the layers together: defaults, file, `conf.d/*.toml` next to it, environment, flags.
    ///
    /// - Parameters:
    ///   - isRoot: Whether the process runs as root: decides where things are when nobody says.
    ///   - checkTemplate: What is wrong with a naming template; `nil` when nothing is.
    /// - Throws: everything that is wrong, in one go.
    public static func load(
        flags: ConfigurationFlags = .init(),
        environment: [String: String] = ProcessInfo.processInfo.environment,
        isRoot: Bool = geteuid() == 0,
        checkTemplate: @escaping (String) -> String? = { _ in nil }
    ) throws(ConfigurationErrors) -> Configuration {
        let here = FileManager.default.currentDirectoryPath
        var layer = ConfigurationLayer.defaults()
        layer.setPlaces(environment: environment, isRoot: isRoot)
        let files = ConfigurationFiles(
            main: flags.configFile, default: ConfigurationLayer.defaultFile(environment: environment))
        layer.overlay(files.layer)
        layer.overlay(ConfigurationLayer(environment: environment, workingDirectory: here))
        layer.overlay(ConfigurationLayer(flags: flags, workingDirectory: here))
        return try Configuration(layer, files: files.read, checkTemplate: checkTemplate)
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

/// The files of the configuration, read.
private struct ConfigurationFiles {
    var layer = ConfigurationLayer()
    var read: [String] = []

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
            read.append(file)
            layer.overlay(ConfigurationLayer(toml: text, file: file))
        } catch {
            fail(file, "cannot be read: \(error.localizedDescription)")
        }
    }

    private mutating func fail(_ file: String, _ message: String) {
        layer.errors.append(.init(source: file, message: message))
    }
}
