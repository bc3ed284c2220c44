import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests of the problems that `--check-config` finds. The service logs the same problems at its start, and
/// continues.
@Suite(.serialized, .programs(2)) struct CheckConfigTests {
    @Test func `check-config reports one line for each problem of the configuration`() async throws {
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
                "[[destination]]", "name = \"form\"", "kind = \"http\"", "method = \"post\"",
                "url = \"https://127.0.0.1:1/\"", "form_fields = [\"event={SESION}\"]",
                "[[destination]]", "name = \"grant\"", "kind = \"http\"", "method = \"presigned\"",
                "url = \"https://127.0.0.1:1/\"", "status_url = \"https://127.0.0.1:1/{ID}\"",
                "[[destination]]", "name = \"print\"", "kind = \"command\"",
                "command = [\"/bin/true\", \"{CAMRA}\"]",
                "[[hook]]", "name = \"lamp\"", "on = \"saved\"", "command = [\"/nowhere/lamp\"]",
                "[[hook]]", "name = \"bell\"", "on = \"saved\"", "command = [\"/bin/true\", \"{evnt}\"]",
            ])
        let (status, said) = try await rig.checkConfiguration()
        #expect(status == 78)
        for fragment in [
            ":11: destination 'dav': cannot read the secret", "destination 'ask': The ca_file",
            "destination 'ask': Unknown placeholder {nonsense}",
            "destination 'ssh': host '-oProxyCommand=x'",
            "destination 'run': program 'relative' is not an absolute path",
            "destination 'form': Unknown placeholder {SESION}",
            "destination 'grant': Unknown placeholder {ID}",
            "destination 'print': Unknown placeholder {CAMRA}",
            "hook 'lamp': program /nowhere/lamp does not exist", "hook 'bell': Unknown placeholder {evnt}",
            "'upload.metered_command': program /nowhere/metered does not exist",
        ] {
            #expect(said.contains(fragment), "\(fragment) in \(said)")
        }
        #expect(said.split(separator: "\n").count == 11, "\(said)")
    }

    @Test func `check-config reports malformed secret files but accepts a BOM and CRLF`() async throws {
        let folder = try ScratchFolder()
        let files: [(name: String, bytes: Data, words: String)] = [
            ("wide", Data([0xFF, 0xFE, 0x66, 0x00]), "it is saved as UTF-16: save it as UTF-8"),
            ("lines", Data("ff\nold\n".utf8), "it has more than one line: keep only the secret in it"),
            ("tab", Data("f\tf\n".utf8), "it contains the control character 9"),
            ("windows", Data("\u{FEFF}ff\r\n".utf8), ""),
        ]
        var tables: [String] = []
        for file in files {
            let path = folder.path(file.name)
            try file.bytes.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            tables += [
                "[[destination]]", "name = \"\(file.name)\"", "kind = \"webdav\"",
                "url = \"https://127.0.0.1:1/\"", "user = \"a\"", "password_file = \"\(path)\"",
            ]
        }
        let (status, said) = try await DaemonRig(cameras: [], tables: tables).checkConfiguration()
        #expect(status == 78)
        let lines = said.split(separator: "\n")
        #expect(lines.count == 3, "\(said)")
        for file in files where !file.words.isEmpty {
            #expect(
                lines.contains { $0.contains("destination '\(file.name)'") && $0.contains(file.words) },
                "\(file.name): \(said)")
        }
    }

    @Test func `delivers to other destinations while one destination's secret is missing`() async throws {
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
        #expect(rig.log.contains("using the configuration despite a fault"))
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        try camera.command("shoot 2")
        let status = try await rig.status("one destination to be unreachable, the other to have the photos") {
            $0.destinations.first?.state == .away && $0.destinations.first?.lastError != nil
                && $0.uploads.delivered == 2
        }
        let error = try #require(status.destinations.first?.lastError)
        #expect(error.sentence.contains("secret cannot be read") && error.nextStep != nil)
        try Data("open sesame\n".utf8).write(to: URL(filePath: secret))
        try await rig.status("the secret to be refused because other users can access it") {
            $0.destinations.first?.lastError?.sentence.contains("other users can access it") == true
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        // The secret is valid now. The remaining error is that no server listens.
        try await rig.status("the secret to be found") {
            $0.destinations.first?.lastError?.sentence.contains("secret") == false
        }
        #expect(try await rig.stop() == 0)
    }
}
