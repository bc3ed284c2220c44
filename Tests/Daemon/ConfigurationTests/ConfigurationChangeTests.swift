import Foundation
import SettingKeys
import TestRig
import Testing

@testable import FrameFastConfiguration

/// Tests of configuration changes while the daemon runs.
@Suite struct ConfigurationChangeTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func configuration(_ text: String) throws -> Configuration {
        let file = scratch.path("framefast.toml")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try Configuration.load(flags: .init(configFile: file), environment: [:], isRoot: true)
    }

    private static let nas = "[[destination]]\nname = \"nas\"\nkind = \"directory\"\npath = \"/nas\"\n"

    @Test(
        arguments: [
            ("[capture]\ndirectory = \"/photos\"", "capture.directory"),
            ("[capture]\nverify = \"reread\"", "capture.verify"),
            ("[api]\nsocket = \"/s\"", "api.socket"), ("[api]\npublic_status = true", "api.public_status"),
            ("[metrics]\nlisten = \"127.0.0.1:9477\"", "metrics.listen"),
            ("[state]\ndirectory = \"/state\"", "state.directory"),
            (nas + "metered = \"hold\"", "destination.metered"),
        ])
    func `keeps the old value of a key that needs a restart`(text: String, key: String)
        throws
    {
        let old = try configuration("")
        let change = ConfigurationChange(from: old, to: try configuration(text), hasMeteredCheck: false)
        #expect(change.needsRestart == [key])
        #expect(change.effective.capture == old.capture && change.effective.api == old.api)
        #expect(change.effective.state == old.state && change.effective.metrics == old.metrics)
    }

    /// The test sets each key by its environment variable.
    @Test(
        arguments: [
            ("capture.directory", "/p"), ("capture.template", "{counter}.{ext}"),
            ("capture.pair_settle", "3 s"),
            ("capture.existing", "skip"), ("capture.verify", "reread"), ("upload.metered_command", "/x"),
            ("upload.metered_interval", "20 s"), ("api.socket", "/s"), ("api.public_status", "true"),
            ("metrics.listen", "127.0.0.1:9477"), ("drivers.allow", "canon"), ("state.directory", "/s"),
            ("capture.delete_after_save", "true"), ("capture.min_free", "5 GiB"),
            ("capture.keep_awake", "false"), ("capture.capture_target", "host"), ("usb.detect", "false"),
            ("usb.phones", "a"),
            ("upload.mode", "rated"), ("upload.minimum_rating", "2"), ("upload.windows", "10:00-11:00"),
            ("upload.after_photos", "3"), ("storage.keep", "7 d"), ("log.level", "debug"),
        ])
    func `restart requirement of each key matches the configuration reference`(
        path: String, text: String
    ) throws {
        let key = try #require(ConfigurationKeys.all.first { $0.path == path })
        let name = try #require(key.environmentName)
        let environment = ["CONFIGURATION_DIRECTORY": "/nowhere"]
        let old = try Configuration.load(environment: environment, isRoot: true)
        let new = try Configuration.load(environment: environment.merging([name: text]) { $1 }, isRoot: true)
        let change = ConfigurationChange(from: old, to: new, hasMeteredCheck: true)
        let entry = ConfigurationReference.markdown().components(separatedBy: "\n### ").first {
            $0.contains("- Variable: `\(name)`")
        }
        let waits = try #require(entry).contains("- A change needs a restart.")
        #expect(change.needsRestart == (waits ? [path] : []))
        #expect(change.effective == (waits ? old : new))
    }

    @Test func `applies changed keys that need no restart`() throws {
        let text =
            "[capture]\nmin_free = \"5 GiB\"\ntemplate = \"{counter}.{ext}\"\n[storage]\nkeep = \"7 d\"\n[log]\nlevel = \"debug\"\n"
            + Self.nas
        let new = try configuration(text)
        let change = ConfigurationChange(from: try configuration(""), to: new, hasMeteredCheck: false)
        #expect(change.needsRestart.isEmpty && change.effective == new)
        #expect(change.destinations.map(\.name) == ["nas"])
    }

    @Test func `does not report a destination whose table only moved`() throws {
        let old = try configuration(Self.nas)
        let moved = try configuration("# a comment\n\n" + Self.nas)
        #expect(ConfigurationChange(from: old, to: moved, hasMeteredCheck: false).destinations.isEmpty)
        let other = try configuration(Self.nas.replacing("/nas", with: "/other"))
        #expect(
            ConfigurationChange(from: old, to: other, hasMeteredCheck: false).destinations.map(\.name) == [
                "nas"
            ])
    }
}
