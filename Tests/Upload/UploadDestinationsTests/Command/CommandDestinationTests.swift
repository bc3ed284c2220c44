import ChildProcesses
import Foundation
import FrameFastModel
import Logging
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

@Suite(.programs(1), .serialized, .timeLimit(.minutes(30))) struct CommandDestinationTests {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `passes 200 photos with unusual names to a script`() async throws {
        let script = try Script(
            #"mkdir -p "$OUT/got/$(dirname "./$FRAMEFAST_NAME")" && cp -- "$1" "$OUT/got/$2""#)
        let photos = try SamplePhotos()
        defer {
            script.remove()
            photos.remove()
        }
        let destination = CommandDestination(
            name: "script", settings: script.settings(["{file}", "{name}"]), logger: Self.logger)
        let items = try (0..<200).map { index in
            let name = SamplePhotos.oddNames[index % SamplePhotos.oddNames.count]
            return try photos.item("set \(index / 25)/\(name)", bytes: 2_000 + index, job: Int64(index + 1))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, item) in items.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask {
                    let receipt = try await destination.upload(item) { _ in }
                    #expect(receipt.proof == .word)
                }
            }
            try await group.waitForAll()
        }
        let got = script.folder.appending(path: "got")
        #expect(
            try SamplePhotos.names(in: got) == Set(items.map(\.remoteName)),
            "[loss] wrong files at the destination")
        for item in items {
            #expect(
                try SamplePhotos.sum(of: got.appending(path: item.remoteName)) == item.sha256,
                "[loss] wrong photo content")
        }
    }

    @Test func `passes photo facts unchanged in arguments and environment`() async throws {
        let script = try Script(
            #"printf '%s\n' "$#" "$@" "$FRAMEFAST_CAMERA" > "$OUT/seen"; env > "$OUT/env""#)
        let photos = try SamplePhotos()
        defer {
            script.remove()
            photos.remove()
        }
        var item = try photos.item("$(touch PWNED).jpg", bytes: 10, job: 5)
        item.facts = [.camera: "a b; $(touch PWNED) `id` \"'"]
        var settings = script.settings(["--camera={CAMERA}", "{unknown}", "{", "{name}{bytes}"])
        settings.bytesPerSecond = 5_000_000
        let destination = CommandDestination(name: "script", settings: settings, logger: Self.logger)
        _ = try await destination.upload(item) { _ in }
        let camera = try #require(item.facts[.camera])
        #expect(
            try script.text("seen")
                == "4\n--camera=\(camera)\n{unknown}\n{\n$(touch PWNED).jpg10\n\(camera)\n")
        let environment = try script.text("env")
        // The program does not inherit this process's environment. The shell adds PWD, OLDPWD, SHLVL and _.
        let names = environment.split(separator: "\n").compactMap { $0.split(separator: "=").first }
        let known: Set<Substring> = ["PATH", "HOME", "LANG", "OUT", "PWD", "OLDPWD", "SHLVL", "_"]
        #expect(names.filter { !$0.hasPrefix("FRAMEFAST_") && !known.contains($0) } == [])
        #expect(environment.contains("FRAMEFAST_SHA256=\(item.sha256)\n"))
        #expect(environment.contains("FRAMEFAST_JOB=5\n"))
        #expect(environment.contains("FRAMEFAST_BANDWIDTH=5000000\n"))
    }

    @Test(
        arguments: [
            ("exit 75", UploadFailure.Kind.outage(retryAfterSeconds: nil)),
            ("exit 11", .outage(retryAfterSeconds: nil)),
            ("echo no such album; exit 1", .permanent(.unprocessable)), ("kill -9 $$", .transient),
        ])
    func `maps exit codes of a program to failure kinds`(body: String, kind: UploadFailure.Kind) async throws
    {
        let script = try Script(body)
        let photos = try SamplePhotos()
        defer {
            script.remove()
            photos.remove()
        }
        let destination = CommandDestination(name: "script", settings: script.settings(), logger: Self.logger)
        let item = try photos.item("a.jpg", bytes: 10, job: 1)
        let failure = await #expect(throws: UploadFailure.self) {
            try await destination.upload(item) { _ in }
        }
        #expect(failure?.kind == kind)
        if body.contains("album") { #expect(failure?.sentence.contains("no such album") == true) }
    }

    @Test func `refuses a program that other users can change`() async throws {
        let script = try Script("exit 0", mode: 0o777)
        defer { script.remove() }
        let destination = CommandDestination(name: "script", settings: script.settings(), logger: Self.logger)
        let failure = await #expect(throws: UploadFailure.self) { try await destination.probe() }
        #expect(failure?.kind == .permanent(.misconfigured))
    }
}
