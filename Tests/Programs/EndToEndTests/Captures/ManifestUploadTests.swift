import APIClient
import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Manifests at destinations, by the whole programs: what the reference tool says of the copies.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ServerPrograms.has(ServerPrograms.manifestTool), "run scripts/prepare-test-servers first"))
struct ManifestUploadTests {
    private static let session = "Größe & Co"
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var nas: String { folder.path("nas") }
    private var tables: [String] {
        [
            "[manifest]", "asc_mhl = true", "author = \"Kim Berg\"",
            "[[destination]]", "name = \"nas\"", "kind = \"directory\"", "path = \"\(nas)\"",
        ]
    }

    private func tool(_ root: String) async throws -> Int32 {
        try await RunningProgram.run(ServerPrograms.manifestTool, ["verify", root], in: folder).status
    }

    private func run(_ arguments: [String], _ rig: DaemonRig) async throws -> String {
        try await RunningProgram.run(
            Programs.path("framefast"), ["--socket", rig.socket, "--plain"] + arguments, in: folder
        ).output
    }

    /// Everything is delivered, manifests too.
    private func delivered(_ rig: DaemonRig, _ photos: Int, destinations: Int, within seconds: Double)
        async throws
    {
        try await rig.status("all photos to be there", within: seconds) {
            $0.uploads.delivered == photos * destinations
        }
        try await eventually("the manifests to be there", within: seconds) {
            try rig.client.call(\.uploads.list, UploadsQuery()).value.manifests.isEmpty ? () : nil
        }
    }

