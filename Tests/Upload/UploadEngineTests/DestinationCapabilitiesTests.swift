import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct DestinationCapabilitiesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `uses a feature until the server refuses it`() throws {
        var capabilities = DestinationCapabilities()
        #expect(DestinationFeature.allCases.allSatisfy(capabilities.offers))
        #expect(capabilities.summary == nil)
        let first = capabilities.learn(.sync, isOffered: false, reason: "It says no.", at: Self.now)
        let again = capabilities.learn(.sync, isOffered: false, reason: "Other words.", at: Self.now + 9)
        #expect(first && !again)
        #expect(!capabilities.offers(.sync))
        let observation = try #require(capabilities[.sync])
        #expect(observation.reason == "It says no." && observation.learnedAt == Self.now)
        #expect(
            capabilities.summary
                == "Without flushing to disk: the server decides when it writes to disk.")
        let isNew = capabilities.learn(.sync, isOffered: true, at: Self.now)
        #expect(isNew)
        #expect(capabilities.offers(.sync) && capabilities[.sync]?.reason == nil)
    }

    @Test(
        arguments: [
            .condition, .featureList, .modificationTime, .append, .fileTime, .serverChecksum,
        ] as [DestinationFeature])
    func `a server without an optional feature needs no advice`(feature: DestinationFeature) {
        var capabilities = DestinationCapabilities()
        _ = capabilities.learn(feature, isOffered: false, at: Self.now)
        #expect(!capabilities.offers(feature) && capabilities.summary == nil)
    }

    @Test(
        arguments: [
            ([], .hidden), ([.hiddenNames], .plain), ([.hiddenNames, .partNames], .bare),
            ([.partNames], .bare), ([.otherNames, .partNames, .hiddenNames], .photo), ([.rename], .final),
        ] as [([DestinationFeature], TemporaryName)])
    func `chooses a temporary name that needs no refused feature`(
        refused: [DestinationFeature], name: TemporaryName
    ) {
        var capabilities = DestinationCapabilities()
        for feature in refused { _ = capabilities.learn(feature, isOffered: false, at: Self.now) }
        #expect(capabilities.temporaryName == name)
        #expect(name != .final || TemporaryName.final.refused == [.rename])
    }

    @Test func `without sizes and reading back, only a checksum verifies photos`() {
        var capabilities = DestinationCapabilities()
        for feature in [DestinationFeature.size, .readBack] {
            _ = capabilities.learn(feature, isOffered: false, at: Self.now)
            let fallbacks = capabilities.states(of: [.size, .readBack]).map(\.fallback)
            let isBlind = !capabilities.offers(.readBack)
            #expect(fallbacks.contains("photos are read back") == !isBlind)
            #expect(fallbacks.allSatisfy { $0.contains("verified only if") } == isBlind)
        }
        #expect(capabilities.summary?.contains("photos are compared by size") == false)
    }

    @Test func `each feature has a title and a fallback`() {
        for feature in DestinationFeature.allCases {
            #expect(!feature.title.isEmpty && !feature.fallback.isEmpty)
        }
        #expect(Set(DestinationFeature.allCases.map(\.title)).count == DestinationFeature.allCases.count)
    }

    @Test func `capabilities survive a restart but not a configuration change`() async throws {
        let kept = Recording<String>()
        let first = DestinationMemory(configuration: "url=a")
        first.restore(nil, clock: { Self.now }) { if let text = $0.text { kept.add(text) } }
        await first.learn(.checksumHeader, isOffered: false, reason: "400")
        let text = try #require(kept.all.last)
        let second = DestinationMemory(configuration: "url=a")
        second.restore(text, clock: { Self.now }) { _ in }
        #expect(second.capabilities == first.capabilities)
        let other = DestinationMemory(configuration: "url=b")
        other.restore(text, clock: { Self.now }) { _ in }
        #expect(other.capabilities.observations.isEmpty)
        await second.reset()
        #expect(second.offers(.checksumHeader))
    }
}
