import Foundation
import FrameFastModel
import Store
import TestRig
import Testing

@testable import Manifests

/// What a verification finds where no other tool is asked.
@Suite struct VerificationTests {
    private let bed: ManifestBed

    init() throws { bed = try ManifestBed() }

    @Test func `a session that was never sealed is said to be that`() async throws {
        let session = try await bed.ledger.startSession(name: "S", at: ManifestBed.now)
        let found = try await bed.verify(try bed.service(), session.id)
        #expect(found.state == .done && found.result == .notSealed)
    }

    @Test func `a photo that was cleared after its delivery is no fault`() async throws {
        let session = try await bed.ledger.startSession(name: "S", at: ManifestBed.now)
        let id = try await bed.save("S/gone.jpg", session: session.id)
        try await bed.save("S/here.jpg", session: session.id)
        let service = try bed.service()
        _ = try await service.seal(session.id)
        try await bed.deliverAndClear(id, to: "studio")
        try FileManager.default.removeItem(atPath: bed.photos + "/S/gone.jpg")
        let found = try await bed.verify(service, session.id)
        #expect(found.result == .intact && found.verified == 1)
        #expect(found.findings == [.init(path: "gone.jpg", what: .cleared(["studio"]))])
    }

    @Test func `one that is cancelled leaves no generation`() async throws {
        for number in 1...3 { try await bed.save("S/\(number).jpg") }
        let files = FileVerification()
        files.cancel()
        let records = [Manifest.Record(path: "1.jpg", xxh128: String(repeating: "0", count: 32))]
        #expect(try await files.run(records, below: bed.photos + "/S") == nil)
    }
}