    @Test(arguments: [nil] + [UploadPlace.Kind.sftp, .webdav, .s3].filter { $0.obstacle == nil })
    func `the copy of a session verifies after each of two sealings`(kind: UploadPlace.Kind?) async throws {
        let place = if let kind { try await UploadPlace(kind) } else { nil as UploadPlace? }
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], tables: tables + (place?.table ?? []),
            environment: ["TZ": "Asia/Tokyo"])
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        _ = try rig.client.call(\.sessions.start, .init(name: Self.session))
        for generation in 1...2 {
            try camera.command("shoot 2")
            try await rig.saved(generation * 2)
            #expect(try await run(["session", "seal"], rig).contains("sealed 2 files"))
            try await delivered(
                rig, generation * 2, destinations: place == nil ? 1 : 2, within: Patience.seconds)
            #expect(try await tool("\(nas)/\(Self.session)") == 0)
            guard let place else { continue }
            #expect(try await tool(try await place.copy(of: Self.session)) == 0)
            // Photos, manifests and one chain, and no part of one.
            #expect(try await place.sums().count == 3 * generation + 1)
        }
        let manifests = try FileManager.default.contentsOfDirectory(
            atPath: "\(nas)/\(Self.session)/ascmhl")
        #expect(manifests.count == 3, "\(manifests)")
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [])
    }

    @Test
    func
        `manifests wait for a destination that is away, are in the queue, and never replace another's chain`()
        async throws
    {
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], tables: tables)
        let chain = "\(nas)/\(Self.session)/ascmhl/ascmhl_chain.xml"
        try FileManager.default.createDirectory(
            atPath: "\(nas)/\(Self.session)/ascmhl", withIntermediateDirectories: true)
        try Data("another's".utf8).write(to: URL(filePath: chain))
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        _ = try rig.client.call(\.sessions.start, .init(name: Self.session))
        try camera.command("shoot")
        try await rig.status("it to be there") { $0.uploads.delivered == 1 }
        _ = try rig.client.call(\.destinations.pause, "nas")
        _ = try await run(["session", "seal"], rig)
        #expect(try await run(["queue"], rig).contains("manifests to nas: queued, "))
        _ = try rig.client.call(\.destinations.resume, "nas")
        try await eventually("the chain to be refused") {
            try await run(["queue"], rig).contains("manifests to nas reason: Another file has the name")
                ? () : nil
        }
        #expect(try String(contentsOfFile: chain, encoding: .utf8) == "another's")
        try FileManager.default.removeItem(atPath: chain)
        _ = try await run(["queue", "retry", "--to", "nas"], rig)
        try await delivered(rig, 1, destinations: 1, within: Patience.seconds)
        #expect(try await tool("\(nas)/\(Self.session)") == 0)
        #expect(try await rig.stop() == 0)
    }

    @Test(.enabled(if: Strace.isPossible, "strace may not trace here"))
    func `a service that is killed while it seals completes the history at its start`() async throws {
        let camera = try await Simulator(folder, ["--size", "60KB"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], tables: tables)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        _ = try rig.client.call(\.sessions.start, .init(name: Self.session))
        let root = "\(rig.captures)/\(Self.session)"
        var photos = 0
        // What the thread that writes manifests does to these: it syncs a part, publishes it, syncs the folder, and syncs
        // the chain's part.
        let paths = ["", "/.framefast-manifest.part", "/.framefast-chain.part"].map { "\(root)/ascmhl\($0)" }
        var killed = 0
        for call in 1...4 {
            try camera.command("shoot 2")
            photos += 2
            try await rig.saved(photos)
            let before = try names(root).count
            let strace = try await Strace(
                try #require(rig.program?.pid), calls: "fsync,fdatasync,renameat2",
                injection: "signal=KILL:when=\(call)", paths: paths, in: folder)
            let client = rig.client
            do { _ = try client.call(\.manifests.seal, 1) } catch { killed += 1 }
            try await strace.detach()
            try await rig.kill()
            try await rig.start()
            try await eventually("chain and manifests to agree") {
                let chain =
                    (try? String(contentsOfFile: "\(root)/ascmhl/ascmhl_chain.xml", encoding: .utf8)) ?? ""
                let count = chain.split(separator: "<path>").count - 1
                return try max(count, 0) == names(root).count ? () : nil
            }
            #expect(try names(root).count >= before)
            try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        }
        #expect(killed == 4)
        _ = try rig.client.call(\.manifests.seal, 1)
        #expect(try await tool(root) == 0)
        try await delivered(rig, photos, destinations: 1, within: Patience.seconds)
        #expect(try await tool("\(nas)/\(Self.session)") == 0)
        #expect(try await rig.stop() == 0)
    }

    private func names(_ root: String) throws -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/ascmhl")) ?? []).filter {
            $0.hasSuffix(".mhl")
        }
    }

    @Test(.enabled(if: UploadPlace.Kind.webdav.obstacle == nil, "needs nginx"))
    func `a session that was shot through twenty kills and an outage verifies, here and there`() async throws
    {
        var random = SeededRandom()
        print("ManifestUploadTests: seed \(random.seed) (FRAMEFAST_TEST_SEED repeats it)")
        let (kills, shots) = (20, 60)
        let place = try await UploadPlace(.webdav)
        let camera = try await Simulator(
            folder,
            ["--size", "100KB-400KB", "--shots", "\(shots)", "--interval", "300", "--wait-for-client"])
        let rig = try DaemonRig(cameras: [("a", camera.address)], tables: tables + place.table)
        try await rig.start()
        let session = try rig.client.call(\.sessions.start, .init(name: Self.session)).value
        for number in 1...kills {
            // The server is away for a third of the time.
            if number == 7 { try await place.goAway() }
            if number == 14 { try await place.comeBack() }
            let life = Int.random(in: 200...1_200, using: &random)
            try await Task.sleep(for: .milliseconds(life))
            let isSealing = Bool.random(using: &random)
            let client = rig.client
            let seal = isSealing ? Task.detached { try? client.call(\.manifests.seal, session.id) } : nil
            if isSealing {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...40, using: &random)))
            }
            let workers = rig.program?.children ?? []
            for worker in workers where Bool.random(using: &random) { Glibc.kill(worker, SIGKILL) }
            try await rig.kill()
            _ = await seal?.value
            try await rig.start()
        }
        try await eventually("all shots to be taken", within: 60) {
            try camera.truth().count == shots ? () : nil
        }
        try await rig.saved(shots, within: 60)
        _ = try rig.client.call(\.sessions.stop)
        let root = "\(rig.captures)/\(Self.session)"
        try await eventually("all to be sealed") {
            try rig.client.call(\.manifests.seal, session.id).value.generation == nil ? () : nil
        }
        try await delivered(rig, shots, destinations: 2, within: 120)
        let there = try await place.copy(of: Self.session)
        for copy in [root, "\(nas)/\(Self.session)", there] { #expect(try await tool(copy) == 0, "\(copy)") }
        let taken = try camera.truth().map(\.sha256).sorted()
        #expect(try rig.files().filter { !$0.key.contains("/ascmhl/") }.values.sorted() == taken)
        #expect(try rig.records().compactMap(\.sha256).sorted() == taken)
        #expect(rig.parts() == [] && rig.errorsInLog == [])
        // And what happens to a copy is found.
        let photo = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: there).first { $0.hasSuffix(".jpg") })
        let file = URL(filePath: "\(there)/\(photo)")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.startIndex + bytes.count / 2] ^= 1
        try bytes.write(to: file)
        #expect(try await tool(there) == 11)
        try FileManager.default.removeItem(at: file)
        #expect(try await tool(there) == 10)
        #expect(try await rig.stop() == 0)
    }
}
