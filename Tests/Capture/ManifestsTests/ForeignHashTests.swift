import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import Manifests

/// Manifests of tools that write other hashes than we do.
@Suite(
    .enabled(if: ServerPrograms.has(ServerPrograms.manifestTool), "run scripts/prepare-test-servers first"))
struct ForeignHashTests {
    private let bed: ManifestBed

    init() throws { bed = try ManifestBed() }

    private func create(_ arguments: [String]) throws {
        let tool = try Process.run(
            ServerPrograms.manifestTool.deletingLastPathComponent().appending(path: "ascmhl"),
            arguments: ["create"] + arguments + [bed.photos + "/S"])
        tool.waitUntilExit()
        #expect(tool.terminationStatus == 0)
    }

    @Test(arguments: ["md5", "sha1", "c4", "xxh64", "xxh3", "xxh128"])
    func `each kind of hash is checked, and what changed is found`(kind: String) async throws {
        let session = try await bed.ledger.startSession(name: "S", at: ManifestBed.now)
        for name in ["one.jpg", "größe.CR3"] { try await bed.save("S/\(name)") }
        try create(["-h", kind])
        let service = try bed.service()
        let intact = try await bed.verify(service, session.id)
        #expect(intact.result == .intact && intact.verified == 2 && intact.reason == nil, "\(intact)")
        // Our generation beside it is one that the tool takes.
        #expect(try await bed.tool(verifies: "S") == 0)
        try bed.flip("S/one.jpg")
        let changed = try await bed.verify(service, session.id)
        #expect(changed.result == .changed && changed.findings == [.init(path: "one.jpg", what: .changed)])
        #expect(try await bed.tool(verifies: "S") == 11)
    }

    @Test func `of several hashes the strongest known one is checked, and none at all is said`() throws {
        func read(_ hashes: String) throws -> Manifest.Record {
            let xml = """
                <hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0"><hashes><hash><path>a.jpg</path>\(hashes)</hash>
                </hashes></hashlist>
                """
            return try #require(try ManifestReader.read(Array(xml.utf8)).records.first)
        }
        let digits = String(repeating: "0A", count: 16)
        let md5 = "<md5 action=\"original\">\(digits)</md5>"
        let xxh64 = "<xxh64>\(digits.prefix(16))</xxh64>"
        #expect(try read(md5).hash == ManifestHash(.md5, digits.lowercased()))
        #expect(try read(md5).action == .original)
        #expect(try read(md5 + xxh64).hash?.kind == .xxh64 && read(xxh64 + md5).hash?.kind == .xxh64)
        #expect(try read(md5 + "<xxh128>\(digits)</xxh128>").hash?.kind == .xxh128)
        let unknown = try read("<blake3>\(digits)</blake3>")
        #expect(unknown.hash == nil)
        var originals = OriginalHashes()
        originals.add([unknown])
        #expect(originals.unknownCount == 1 && originals.records.isEmpty)
        // A later generation has one that is known.
        originals.add([try read(md5)])
        #expect(originals.unknownCount == 0 && originals.records.count == 1)
        for wrong in ["<md5>12</md5>", "<xxh64>\(digits)</xxh64>", "<c4>c4x</c4>", "<sha1>\(digits)</sha1>"] {
            #expect(throws: ManifestFault.self) { try read(wrong) }
        }
    }
}
