/// Settings of an `sftp` destination.
public struct SFTPSettings: Hashable, Sendable {
    /// What is done with a server whose host key is not known. A key that has changed is always refused.
    public enum HostKeys: String, Hashable, Sendable, CaseIterable {
        /// Refused: the key must stand in the known hosts.
        case known
        /// Taken and noted at the first connection.
        case acceptNew = "accept-new"
    }

    /// How the remote copy is verified, beyond its size.
    public enum Verification: Hashable, Sendable {
        /// Its size only. SSH itself protects the bytes on their way.
        case size
        /// Read back and compared byte for byte: as much traffic again.
        case readBack
        /// SHA-256 by a program of the server, for example `sha256sum`: needs an account that may run commands.
        case command(String)
    }

    /// Name of the destination, for sentences.
    public var name: String
    /// Host name, address or alias of the ssh configuration.
    public var host: String
    /// `nil`: as ssh has it configured, 22 otherwise.
    public var port: Int?
    /// `nil`: as ssh has it configured, this user's name otherwise.
    public var user: String?
    /// Folder at the server that names are relative to; not absolute: in the user's home folder. Made on demand.
    public var folder: String
    /// Private key file; `nil`: those of the ssh configuration and the agent.
    public var identityFile: String?
    /// Socket of an ssh agent; `nil`: none.
    public var agentSocket: String?
    /// File of known host keys; `nil`: ssh's own.
    public var knownHostsFile: String?
    /// What is done with a server whose host key is not known.
    public var hostKeys: HostKeys
    /// ssh configuration file in place of the user's and the system's; `none` for none at all.
    public var configFile: String?
    /// Home folder for ssh: where `.ssh` is looked for when nothing is named here.
    public var home: String
    /// Longest time until ssh has connected, in seconds.
    public var connectTimeoutSeconds: Int
    /// Longest silence while answers are due, in seconds.
    public var stallSeconds: Int
    /// How the remote copy is verified.
    public var verification: Verification
    /// Upload limit in bytes a second, over all files; `nil`: none.
    public var bytesPerSecondMax: Int?
    /// The ssh program.
    public var program: String

    /// Creates settings with careful defaults.
    public init(
        name: String, host: String, port: Int? = nil, user: String? = nil, folder: String = "",
        identityFile: String? = nil, agentSocket: String? = nil, knownHostsFile: String? = nil,
        hostKeys: HostKeys = .known, configFile: String? = nil, home: String = "/",
        connectTimeoutSeconds: Int = 15, stallSeconds: Int = 60, verification: Verification = .size,
        bytesPerSecondMax: Int? = nil, program: String = "/usr/bin/ssh"
    ) {
        self.name = name
        self.host = host
        self.port = port
        self.user = user
        self.folder = folder
        self.identityFile = identityFile
        self.agentSocket = agentSocket
        self.knownHostsFile = knownHostsFile
        self.hostKeys = hostKeys
        self.configFile = configFile
        self.home = home
        self.connectTimeoutSeconds = connectTimeoutSeconds
        self.stallSeconds = stallSeconds
        self.verification = verification
        self.bytesPerSecondMax = bytesPerSecondMax
        self.program = program
    }

    /// What cannot work in these settings, as sentences; empty when nothing is wrong.
    public var faults: [String] { SSHArguments.faults(self) }
}
