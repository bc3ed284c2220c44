import Foundation
import Testing

@testable import UploadEngine

/// When a worker looks for manifests.
@Suite struct ManifestLookTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    @Test func `what is sealed during a look is looked for again`() {
        var look = ManifestLook()
        #expect(look.mayLook(at: Self.now))
        look.looks(at: Self.now)
        // The ledger was asked before it was written.
        look.isWanted = true
        look.looked(later: nil, at: Self.now)
        #expect(!look.mayLook(at: Self.now) && look.due == Self.now + 1)
        #expect(look.mayLook(at: Self.now + 1))
    }

    @Test func `without a reason there is no other look`() {
        var look = ManifestLook()
        look.looks(at: Self.now)
        look.looked(later: nil, at: Self.now)
        #expect(!look.mayLook(at: Self.now + 3_600) && look.due == nil)
        look.looked(later: Self.now, at: Self.now)
        #expect(!look.mayLook(at: Self.now) && look.mayLook(at: Self.now + 1))
    }
}
