import Foundation
import Glibc
import Logging
import SurfaceTestSupport
import Testing
import UploadEngine

@testable import FrameFastConfiguration
@testable import FrameFastDaemon
@testable import UploadDestinations

/// Tests of destinations that are created from `[[destination]]` tables.
@Suite struct DestinationConfigurationTests {
    private func load(_ text: String) async throws -> Configuration {
        try await TemporaryDirectory.with { directory in
            let file = directory + "/framefast.toml"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return try Configuration.load(
                flags: ConfigurationFlags(configFile: file), environment: [:], isRoot: true,
                checkTemplate: { _ in nil })
        }
    }

    private func errors(_ text: String) async throws -> [String] {
        do {
            _ = try await load(text)
            return []
        } catch let errors as ConfigurationErrors {
            return errors.errors.map(\.message)
        }
    }

    private func place(_ text: String) async throws -> any UploadDestination {
        let destination = try #require(try await load("[[destination]]\n" + text).destinations.first)
        return try destination.makeDestination(
            stateDirectory: "/var/lib/framefast", workers: 4,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test(arguments: [
        ("headers = [\"X-Studio\"]", "'destination.headers': 'X-Studio' is not like \"X-Studio: {CAMERA}\""),
        ("headers = [\"X A: b\"]", "'destination.headers': 'X A: b' is not like \"X-Studio: {CAMERA}\""),
        ("form_fields = [\"=a\"]", "'destination.form_fields': '=a' is not like \"event={SESSION}\""),
        ("auth = \"digest\"", "'destination.auth': 'auth = \"digest\"' needs 'user'"),
        ("auth = \"bearer\"", "'destination.auth': 'auth = \"bearer\"' needs 'password_file'"),
        ("retry_codes = [\"1\"]", "'retry_codes' does not apply to a destination of kind 'http'"),
    ])
    func `reports an invalid destination value with its key`(line: String, message: String) async throws {
        let found = try await errors(
            """
            [[destination]]
            name = "a"
            kind = "http"
            url = "https://host/in/{file}"
            \(line)
            """)
        #expect(found.contains(message), "\(found)")
    }

    @Test(arguments: [
        ("headers = [\"x-api-key: abc123\"]", "'x-api-key' contains a secret in clear text"),
        ("headers = [\"Authorization: Bearer abc\"]", "'Authorization' contains a secret"),
        ("method = \"post\"\nform_fields = [\"access_token=abc\"]", "set 'auth = \"field:access_token\"'"),
        ("headers = [\"X-Camera: {CAMERA}\", \"X-Keyboard: yes\"]", nil),
        ("auth = \"header:x-api-key\"\npassword_file = \"/k\"", nil),
    ])
    func `warns about a clear-text secret in a header or field`(line: String, words: String?) async throws {
        let configuration = try await load(
            """
            [[destination]]
            name = "a"
            kind = "http"
            url = "https://host/in/{file}"
            \(line)
            """)
        let warnings = configuration.warnings.map { "\($0)" }
        #expect(warnings.count == (words == nil ? 0 : 1), "\(warnings)")
        if let words { #expect(warnings.first?.contains(words) == true, "\(warnings)") }
        #expect(warnings.allSatisfy { !$0.contains("abc") && !$0.contains("abc123") })
    }

    @Test(arguments: [
        ("https://host/{file}", 0), ("https://host/in?token=abc&x=1", 1), ("https://me:abc@host/{file}", 1),
        ("https://host/{file}?key={SESSION}", 0), ("https://me@host/{file}", 0),
        ("https://me:a/bc@host/{file}", 1), ("https://host:8080/a@b/{file}", 0),
    ])
    func `warns about a secret in an HTTP address`(url: String, count: Int) async throws {
        let configuration = try await load(
            """
            [[destination]]
            name = "a"
            kind = "http"
            url = "\(url)"
            """)
        #expect(configuration.warnings.count == count)
    }

    @Test(
        arguments: [
            "kind = \"http\"\nurl = \"https://host/{file}\"", "kind = \"webdav\"\nurl = \"https://host\"",
        ],
        [
            "http://me:abc@proxy:3128", "me:abc@proxy:3128", "http://proxy:3128", "http://me@proxy:3128/",
            "proxy:3128",
        ])
    func `warns about a password in a proxy address`(kind: String, proxy: String) async throws {
        let configuration = try await load(
            """
            [[destination]]
            name = "a"
            \(kind)
            proxy = "\(proxy)"
            """)
        let warnings = configuration.warnings.map { "\($0)" }
        #expect(warnings.count == (proxy.contains("abc") ? 1 : 0), "\(warnings)")
        #expect(
            warnings.allSatisfy { $0.contains("the user's password is in clear text") && !$0.contains("abc") }
        )
    }

    @Test(
        arguments: [
            "kind = \"webdav\"",
            "kind = \"s3\"\nbucket = \"weddings\"\nuser = \"me\"\npassword_file = \"/k\"",
        ],
        [
            "https://me:abc@host", "https://me:abc@host:8443/in", "https://host/in?token=abc", "https://host",
            "https://me@host/in",
        ])
    func `warns about a secret in a WebDAV or S3 address`(kind: String, url: String) async throws {
        let configuration = try await load(
            """
            [[destination]]
            name = "a"
            url = "\(url)"
            \(kind)
            """)
        let warnings = configuration.warnings.map { "\($0)" }
        #expect(warnings.count == (url.contains("abc") ? 1 : 0), "\(warnings)")
        #expect(
            warnings.allSatisfy { $0.contains("is in clear text in the address") && !$0.contains("abc") })
    }

    @Test(arguments: [
        ("https://host/{id}?key=abc", 1), ("https://me:abc@host/{id}", 1),
        ("https://host/{id}?key={id}", 0),
    ])
    func `warns about a secret in a status address`(url: String, count: Int) async throws {
        let configuration = try await load(
            """
            [[destination]]
            name = "a"
            kind = "http"
            url = "https://host/ask"
            method = "presigned"
            status_url = "\(url)"
            """)
        #expect(configuration.warnings.count == count)
    }

    @Test(arguments: [
        ("0", false), ("256", false), ("x", false), ("-1", false), ("1", true), ("255", true),
    ])
    func `accepts only exit codes from 1 to 255 as retry codes`(code: String, isSound: Bool) async throws {
        let found = try await errors(
            """
            [[destination]]
            name = "a"
            kind = "command"
            command = ["/bin/true"]
            retry_codes = ["\(code)"]
            """)
        #expect(found.isEmpty == isSound, "\(found)")
    }

    @Test func `passes configured values to the destination`() async throws {
        let http = try #require(
            try await place(
                """
                name = "gallery"
                kind = "http"
                url = "https://host/ask"
                method = "presigned"
                headers = ["X-Studio: {CAMERA}", "X-Empty:"]
                answer_url = "upload.url"
                status_url = "https://host/uploads/{id}"
                done_states = ["ready"]
                look_first = false
                verify = "read-back"
                proxy = "http://proxy:3128"
                connect_timeout = "500 ms"
                stall_timeout = "2 min"
                """) as? HTTPDestination)
        let settings = http.settings
        #expect(settings.headers == [HTTPHeader("X-Studio", "{CAMERA}"), HTTPHeader("X-Empty", "")])
        #expect(
            settings.method
                == .presigned(
                    PresignSettings(
                        urlField: "upload.url", statusURL: "https://host/uploads/{id}", doneStates: ["ready"])
                ))
        #expect(!settings.checksNameFirst && settings.verification == .readBack)
        #expect(settings.connection.proxy == "http://proxy:3128")
        #expect(settings.connection.connectSeconds == 1 && settings.connection.stallSeconds == 120)

