import Foundation
import FrameFastModel
import Testing

@Suite struct SessionTimelineTests {
    private static let start = Date(timeIntervalSince1970: 1_795_271_130)

    /// A moment, in seconds after the start.
    private static func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    private static func session(_ id: SessionID, _ from: Double, _ to: Double?) -> Session {
        Session(id: id, name: "\(id)", startedAt: at(from), stoppedAt: to.map(at))
    }

    private static let stopped = session(1, 0, 100)
    private static let running = session(2, 200, nil)

    struct Row: Sendable {
        var sessions: [Session]
        var taken: Double?
        var after: Double?
        var assignment: SessionTimeline.Assignment
    }

    static let rows = [
        // Photos taken in the running session, a second before its start (cameras truncate times to seconds),
        // between the sessions, in the earlier session, and before all sessions.
        Row(sessions: [stopped, running], taken: 250, assignment: .init(2)),
        Row(sessions: [stopped, running], taken: 199, assignment: .init(2)),
        Row(sessions: [stopped, running], taken: 150, assignment: .init(nil, isUnsorted: true)),
        Row(sessions: [stopped, running], taken: 50, assignment: .init(1)),
        Row(sessions: [stopped, running], taken: -600_000, assignment: .init(nil, isUnsorted: true)),
        // A date in the future, and no date. The photo belongs to the running session only if `after`, a
        // time before the capture, is in that session.
        Row(sessions: [stopped, running], taken: 90_000, assignment: .init(nil, isUnsorted: true)),
        Row(sessions: [stopped, running], taken: 90_000, after: 210, assignment: .init(2)),
        Row(sessions: [stopped, running], taken: nil, assignment: .init(nil, isUnsorted: true)),
        Row(sessions: [stopped, running], taken: nil, after: 190, assignment: .init(nil, isUnsorted: true)),
        Row(sessions: [stopped, running], taken: nil, after: 210, assignment: .init(2)),
        // Without a running session, no photo is unsorted.
        Row(sessions: [stopped], taken: 50, assignment: .init(1)),
        Row(sessions: [stopped], taken: 150, assignment: .init(nil)),
        Row(sessions: [], taken: nil, assignment: .init(nil)),
    ]

    @Test(arguments: rows)
    func `assigns a photo to the session of its capture time`(row: Row) {
        let timeline = SessionTimeline(row.sessions)
        #expect(
            timeline.assignment(
                taken: row.taken.map(Self.at), after: row.after.map(Self.at), now: Self.at(300))
                == row.assignment)
    }

    @Test func `assigns a shot to the running session until another session starts`() {
        var timeline = SessionTimeline([Self.stopped])
        #expect(timeline.assignmentOfShot == .init(nil))
        timeline.startOrStop(Self.running, at: Self.at(200))
        #expect(timeline.assignmentOfShot == .init(2))
        timeline.startOrStop(Self.session(3, 400, nil), at: Self.at(400))
        #expect(timeline.assignmentOfShot == .init(3))
        #expect(timeline.assignment(taken: Self.at(300), after: nil, now: Self.at(500)) == .init(2))
        timeline.startOrStop(nil, at: Self.at(600))
        #expect(timeline.running == nil && timeline.assignmentOfShot == .init(nil))
    }
}
