import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import SystemPackage
import TestRig
import Testing

@testable import Manifests

/// What the reference tool says of histories that are written here.
@Suite(
    .enabled(if: ServerPrograms.has(ServerPrograms.manifestTool), "run scripts/prepare-test-servers first"))
struct ReferenceToolTests {
    private let bed: ManifestBed

    init() throws { bed = try ManifestBed() }

    /// Names that XML and tools trip over.
    private static let names = [
        "A day/one.jpg", "A day/größer & <kleiner>.jpg", "A day/\"quotes\" 'n' more.CR3",
        "A day/e\u{301} apart.jpg",
        "A day/é as one.jpg", "A day/日本 🎞.jpg", "A day/deep/er/still  two spaces .jpg",
    ]

    private func sealed() async throws -> ManifestService {
        for name in Self.names { try await bed.save(name) }
        let session = try await bed.ledger.startSession(name: "A day", at: ManifestBed.now)
        let service = try bed.service()
        let outcome = try await service.seal(session.id)
        #expect(outcome.sealed == Self.names.count && outcome.generation == 1 && outcome.read == 0)
        return service
    }

    @Test func `an untouched session verifies, and its files are valid by the schemas`() async throws {
        let service = try await sealed()
        try await bed.save("A day/later.jpg")
        #expect(try await service.seal(1).sealed == 1)
        #expect(try await bed.tool(verifies: "A day") == 0)
        #expect(try await bed.verify(service, 1).result == .intact)
        #expect(try await bed.tool(verifies: "A day") == 0)
        let schemas = ServerPrograms.manifestSchemas.path
        for manifest in try bed.manifests("A day") {
            #expect(
                try await ManifestBed.tool(
                    "xsd-schema-check", "-xsd", schemas + "/ASCMHL.xsd",
                    bed.photos + "/A day/ascmhl/" + manifest) == 0)
        }
        #expect(
            try await ManifestBed.tool(
                "xsd-schema-check", "-df", "-xsd", schemas + "/ASCMHLDirectory__combined.xsd",
                bed.photos + "/A day/ascmhl/ascmhl_chain.xml") == 0)
    }

    @Test func `a byte that changed is 11, here and there`() async throws {
        let service = try await sealed()
        try bed.flip(Self.names[1])
        #expect(try await bed.tool(verifies: "A day") == 11)
        let found = try await bed.verify(service, 1)
        #expect(found.result == .changed)
        #expect(found.findings == [.init(path: "größer & <kleiner>.jpg", what: .changed)])
        // The generation that says so makes nothing well.
        #expect(found.generation == 2)
        #expect(try await bed.tool(verifies: "A day") == 11)
    }

    @Test func `a file that is gone is 10, here and there`() async throws {
        let service = try await sealed()
        try FileManager.default.removeItem(atPath: bed.photos + "/" + Self.names[0])
        #expect(try await bed.tool(verifies: "A day") == 10)
        let found = try await bed.verify(service, 1)
        #expect(found.result == .missing && found.findings == [.init(path: "one.jpg", what: .missing)])
    }

    @Test func `a manifest that was edited is 31, here and there`() async throws {
        let service = try await sealed()
        let manifest = bed.photos + "/A day/ascmhl/" + (try bed.manifests("A day")[0])
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        try text.replacing("studio", with: "another").write(
            toFile: manifest, atomically: true, encoding: .utf8)
        #expect(try await bed.tool(verifies: "A day") == 31)
        #expect(try await bed.verify(service, 1).result == .manifestEdited)
    }

    @Test func `a chain file that is gone is 32, here and there, and is not made anew`() async throws {
        let service = try await sealed()
        try FileManager.default.removeItem(atPath: bed.photos + "/A day/ascmhl/ascmhl_chain.xml")
        #expect(try await bed.tool(verifies: "A day") == 32)
        #expect(try await bed.verify(service, 1).result == .chainGone)
        try await bed.save("A day/later.jpg")
        await #expect(throws: ManifestFault.chainGone(folder: bed.photos + "/A day/ascmhl")) {
            try await service.seal(1)
        }
    }

    @Test func `a generation of the tool is taken in, and ours follows it`() async throws {
        let service = try await sealed()
        let create = try Process.run(
            ServerPrograms.manifestTool.deletingLastPathComponent().appending(path: "ascmhl"),
            arguments: ["create", bed.photos + "/A day"])
        create.waitUntilExit()
        #expect(create.terminationStatus == 0)
        try await bed.save("A day/later.jpg")
        #expect(try await service.seal(1).generation == 3)
        #expect(try await bed.tool(verifies: "A day") == 0)
        #expect(try await bed.verify(service, 1).result == .intact)
    }

    @Test(arguments: ManifestHistory.Step.allCases, [1, 2])
    func `a crash at each step of a generation is completed by the next sealing`(
        step: ManifestHistory.Step, generation: Int
    ) async throws {
        if generation == 2 {
            try await bed.save("S/first.jpg")
            _ = try await bed.sealing("S").seal(comment: nil)
        }
        try await bed.save("S/one.jpg")
        let crash = ManifestHistory.Probe(step: { done throws(SystemCallError) in
            if done == step {
                throw SystemCallError(call: "go on after", subject: "a crash", errno: .interrupted)
            }
        })
        await #expect(throws: ManifestFault.self) { try await bed.sealing("S", crash).seal(comment: nil) }
        try await bed.save("S/two.jpg")
        _ = try await bed.sealing("S").seal(comment: nil)
        #expect(try await bed.tool(verifies: "S") == 0)
        let chain = try await bed.sealing("S").takeIn()
        #expect(chain.generations.map(\.number) == Array(1...chain.last))
        #expect(try bed.manifests("S") == chain.generations.map(\.name))
        let records = try await bed.sealing("S").originals(chain).records
        #expect(Set(records.map(\.path)).count == records.count)
        #expect(records.count == generation + 1)
    }

    @Test func `C4 ids are the tool's`() throws {
        for text in ["", "a", String(repeating: "framefast", count: 1000)] {
            let code =
                "import sys; from ascmhl.hasher import C4; h = C4(); h.update(sys.argv[1].encode()); print(h.string_digest())"
            let python = Process()
            let output = Pipe()
            python.executableURL = ServerPrograms.manifestTool.deletingLastPathComponent().appending(
                path: "python")
            python.arguments = ["-c", code, text]
            python.standardOutput = output
            try python.run()
            let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            python.waitUntilExit()
            #expect(C4ID.text(of: Array(text.utf8)) + "\n" == said)
        }
    }
}
