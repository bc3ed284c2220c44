import ChildProcesses

/// Settings of an `rclone` destination: any remote of the user's rclone configuration.
public struct RcloneSettings: Hashable, Sendable {
    /// Name of the destination, for sentences.
    public var name: String
    /// Name of the remote as its section in the configuration is called, without the colon.
    public var remote: String
    /// Folder of the remote that names are relative to.
    public var folder: String
    /// rclone's configuration file. Remotes that sign in by OAuth write new tokens into it.
    public var configFile: String
    /// Where a copy of the configuration is kept that rclone can write to, or `nil` to use the file itself.
    public var writableConfigFile: String?
    /// Longest time without progress of a photo, in seconds.
    public var stallSeconds: Int
    /// rclone is ended when it had nothing to do for this long, in seconds: it takes 60 to 190 MB of memory.
    public var idleSeconds: Int
    /// Most bytes a second, over all uploads; `nil` for no limit. rclone holds it itself.
    public var bytesPerSecond: UInt64?
    /// The rclone program, 1.60 or later.
    public var program: String

    /// Creates settings with careful defaults.
    public init(
        name: String, remote: String, folder: String = "", configFile: String, stallSeconds: Int = 120,
        idleSeconds: Int = 60, bytesPerSecond: UInt64? = nil, program: String = "/usr/bin/rclone"
    ) {
        self.name = name
        self.remote = remote
        self.folder = folder
        self.configFile = configFile
        self.stallSeconds = stallSeconds
        self.idleSeconds = idleSeconds
        self.bytesPerSecond = bytesPerSecond
        self.program = program
    }

    /// What cannot work in these settings, as sentences; empty when nothing is wrong.
    public var faults: [String] {
        var faults: [String] = []
        // rclone's own rule for names of remotes; ':backend,option=…:' would make one up on the spot.
        let isName =
            !remote.isEmpty && !remote.hasPrefix("-") && !remote.hasPrefix(" ") && !remote.hasSuffix(" ")
            && remote.allSatisfy { $0.isLetter || $0.isNumber || "_-.+@ ".contains($0) }
        if !isName { faults.append("'\(oneLine(remote))' is not the name of an rclone remote") }
        if folder.split(separator: "/").contains("..") || folder.contains("\0") {
            faults.append("folder '\(oneLine(folder))' may not contain '..'")
        }
        if !configFile.hasPrefix("/") { faults.append("rclone's configuration file is not an absolute path") }
        if stallSeconds < 1 || idleSeconds < 1 { faults.append("a time is shorter than 1 s") }
        return faults
    }

    /// The remote with its folder, as rclone spells it.
    var place: String { "\(remote):\(folder)" }

    /// Names that rclone may repeat in its texts.
    var names: [String] {
        [place, "\(remote):", folder, configFile] + [writableConfigFile].compactMap(\.self)
    }
}
