import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Testing
import UploadDestinations
import UploadEngine

@testable import FrameFastDaemon

/// Tests of the features of destinations in API replies.
@Suite struct DestinationFeatureTests {
    @Test func `the samples match the features of each destination kind`() {
        for kind in DestinationKind.allCases {
            let sample = Samples.features.first { $0.kind == kind.rawValue }?.features ?? []
            let replies = DestinationCapabilities().states(of: kind.descriptor.features([:]))
                .map(DestinationFeatureReply.init)
            #expect(sample.map(\.feature) == replies.map(\.feature), "\(kind)")
            #expect(sample.map(\.title) == replies.map(\.title), "\(kind)")
            #expect(sample.map(\.fallback) == replies.map(\.fallback), "\(kind)")
        }
    }

    @Test func `a reply contains state, reason and time of each feature`() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var capabilities = DestinationCapabilities()
        _ = capabilities.learn(.sync, isOffered: false, reason: "It says no.", at: now)
        _ = capabilities.learn(.size, isOffered: true, at: now)
        let replies = capabilities.states(of: [.size, .resume, .sync]).map(DestinationFeatureReply.init)
        #expect(replies.map(\.feature) == ["sync", "resume", "size"])
        #expect(replies.map(\.state) == [.refused, .unknown, .offered])
        #expect(replies.map(\.reason) == ["It says no.", nil, nil])
        #expect(replies.map(\.since) == [now, nil, now])
    }
}
