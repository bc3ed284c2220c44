import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// Tests of the saved form of a running exposure or movie. From it, the next worker reads how to
/// end the operation.
@Suite struct SavedOperationTests {
    private let profiles: [MakerProfile]
    init() throws { profiles = try KnowledgeBase.bundled().profiles }

    private func profile(_ maker: String) throws -> CameraProfile {
        try #require(profiles.first { $0.names.contains(maker) }).profile
    }

    @Test func `finds the method of a saved exposure or movie in each profile`() {
        for profile in profiles.map(\.profile) {
            for (kind, methods) in [(CameraOperation.Kind.bulb, profile.bulb), (.movie, profile.movie)] {
                for method in methods ?? [] {
                    let saved = SavedOperation(SavedOperation(kind, endedBy: method).text)
                    #expect(saved?.kind == kind)
                    #expect(saved?.method(in: profile, isNetwork: false) == method)
                    #expect(saved?.methods(in: profile) == methods)
                }
            }
        }
    }

    @Test func `saves the kind and the setting that ends an exposure`() throws {
        let method = try #require(profile("Canon").bulb?.first)
        let saved = SavedOperation(.bulb, endedBy: method)
        #expect(saved.text == "bulb eosremoterelease=Release Full")
        #expect(SavedOperation(saved.text) == saved)
    }

    @Test func `does not use a USB-only method over the network`() throws {
        let sony = try profile("Sony")
        let method = try #require(sony.bulb?.first { $0.onlyUSB == true })
        let saved = SavedOperation(.bulb, endedBy: method)
        #expect(saved.method(in: sony, isNetwork: false) == method)
        #expect(saved.method(in: sony, isNetwork: true) == nil)
    }

    @Test(arguments: ["bulb", "bulb shutter=gone"])
    func `returns all methods if the saved setting is missing or unknown`(text: String) throws {
        let canon = try profile("Canon")
        let saved = try #require(SavedOperation(text))
        #expect(saved.method(in: canon, isNetwork: false) == nil)
        #expect(saved.methods(in: canon) == canon.bulb)
    }

    @Test(arguments: ["", "walk", "walk shutter=1"])
    func `rejects an unknown kind`(text: String) {
        #expect(SavedOperation(text) == nil)
    }
}