        let sftp = try #require(
            try await place(
                """
                name = "nas"
                kind = "sftp"
                host = "nas.local"
                verify_command = "sha256sum"
                host_keys = "accept-new"
                """) as? SFTPDestination)
        let shell = await sftp.settings
        #expect(shell.verification == .command("sha256sum") && shell.hostKeys == .acceptNew)
        #expect(shell.stallSeconds == SFTPSettings(name: "", host: "").stallSeconds)
    }

    /// The stall limit depends on the configured timeouts. For example, a command with a long `timeout` has a
    /// longer stall limit.
    @Test(
        arguments: [
            ("directory", "path = \"/srv/nas\"", 120), ("rclone", "remote = \"drive:photos\"", 120),
            ("command", "command = [\"/bin/true\"]", 330),
            ("command", "command = [\"/bin/true\"]\ntimeout = \"10 min\"", 630),
            ("command", "command = [\"/bin/true\"]\ntimeout = \"10 s\"", 120),
            ("webdav", "url = \"https://host\"", 120),
            ("webdav", "url = \"https://host\"\nstall_timeout = \"10 min\"", 640),
            ("http", "url = \"https://host/{file}\"\nstall_timeout = \"10 min\"", 640),
            ("sftp", "host = \"nas\"", 120), ("sftp", "host = \"nas\"\nstall_timeout = \"5 min\"", 330),
            ("sftp", "host = \"nas\"\nconnect_timeout = \"2 min\"", 270),
        ] as [(String, String, Double)])
    func `the stall limit exceeds the destination's own timeouts`(
        kind: String, lines: String, seconds: Double
    ) async throws {
        let configuration = try await load("[[destination]]\nname = \"a\"\nkind = \"\(kind)\"\n\(lines)\n")
        let target = try UploadTarget(
            try #require(configuration.destinations.first), stateDirectory: "/var/lib/framefast",
            captureDirectory: "/srv/photos",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(target.stallSeconds == seconds)
        #expect(target.continuesAfterSleep == (kind == "command"))
    }

    /// The service stores the results of feature tests under the feature-cache key of a destination. A server
    /// that refuses to remove files is therefore not tested again at each start.
    @Test func `the feature-cache key of a destination includes its features`() async throws {
        let configuration = try await load(
            """
            [[destination]]
            name = "a"
            kind = "sftp"
            host = "nas"
            """)
        let destination = try #require(configuration.destinations.first)
        let lines = destination.configurationText.split(separator: "\n").map(String.init)
        #expect(lines.first == "sftp")
        let features = destination.features.map(\.rawValue)
        #expect(lines.last == "features=" + features.joined(separator: ","))
        #expect(features.contains("modification-time"))
    }

    /// The first argument is a destination with the key that names its secret file. The second argument is
    /// the mode of this file, or `nil` if the file is missing.
    @Test(
        arguments: [
            ("sftp", "host = \"nas\"", "key_file"),
            ("rclone", "remote = \"drive:photos\"", "rclone_config"),
            ("webdav", "url = \"https://host/\"\nuser = \"a\"", "password_file"),
        ],
        [(0o600, false), (0o640, false), (0o604, true), (0o602, true), (nil, false)] as [(Int?, Bool)])
    func `reports the line of a secret file that others can access`(
        destination: (kind: String, lines: String, key: String), file: (mode: Int?, isRefused: Bool)
    ) async throws {
        try await TemporaryDirectory.with { folder in
            let path = folder + "/secret"
            if let mode = file.mode {
                try Data("secret\n".utf8).write(to: URL(filePath: path))
                try #require(chmod(path, mode_t(mode)) == 0)
            }
            let configuration = try await load(
                """
                [[destination]]
                \(destination.key) = "\(path)"
                name = "a"
                kind = "\(destination.kind)"
                \(destination.lines)
                """)
            let faults = configuration.faults(isByHand: true)
            let exposed = faults.filter { $0.message.contains("other users can access it: run '") }
            #expect(exposed.map(\.line) == (file.isRefused ? [2] : []), "\(faults)")
            #expect(
                exposed.allSatisfy {
                    $0.message.hasPrefix("destination 'a': cannot use the secret '\(path)'")
                })
            // Only a missing password file is a fault here. ssh and rclone report missing files themselves.
            let others = file.mode == nil && destination.key == "password_file" ? 1 : 0
            #expect(faults.count == exposed.count + others, "\(faults)")
        }
    }

    @Test func `uses rclone.conf in FrameFast's configuration folder by default`() async throws {
        let lines = "name = \"drive\"\nkind = \"rclone\"\nremote = \"drive:photos\""
        let rclone = try #require(try await place(lines) as? RcloneDestination)
        #expect(await rclone.settings.configFile == "/etc/framefast/rclone.conf")
    }

    @Test(arguments: ["docs/guide.md", "docs/uploads.md", "docs/hooks.md"])
    func `every configuration in the documents is valid`(document: String) async throws {
        let text = try DocumentFile(document).text()
        let blocks = text.matches(of: #/```toml\n(?<block>[\s\S]*?)```/#.ignoresCase()).map {
            // A block in a list is indented.
            $0.block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: "\n")
        }
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(try await errors(block) == [], "\(document): \(block)") }
    }
}
