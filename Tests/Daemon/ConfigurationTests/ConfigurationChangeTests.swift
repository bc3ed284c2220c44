import Foundation
import TestRig
import Testing

@testable import FrameFastConfiguration

/// What another configuration changes while the service runs.
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
            ("[capture]\ntemplate = \"{counter}.{ext}\"", "capture.template"),
            ("[api]\nsocket = \"/s\"", "api.socket"), ("[api]\npublic_status = true", "api.public_status"),
            ("[metrics]\nlisten = \"127.0.0.1:9477\"", "metrics.listen"),
            ("[state]\ndirectory = \"/state\"", "state.directory"),
            (nas + "metered = \"hold\"", "destination.metered"),
        ])
    func `what is decided at the start waits for a restart, and stays as it was`(text: String, key: String)
        throws
    {
        let old = try configuration("")
        let change = ConfigurationChange(from: old, to: try configuration(text), hasMeter: false)
        #expect(change.needsRestart == [key])
        #expect(change.inForce.capture == old.capture && change.inForce.api == old.api)
        #expect(change.inForce.state == old.state && change.inForce.metrics == old.metrics)
    }

    @Test func `the rest comes into force at once`() throws {
        let text =
            "[capture]\nmin_free = \"5 GiB\"\n[storage]\nkeep = \"7 d\"\n[log]\nlevel = \"debug\"\n"
            + Self.nas
        let new = try configuration(text)
        let change = ConfigurationChange(from: try configuration(""), to: new, hasMeter: false)
        #expect(change.needsRestart.isEmpty && change.inForce == new)
        #expect(change.destinations.map(\.name) == ["nas"])
    }

    @Test func `a destination whose table only moved in its file is the same`() throws {
        let old = try configuration(Self.nas)
        let moved = try configuration("# a comment\n\n" + Self.nas)
        #expect(ConfigurationChange(from: old, to: moved, hasMeter: false).destinations.isEmpty)
        let other = try configuration(Self.nas.replacing("/nas", with: "/other"))
        #expect(
            ConfigurationChange(from: old, to: other, hasMeter: false).destinations.map(\.name) == ["nas"])
    }
}
