import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

/// Tests of the events for changes of a destination's state.
@Suite struct DestinationStateReportTests {
    static let now = BreakerTests.now
    static let away = DestinationState.away(nextTry: now)
    static let failure = DestinationFailure(
        UploadFailure(.permanent(.unauthorised), "The key is wrong", nextStep: "Correct the key."), at: now)

    /// Returns a short name for each event of a change.
    private static func words(_ events: [UploadEvent]) -> [String] {
        events.map { event in
            switch event {
            case .state(let name, let state): "\(name) \(state == away ? "away" : "\(state)")"
            case .raised(let condition): "+\(condition.code) \(condition.severity)"
            case .cleared(let kind, let subject): "-\(kind.rawValue) \(subject.text)"
            default: "?"
            }
        }
    }

    @Test(
        arguments: [
            (DestinationState.ready, DestinationState.ready, []),
            (.ready, away, ["nas away", "+destination-away warning"]),
            (away, .ready, ["nas ready", "-destination-away nas"]),
            (.ready, .refusing, ["nas refusing", "+destination-away danger"]),
            (away, .refusing, ["nas refusing", "+destination-away danger"]),
            (.refusing, away, ["nas away", "+destination-away warning"]),
            (.refusing, .paused, ["nas paused", "-destination-away nas"]),
            (.ready, .metered, ["nas metered", "-destination-away nas", "+destination-metered info"]),
            (.metered, .ready, ["nas ready", "-destination-away nas", "-destination-metered nas"]),
            (.metered, away, ["nas away", "+destination-away warning", "-destination-metered nas"]),
        ] as [(DestinationState, DestinationState, [String])])
    func `reports each state change once`(from: DestinationState, to: DestinationState, reported: [String]) {
        var report = DestinationStateReport(of: "nas")
        _ = report.events(from, nil, at: Self.now)
        #expect(Self.words(report.events(to, Self.failure, at: Self.now)) == reported)
        #expect(report.events(to, Self.failure, at: Self.now).isEmpty)
    }

    @Test func `a new time for the next probe does not change the condition`() {
        var report = DestinationStateReport(of: "nas")
        _ = report.events(Self.away, nil, at: Self.now)
        let later = DestinationState.away(nextTry: Self.now.addingTimeInterval(30))
        #expect(report.events(later, nil, at: Self.now).count == 1)
        #expect(report.events(.away(nextTry: nil), nil, at: Self.now).count == 1)
    }

    /// Returns the conditions in `raised` events.
    private static func raised(_ events: [UploadEvent]) -> [Condition] {
        events.compactMap { event in
            if case .raised(let condition) = event { condition } else { nil }
        }
    }

    private static func outage(_ step: UploadStep?, _ words: String) -> DestinationFailure {
        DestinationFailure(UploadFailure(.outage(retryAfterSeconds: nil), words, step: step), at: now)
    }

    @Test(
        arguments: [
            (nil, "is unavailable"), (.connect, "is unavailable"),
            (.send, "does not accept uploads right now"),
            (.makeFolder, "does not accept uploads right now"),
            (.rename, "does not accept uploads right now"),
        ] as [(UploadStep?, String)])
    func `calls a destination unavailable only if the connection failed`(step: UploadStep?, words: String) {
        var report = DestinationStateReport(of: "nas")
        let reported = Self.raised(report.events(Self.away, Self.outage(step, "No luck."), at: Self.now))
        #expect(reported.map(\.sentence) == ["The destination nas \(words): No luck."])
    }

    @Test func `condition changes when a busy server becomes unreachable`() {
        var report = DestinationStateReport(of: "nas")
        var reported: [Condition] = []
        let steps: [(step: UploadStep, words: String)] = [
            (.send, "Busy."), (.send, "Still busy."), (.connect, "Connection refused."),
            (.connect, "No answer."),
            (.send, "Busy again."),
        ]
        for (index, failure) in steps.enumerated() {
            let time = Self.now.addingTimeInterval(Double(index))
            reported += Self.raised(
                report.events(
                    .away(nextTry: time.addingTimeInterval(30)), Self.outage(failure.step, failure.words),
                    at: time))
        }
        #expect(
            reported.map(\.sentence) == [
                "The destination nas does not accept uploads right now: Busy.",
                "The destination nas is unavailable: Connection refused.",
                "The destination nas does not accept uploads right now: Busy again.",
            ])
    }

    @Test func `refusal condition contains reason, next step and resume command`() throws {
        var report = DestinationStateReport(of: "nas")
        let condition = try #require(
            report.events(.refusing, Self.failure, at: Self.now).lazy.compactMap { event in
                if case .raised(let condition) = event { condition } else { nil }
            }.first)
        #expect(condition.sentence == "The destination nas refuses uploads: The key is wrong.")
        #expect(
            condition.nextStep
                == "Correct the key. Uploads resume automatically; to resume now: 'framefast queue resume nas'."
        )
    }

    @Test func `removing a destination clears its conditions`() {
        #expect(
            Self.words(DestinationStateReport(of: "nas").clearedEvents) == [
                "-destination-away nas", "-destination-metered nas",
            ])
    }
}
