import Foundation
import Glibc
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests of the copy of rclone's configuration in which rclone saves new tokens.
@Suite(
    .programs(3), .enabled(if: RcloneHome.isInstalled, "needs rclone"), .timeLimit(.minutes(30)))
struct RcloneConfigurationTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func settings(_ home: RcloneHome) -> RcloneSettings {
        var settings = home.settings()
        settings.writableConfigFile = scratch.path("state/cloud.rclone.conf")
        return settings
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `keeps a saved token until the original configuration changes`() throws {
        let home = try RcloneHome()
        defer { home.remove() }
        let settings = settings(home)
        let copy = try RcloneConfiguration.writable(settings)
        #expect(try Self.text(copy) == Self.text(settings.configFile))
        let facts = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        try "[disk]\ntoken = new\n".write(toFile: copy, atomically: true, encoding: .utf8)
        #expect(try Self.text(RcloneConfiguration.writable(settings)) == "[disk]\ntoken = new\n")
        try "[disk]\ntype = local\n[other]\ntype = local\n"
            .write(toFile: settings.configFile, atomically: true, encoding: .utf8)
        #expect(try Self.text(RcloneConfiguration.writable(settings)).contains("[other]"))
    }

    /// The state folder can't be written, and the original can't be read.
    @Test func `names the configuration file that cannot be read or written`() throws {
        let home = try RcloneHome()
        defer { home.remove() }
        var settings = settings(home)
        try Data().write(to: URL(filePath: scratch.path("state")))
        let unwritable = #expect(throws: UploadFailure.self) { try RcloneConfiguration.writable(settings) }
        #expect(unwritable?.nextStep?.contains("state directory") == true)
        #expect(unwritable?.kind == .outage(retryAfterSeconds: nil))
        settings.configFile = scratch.path("home/rclone.conf")
        let unreadable = #expect(throws: UploadFailure.self) { try RcloneConfiguration.writable(settings) }
        #expect(unreadable?.sentence.contains("home/rclone.conf can't be read") == true)
        #expect(unreadable?.nextStep?.contains("/etc/framefast/rclone.conf") == true)
        #expect(unreadable?.kind == .outage(retryAfterSeconds: nil))
    }

    @Test func `saves tokens to the copy of a read-only configuration across restarts`()
        async throws
    {
        struct Change: Encodable {
            var name = "disk"
            var parameters = ["description": "a token that is used once"]
        }
        let home = try RcloneHome()
        let photos = try SamplePhotos()
        defer {
            home.remove()
            photos.remove()
        }
        let settings = settings(home)
        chmod(settings.configFile, 0o400)
        let before = try Self.text(settings.configFile)
        let first = try await RcloneDaemon.start(settings)
        _ = try await first.call("config/update", Change(), as: RcloneEmpty.self)
        await first.stop()
        #expect(try Self.text(settings.configFile) == before)
        let copy = try #require(settings.writableConfigFile)
        #expect(try Self.text(copy).contains("a token that is used once"))
        let destination = RcloneDestination(settings)
        _ = try await destination.upload(try photos.item("a.jpg", bytes: 5000, job: 1)) { _ in }
        await destination.close()
        #expect(try Self.text(copy).contains("a token that is used once"))
    }

    @Test(arguments: [
        (
            "2026/01/01 10:00:00 NOTICE: x\n2026/01/01 10:00:01 ERROR : Failed to save config: read-only file system\n",
            "Failed to save config: read-only file system"
        ),
        ("2026/01/01 10:00:00 NOTICE: Serving remote control\n", nil),
        ("2026/01/01 ERROR : a: token=abc123 refused\n", "a: token=… refused"),
        (
            "2026/01/01 ERROR : a: no\n2026/01/01 ERROR : rc: \"operations/copyfile\": error: no\n", "a: no"
        ),
    ])
    func `returns the last error of an rclone log without secrets`(log: String, said: String?) {
        #expect(RcloneDaemon.lastError(in: log) == said)
    }
}
