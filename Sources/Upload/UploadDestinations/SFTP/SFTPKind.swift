import SettingKeys
import UploadEngine

/// A destination kind for an SFTP server, over OpenSSH.
enum SFTPKind: DestinationDescriptor {
    struct Keys: KeyTable {
        static let section = "destination"
        static let keys = Keys()

        let host = SharedKeys.host
        let port = SharedKeys.port
        let path = SharedKeys.path
        let verify = SharedKeys.verify
        let verifyCommand = SettingKey(
            "verify_command", optional: .text, example: "\"sha256sum\"", topic: .verification,
            """
            `sftp`: a program on the server that prints a file's SHA-256. The account must be allowed to run this \
            program.
            """)
        let user = SharedKeys.user
        let agentSocket = SettingKey(
            "agent_socket", optional: .path, example: "\"/run/user/1000/ssh-agent\"", topic: .keys,
            "`sftp`: the socket of an ssh agent. Default: no agent is used.")
        let keyFile = SettingKey(
            "key_file", optional: .path, example: "\"/etc/framefast/nas_key\"", topic: .keys,
            isSecretFile: true, "`sftp`: the private key. Default: ssh's own configuration.")
        let knownHosts = SettingKey(
            "known_hosts", optional: .path, example: "\"/etc/framefast/known_hosts\"", topic: .keys,
            "`sftp`: the known hosts file. Default: ssh's own file.")
        let hostKeys = SettingKey(
            "host_keys", optional: .choice(SFTPSettings.HostKeys.allCases), example: "\"accept-new\"",
            topic: .keys,
            """
            `sftp`: whether to refuse a server with an unknown host key (`known`, the default), or to accept and \
            save the key at the first connection (`accept-new`).
            """)
        let connectTimeout = SharedKeys.connectTimeout
        let stallTimeout = SharedKeys.stallTimeout
    }

    static let workersUsual = 16

    static func faults(_ settings: Settings<Keys>) -> [SettingFault] {
        guard settings.verify != nil, settings.verifyCommand != nil else { return [] }
        return [.init("verify_command", "'verify' and 'verify_command' contradict each other: remove one")]
    }

    static func location(_ settings: Settings<Keys>) -> String {
        "\(ClearTextSecrets.withoutUser(settings.host)):\(settings.path ?? "")"
    }

    static func features(_ settings: Settings<Keys>) -> [DestinationFeature] {
        [
            .hiddenNames, .partNames, .otherNames, .rename, .sync, .modificationTime, .resume, .size,
            .readBack, .remove,
        ]
    }

    static func silenceMax(_ settings: Settings<Keys>) -> Duration {
        let usual = SFTPSettings(name: "", host: "")
        return .seconds(
            SFTPSession.stallSeconds(
                settings.stallTimeout?.wholeSeconds ?? usual.stallSeconds,
                connectSeconds: settings.connectTimeout?.wholeSeconds ?? usual.connectTimeoutSeconds))
    }

    static func make(
        _ settings: Settings<Keys>, at site: DestinationSite
    ) throws -> any UploadDestination {
        // ssh checks the permissions of a key file only if the service's user owns the file.
        if let key = settings.keyFile { try site.checkSecretFile(key) }
        var sftp = SFTPSettings(
            name: site.name, host: settings.host, port: settings.port, user: settings.user,
            identityFile: settings.keyFile, agentSocket: settings.agentSocket,
            knownHostsFile: settings.knownHosts, home: site.stateDirectory,
            bytesPerSecondMax: site.bytesPerSecond.map(Int.init(clamping:)))
        if let path = settings.path { sftp.folder = path }
        if let keys = settings.hostKeys { sftp.hostKeys = keys }
        if let time = settings.connectTimeout { sftp.connectTimeoutSeconds = time.wholeSeconds }
        if let time = settings.stallTimeout { sftp.stallSeconds = time.wholeSeconds }
        if settings.verify == .readBack { sftp.verification = .readBack }
        if let program = settings.verifyCommand { sftp.verification = .command(program) }
        return SFTPDestination(sftp, memory: site.memory)
    }
}
