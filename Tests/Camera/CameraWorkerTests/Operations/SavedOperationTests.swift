import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// Tests of the saved form of a running exposure or movie, which tells the next worker how to end it.
@Suite struct SavedOperationTests {
    private let profiles: [MakerProfile]
    init() throws { profiles = try KnowledgeBase.bundled().profiles }

    private func profile(_ maker: String) throws -> CameraProfile {
        try #require(profiles.first { $0.names.contains(maker) }).profile
    }

    @Test func `finds the method that started an exposure or movie in each maker's profile`() {
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

    @Test func `does not use a method over the network that only works over USB`() throws {
        let sony = try profile("Sony")
        let method = try #require(sony.bulb?.first { $0.onlyUSB == true })
        let saved = SavedOperation(.bulb, endedBy: method)
        #expect(saved.method(in: sony, isNetwork: false) == method)
        #expect(saved.method(in: sony, isNetwork: true) == nil)
    }

    @Test(arguments: ["bulb", "bulb shutter=gone"])
    func `has all methods of the kind if the saved setting is missing or unknown`(text: String) throws {
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
