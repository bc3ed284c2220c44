import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

/// What people are told when a destination stands differently than before.
@Suite struct StandingReportTests {
    static let now = BreakerTests.now
    static let away = UploadStanding.away(nextTry: now)
    static let trouble = UploadTrouble(
        UploadFailure(.permanent(.unauthorised), "The key is wrong", nextStep: "Correct the key."), at: now)

    /// The events of a change, a word each.
    private static func words(_ events: [UploadEvent]) -> [String] {
        events.map { event in
            switch event {
            case .standing(let name, let standing): "\(name) \(standing == away ? "away" : "\(standing)")"
            case .raised(let condition): "+\(condition.code) \(condition.severity)"
            case .cleared(let kind, let subject): "-\(kind.rawValue) \(subject.text)"
            default: "?"
            }
        }
    }

    @Test(
        arguments: [
            (UploadStanding.ready, UploadStanding.ready, []),
            (.ready, away, ["nas away", "+destination-away warning"]),
            (away, .ready, ["nas ready", "-destination-away nas"]),
            (.ready, .refusing, ["nas refusing", "+destination-away danger"]),
            (away, .refusing, ["nas refusing", "+destination-away danger"]),
            (.refusing, away, ["nas away", "+destination-away warning"]),
            (.refusing, .paused, ["nas paused", "-destination-away nas"]),
            (.ready, .metered, ["nas metered", "-destination-away nas", "+destination-metered info"]),
            (.metered, .ready, ["nas ready", "-destination-away nas", "-destination-metered nas"]),
            (.metered, away, ["nas away", "+destination-away warning", "-destination-metered nas"]),
        ] as [(UploadStanding, UploadStanding, [String])])
    func `each change is told once`(from: UploadStanding, to: UploadStanding, told: [String]) {
        var report = StandingReport(of: "nas")
        _ = report.events(from, nil, at: Self.now)
        #expect(Self.words(report.events(to, Self.trouble, at: Self.now)) == told)
        #expect(report.events(to, Self.trouble, at: Self.now).isEmpty)
    }

    @Test func `each probe of a destination that is away changes the time, and not the condition`() {
        var report = StandingReport(of: "nas")
        _ = report.events(Self.away, nil, at: Self.now)
        let later = UploadStanding.away(nextTry: Self.now.addingTimeInterval(30))
        #expect(report.events(later, nil, at: Self.now).count == 1)
        #expect(report.events(.away(nextTry: nil), nil, at: Self.now).count == 1)
    }

    @Test func `a refusal says why and what to do, and how to go on at once`() throws {
        var report = StandingReport(of: "nas")
        let condition = try #require(
            report.events(.refusing, Self.trouble, at: Self.now).lazy.compactMap { event in
                if case .raised(let condition) = event { condition } else { nil }
            }.first)
        #expect(condition.sentence == "The destination nas refuses uploads: The key is wrong.")
        #expect(
            condition.nextStep
                == "Correct the key. Uploads resume automatically; to resume now: 'framefast queue resume nas'."
        )
    }

    @Test func `a destination that is no more leaves nothing said`() {
        #expect(
            Self.words(StandingReport(of: "nas").end) == [
                "-destination-away nas", "-destination-metered nas",
            ])
    }
}
