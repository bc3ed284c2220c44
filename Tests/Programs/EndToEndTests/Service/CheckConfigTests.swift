import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// What `--check-config` finds, the start finds as well, and goes on.
@Suite(.serialized) struct CheckConfigTests {
    @Test func `the check finds what the start would find, each with its line`() async throws {
        let folder = try ScratchFolder()
        let rig = try DaemonRig(
            cameras: [],
            tables: [
                "[upload]", "metered_command = [\"/nowhere/metered\"]",
                "[[destination]]", "name = \"dav\"", "kind = \"webdav\"", "url = \"https://127.0.0.1:1/\"",
                "user = \"a\"", "password_file = \"\(folder.path("none"))\"",
                "[[destination]]", "name = \"ask\"", "kind = \"http\"",
                "url = \"https://127.0.0.1:1/{nonsense}\"",
                "ca_file = \"\(folder.path("none"))\"",
                "[[destination]]", "name = \"ssh\"", "kind = \"sftp\"", "host = \"-oProxyCommand=x\"",
                "[[destination]]", "name = \"run\"", "kind = \"command\"", "command = [\"relative\"]",
                "[[destination]]", "name = \"unit\"", "kind = \"webdav\"", "url = \"https://127.0.0.1:1/\"",
                "user = \"a\"", "password_file = \"credential:dav\"",
                "[[hook]]", "name = \"lamp\"", "on = \"saved\"", "command = [\"/nowhere/lamp\"]",
            ])
        let (status, said) = try await rig.checkConfiguration()
        #expect(status == 78)
        for fragment in [
            ":11: destination 'dav': cannot read the secret", "destination 'ask': The ca_file",
            "destination 'ask': Nothing is known that {nonsense}",
            "destination 'ssh': host “-oProxyCommand=x”",
            "destination 'run': program “relative” is not an absolute path",
            "hook 'lamp': program /nowhere/lamp is not there",
            "'upload.metered_command': program /nowhere/metered is not there",
        ] {
            #expect(said.contains(fragment), "\(fragment) in \(said)")
        }
        #expect(said.split(separator: "\n").count == 7, "\(said)")
    }

    @Test(arguments: [
        ("{date}/{session}/{counter}.{ext}", true, true), ("{session}/{counter}.{ext}", true, false),
        ("{date}/{session}/{counter}.{ext}", false, false),
    ])
    func `names that give all sessions one history of manifests are said, and are no fault`(
        template: String, isAutomatic: Bool, isSaid: Bool
    ) async throws {
        let rig = try DaemonRig(
            cameras: [], capture: ["template = \"\(template)\""],
            tables: ["[manifest]", "asc_mhl = \(isAutomatic)"])
        let (status, said) = try await rig.checkConfiguration()
        #expect(status == 0)
        #expect(said.contains("all sessions share one manifest history") == isSaid, "\(said)")
        #expect(!isSaid || said.contains(rig.captures))
    }

    @Test func `a destination whose secret is missing waits for it, and photos come in meanwhile`()
        async throws
    {
        let folder = try ScratchFolder()
        let secret = folder.path("secret")
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)],
            tables: [
                "[[destination]]", "name = \"dav\"", "kind = \"webdav\"", "url = \"http://127.0.0.1:1/\"",
                "user = \"a\"", "password_file = \"\(secret)\"",
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"",
            ])
        try await rig.start()
        #expect(rig.log.contains("the configuration cannot work"))
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 2")
        let status = try await rig.status("the destination to be away, the other to have the photos") {
            $0.destinations.first?.state == .away && $0.uploads.delivered == 2
        }
        let error = try #require(status.destinations.first?.lastError)
        #expect(error.sentence.contains("secret cannot be read") && error.nextStep != nil)
        try Data("open sesame\n".utf8).write(to: URL(filePath: secret))
        try await rig.status("the secret to be one for everybody") {
            $0.destinations.first?.lastError?.sentence.contains("other users can read it") == true
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        // Nobody listens there, but that is another trouble.
        try await rig.status("the secret to be found") {
            $0.destinations.first?.lastError?.sentence.contains("secret") == false
        }
        #expect(try await rig.stop() == 0)
    }
}
