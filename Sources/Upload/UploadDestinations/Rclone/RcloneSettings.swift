import ChildProcesses

/// The settings of an rclone destination: a remote of the user's rclone configuration.
struct RcloneSettings: Hashable, Sendable {
    /// The destination's name, for messages.
    var name: String
    /// The name of the remote without the colon, which is the title of a section in the configuration.
    var remote: String
    /// The folder on the remote. The names of photos are relative to this folder.
    var folder = ""
    /// The path of rclone's configuration file. Without a writable copy, rclone writes new OAuth tokens into
    /// this file.
    var configFile: String
    /// The path of a copy of the configuration that rclone may change, or `nil` to use the original.
    var writableConfigFile: String?
    /// The longest time that an upload may make no progress, in seconds.
    var stallSeconds = 120
    /// The idle time after which rclone is stopped, in seconds. A running rclone uses 60 to 190 MB of memory.
    var idleSeconds = 60
    /// The bandwidth limit in bytes per second for all uploads, or `nil` for no limit. rclone enforces the
    /// limit.
    var bytesPerSecond: UInt64?
    /// The path of the rclone program, version 1.60 or later.
    var program = "/usr/bin/rclone"

    /// The faults of these settings as sentences, or an empty array if the settings are valid.
    var faults: [String] {
        var faults: [String] = []
        // rclone's own rule for the names of remotes. A name such as ':backend,option=…:' would define a
        // remote without a section.
        let isName =
            !remote.isEmpty && !remote.hasPrefix("-") && !remote.hasPrefix(" ") && !remote.hasSuffix(" ")
            && remote.allSatisfy { $0.isLetter || $0.isNumber || "_-.+@ ".contains($0) }
        if !isName { faults.append("'\(oneLine(remote))' is not the name of an rclone remote") }
        if folder.split(separator: "/").contains("..") || folder.contains("\0") {
            faults.append("folder '\(oneLine(folder))' may not contain '..'")
        }
        if !configFile.hasPrefix("/") { faults.append("rclone's configuration file is not an absolute path") }
        if stallSeconds < 1 || idleSeconds < 1 { faults.append("a timeout is shorter than 1 s") }
        return faults
    }

    /// The remote with its folder, in rclone's syntax.
    var place: String { "\(remote):\(folder)" }

    /// The names that rclone may include in its messages.
    var names: [String] {
        [place, "\(remote):", folder, configFile] + [writableConfigFile].compactMap(\.self)
    }
}
