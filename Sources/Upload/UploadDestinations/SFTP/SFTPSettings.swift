/// The settings of an SFTP destination.
public struct SFTPSettings: Hashable, Sendable {
    /// The policy for a server with an unknown host key. A changed host key is always refused.
    public enum HostKeys: String, Hashable, Sendable, CaseIterable {
        /// Refuses the server. Its key must be in the known hosts file.
        case known
        /// Accepts and saves the key at the first connection.
        case acceptNew = "accept-new"
    }

    /// The method that verifies the remote copy. Every method also compares the size if the server reports
    /// sizes.
    public enum Verification: Hashable, Sendable {
        /// Compares only the size. SSH protects the bytes in transit.
        case size
        /// Reads the copy back and compares it byte for byte. The read doubles the network traffic.
        case readBack
        /// Compares the SHA-256 that a program on the server prints, for example `sha256sum`. The account
        /// needs permission to run commands.
        case command(String)
    }

    /// The destination's name, for messages.
    public var name: String
    /// The host name, IP address or alias in the ssh configuration.
    public var host: String
    /// The port, or `nil` for the port in the ssh configuration (default: 22).
    public var port: Int?
    /// The user name, or `nil` for the user in the ssh configuration (default: this process's user).
    public var user: String?
    /// The folder on the server, absolute or relative to the user's home folder. The names of photos are
    /// relative to this folder. A missing folder is created.
    public var folder: String
    /// The private key file, or `nil` for the keys of the ssh configuration and the agent.
    public var identityFile: String?
    /// The socket of an ssh agent, or `nil` to use no agent.
    public var agentSocket: String?
    /// The file of known host keys, or `nil` for ssh's default file.
    public var knownHostsFile: String?
    /// The policy for a server with an unknown host key.
    public var hostKeys: HostKeys
    /// The ssh configuration file, or `nil` for the files of the user and the system. The text `none`
    /// disables all files.
    public var configFile: String?
    /// The home folder for ssh, which contains `.ssh`.
    public var home: String
    /// The time limit for the connection, in seconds.
    public var connectTimeoutSeconds: Int
    /// The longest time without data from the server while replies are due, in seconds.
    public var stallSeconds: Int
    /// The method that verifies the remote copy.
    public var verification: Verification
    /// The bandwidth limit in bytes per second for all uploads, or `nil` for no limit.
    public var bytesPerSecondMax: Int?
    /// The path of the ssh program.
    public var program: String

    /// Creates the settings of an SFTP destination.
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

    /// The faults of these settings as sentences, or an empty array if the settings are valid.
    public var faults: [String] { SSHArguments.faults(self) }
}
