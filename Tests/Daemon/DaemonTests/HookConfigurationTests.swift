import ChildProcesses
import Foundation
import FrameFastModel
import Hooks
import SurfaceTestSupport
import Testing
import UploadDestinations

@testable import FrameFastConfiguration
@testable import FrameFastDaemon

@Suite struct HookConfigurationTests {
    /// Returns the configured hooks, or the errors as `line: message`.
    private func load(_ text: String) async throws -> (hooks: [Configuration.Hook], errors: [String]) {
        try await TemporaryDirectory.with { directory in
            let file = directory + "/framefast.toml"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            do {
                let flags = ConfigurationFlags(configFile: file)
                return (try Configuration.load(flags: flags, environment: [:], isRoot: true).hooks, [])
            } catch let errors as ConfigurationErrors {
                return ([], errors.errors.map { ($0.line.map { "\($0): " } ?? "") + $0.message })
            }
        }
    }

    @Test func `reads hooks with one or several event kinds and with filters`() async throws {
        let (hooks, errors) = try await load(
            """
            [[destination]]
            name = "nas"
            kind = "directory"
            path = "/mnt/nas"
            [[hook]]
            name = "one"
            on = "saved"
            command = ["/bin/true"]
            [[hook]]
            name = "more"
            on = ["delivered", "failed"]
            command = ["/bin/echo", "{file}"]
            timeout = "5 s"
            concurrency = 3
            retries = 4
            types = ["raw", "jpg"]
            cameras = ["a"]
            sessions = ["Wedding"]
            destinations = ["nas"]
            """)
        #expect(errors == [])
        let first = try #require(hooks.first.map(Hook.init))
        #expect(
            first == Hook(name: "one", on: [.saved], command: .init(program: "/bin/true", timeoutSeconds: 60))
        )
        let last = try #require(hooks.last.map(Hook.init))
        #expect(
            last
                == Hook(
                    name: "more", on: [.delivered, .failed],
                    command: .init(program: "/bin/echo", arguments: ["{file}"], timeoutSeconds: 5),
                    rule: UploadRule(
                        types: [.kind(.raw), .fileExtension("jpg")], cameras: ["a"], sessions: ["Wedding"]),
                    destinations: ["nas"], parallel: 3, retries: 4))
    }

    @Test(arguments: [
        ("[[hook]]\nname = \"a\"", ["1: a hook needs 'on' and 'command'"]),
        (
            "[[hook]]\nname = \"a\"\non = \"save\"\ncommand = [\"/x\"]",
            ["3: 'hook.on' cannot be \"save\": expected \(kinds) (did you mean 'saved'?)"]
        ),
        (
            "[[hook]]\nname = \"a\"\non = []\ncommand = []",
            ["3: 'hook.on' cannot be a list without values: expected \(kinds)"]
        ),
        (
            "[[hook]]\nname = \"a\"\non = \"saved\"\ncommand = []\ndestinations = [\"x\"]",
            ["4: 'hook.command' needs a program", "5: 'hook.destinations': there is no destination 'x'"]
        ),
        (
            "[[hook]]\nname = \"a\"\non = \"saved\"\ncommand = \"/x {file}\"",
            ["4: 'hook.command' cannot be \"/x {file}\": expected list of program and arguments"]
        ),
    ])
    func `reports invalid hooks with their lines`(text: String, expected: [String]) async throws {
        #expect(try await load(text).errors == expected)
    }

    private static let kinds =
        "one or a list of "
        + Hook.EventKind.allCases.map(\.rawValue).map { "\"\($0)\"" }.joined(separator: ", ")

    @Test func `the hooks guide explains every event kind`() throws {
        let guide = try DocumentFile("docs/hooks.md").text()
        #expect(Hook.EventKind.allCases.map(\.rawValue).filter { !guide.contains("`\($0)`") } == [])
    }
}
