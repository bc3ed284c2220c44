/// The settings of an SFTP destination.
struct SFTPSettings: Hashable, Sendable {
    /// The policy for a server with an unknown host key. A changed host key is always refused.
    enum HostKeys: String, Hashable, Sendable, CaseIterable {
        /// Refuses the server. Its key must be in the known hosts file.
        case known
        /// Accepts and saves the key at the first connection.
        case acceptNew = "accept-new"
    }

    /// The method that verifies the remote copy. Every method also compares the size if the server reports
    /// sizes.
    enum Verification: Hashable, Sendable {
        /// Compares only the size. SSH protects the bytes in transit.
        case size
        /// Reads the copy back and compares it byte for byte. The read doubles the network traffic.
        case readBack
        /// Compares the SHA-256 that a program on the server prints, for example `sha256sum`. The account
        /// needs permission to run commands.
        case command(String)
    }

    /// The destination's name, for messages.
    var name: String
    /// The host name, IP address or alias in the ssh configuration.
    var host: String
    /// The port, or `nil` for the port in the ssh configuration (default: 22).
    var port: Int?
    /// The user name, or `nil` for the user in the ssh configuration (default: this process's user).
    var user: String?
    /// The folder on the server, absolute or relative to the user's home folder. The names of photos are
    /// relative to this folder. A missing folder is created.
    var folder = ""
    /// The private key file, or `nil` for the keys of the ssh configuration and the agent.
    var identityFile: String?
    /// The socket of an ssh agent, or `nil` to use no agent.
    var agentSocket: String?
    /// The file of known host keys, or `nil` for ssh's default file.
    var knownHostsFile: String?
    /// The policy for a server with an unknown host key.
    var hostKeys = HostKeys.known
    /// The ssh configuration file, or `nil` for the files of the user and the system. The text `none`
    /// disables all files.
    var configFile: String?
    /// The home folder for ssh, which contains `.ssh`.
    var home = "/"
    /// The time limit for the connection, in seconds.
    var connectTimeoutSeconds = 15
    /// The longest time without data from the server while replies are due, in seconds.
    var stallSeconds = 60
    /// The method that verifies the remote copy.
    var verification = Verification.size
    /// The bandwidth limit in bytes per second for all uploads, or `nil` for no limit.
    var bytesPerSecondMax: Int?
    /// The path of the ssh program.
    var program = "/usr/bin/ssh"

    /// The faults of these settings as sentences, or an empty array if the settings are valid.
    var faults: [String] { SSHArguments.faults(self) }
}
