import Foundation
import FrameFastModel
import Testing

@testable import UploadEngine

@Suite struct LeftoverQueueTests {
    static let now = Date(timeIntervalSince1970: 1_795_271_130)

    static func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

    static func leftover(_ id: JobID, resumePoint: String? = nil) throws -> UploadLeftover {
        var job = UploadJob(
            id: id, captureID: 1, destination: "nas", state: .failed, remoteName: "a.jpg", sessionID: 1,
            bodyID: "a", bytes: 10, createdAt: now)
        job.claimedAt = now
        job.resumePoint = resumePoint
        return try #require(UploadLeftover(job, sha256: "00"))
    }

    /// Creates a queue with the leftovers of these jobs. They are due now.
    static func queue(_ ids: [JobID]) throws -> LeftoverQueue {
        var queue = LeftoverQueue()
        for id in ids { queue.add(try leftover(id), at: now) }
        return queue
    }

    @Test func `doubles the deletion pause after each failure, up to five minutes`() throws {
        var queue = try Self.queue([1])
        var pauses: [Double] = []
        var time = Self.now
        for _ in 0..<8 {
            let due = try #require(queue.nextTry(at: time))
            pauses.append(due.timeIntervalSince(time))
            time = due
            _ = queue.beginRound(at: time)
            queue.endRound(at: time)
        }
        #expect(pauses == [0, 30, 60, 120, 240, 300, 300, 300])
    }

    @Test func `keeps a leftover with its resume point for each photo version`() throws {
        var queue = try Self.queue([1])
        var edited = try Self.leftover(1)
        edited.sha256 = "ff"
        queue.add(edited, at: Self.now)
        let isKnown = queue.update("half", of: 1, sha256: "ff", at: Self.now)
        let isUnknown = !queue.update("third", of: 1, sha256: "11", at: Self.now)
        #expect(isKnown && isUnknown)
        #expect(queue.all.map(\.sha256) == ["00", "ff"])
        #expect(queue.all.map(\.resumePoint) == [nil, "half"])
    }

    @Test func `waits for the next try and for the end of a round`() throws {
        var queue = try Self.queue([1])
        #expect(queue.wait(at: Self.now, canTry: true, longest: 900) == 0)
        for leftover in queue.beginRound(at: Self.now) { _ = queue.recordRefusal(leftover) }
        queue.endRound(at: Self.now)
        #expect(queue.wait(at: Self.now, canTry: true, longest: 90_000) == 3_600)
        #expect(queue.wait(at: Self.now, canTry: true, longest: 900) == 900)
        // The refused deletion is due, but another round is still running.
        #expect(queue.wait(at: Self.after(4_000), canTry: false, longest: 900) == 900)
        #expect(queue.wait(at: Self.after(4_000), canTry: true, longest: 900) == 0)
    }

    @Test func `restarts with the shortest pause after a successful deletion`() throws {
        var queue = try Self.queue([1, 2])
        for _ in 0..<4 {
            _ = queue.beginRound(at: Self.now)
            queue.endRound(at: Self.now)
        }
        let first = try #require(queue.beginRound(at: Self.now).first)
        queue.remove(first)
        queue.endRound(at: Self.now)
        #expect(queue.nextTry(at: Self.now) == Self.after(30))
    }

    @Test(
        arguments: [
            // Each row has the time at which the destination works and the time of the next deletion. Both
            // are in seconds after the last round.
            (0, 30), (10, 30), (31, 31), (200, 200), (299, 299),
        ] as [(Double, Double)])
    func `a working destination makes a deletion due, at least 30 seconds after the last round`(
        seconds: Double, next: Double
    ) throws {
        var queue = try Self.queue([1])
        for _ in 0..<6 {
            _ = queue.beginRound(at: Self.now)
            queue.endRound(at: Self.now)
        }
        queue.recordReachableDestination(at: Self.after(seconds))
        #expect(queue.nextTry(at: Self.after(seconds)) == Self.after(next))
    }

    @Test func `retries a refused deletion after an hour`() throws {
        var queue = try Self.queue([1, 2])
        let round = queue.beginRound(at: Self.now)
        #expect(round.map(\.job) == [1, 2])
        let isNew = queue.recordRefusal(round[0])
        queue.endRound(at: Self.now)
        #expect(isNew)
        #expect(queue.all.map(\.job) == [1, 2])
        let soon = queue.beginRound(at: Self.after(30))
        #expect(soon.map(\.job) == [2], "only the leftover without a refusal is tried")
        queue.remove(soon[0])
        queue.endRound(at: Self.after(30))
        queue.recordReachableDestination(at: Self.after(100))
        #expect(queue.nextTry(at: Self.after(100)) == Self.after(3600))
        let late = queue.beginRound(at: Self.after(3600))
        #expect(late.map(\.job) == [1])
        let isNewAgain = queue.recordRefusal(late[0])
        queue.endRound(at: Self.after(3600))
        #expect(!isNewAgain)
        #expect(queue.nextTry(at: Self.after(3600)) == Self.after(7200))
    }

    @Test func `retries a refused deletion when the destination is resumed`() throws {
        var queue = try Self.queue([1])
        let round = queue.beginRound(at: Self.now)
        _ = queue.recordRefusal(round[0])
        queue.endRound(at: Self.now)
        queue.retryAll(at: Self.after(5))
        #expect(queue.nextTry(at: Self.after(5)) == Self.after(5))
        let again = queue.beginRound(at: Self.after(5))
        #expect(again.map(\.job) == [1])
    }

    @Test func `retries a refused deletion after its upload's attempt ended`() throws {
        var queue = try Self.queue([1, 2])
        let round = queue.beginRound(at: Self.now)
        for leftover in round { _ = queue.recordRefusal(leftover) }
        queue.endRound(at: Self.now)
        let isKnown = queue.recordEndedAttempts([2], at: Self.after(5))
        #expect(isKnown)
        let again = queue.beginRound(at: Self.after(5))
        #expect(again.map(\.job) == [2])
    }

    @Test func `empty rounds and new leftovers do not extend the pause`() throws {
        var queue = try Self.queue([1])
        for _ in 0..<6 {
            _ = queue.beginRound(at: Self.now)
            queue.endRound(at: Self.now, hasTried: false)
        }
        #expect(queue.nextTry(at: Self.now) == Self.after(30))
        for _ in 0..<6 {
            _ = queue.beginRound(at: Self.now)
            queue.endRound(at: Self.now)
        }
        #expect(queue.nextTry(at: Self.now) == Self.after(300))
        queue.add(try #require(queue.all.first), at: Self.now)
        _ = queue.beginRound(at: Self.now)
        queue.endRound(at: Self.now)
        #expect(queue.nextTry(at: Self.now) == Self.after(30))
    }

    @Test func `after a refusal of every request, all leftovers wait for an hour`() throws {
        var queue = try Self.queue([1, 2, 3])
        let round = queue.beginRound(at: Self.now)
        _ = queue.recordRefusal(round[0])
        queue.recordRefusalOfAll()
        queue.endRound(at: Self.now)
        #expect(queue.all.count == 3)
        #expect(queue.nextTry(at: Self.now) == Self.after(3600))
    }

    @Test func `retries a refused leftover immediately after a new resume point`() throws {
        var queue = try Self.queue([1])
        let round = queue.beginRound(at: Self.now)
        _ = queue.recordRefusal(round[0])
        queue.endRound(at: Self.now)
        let isKnown = queue.update("half", of: 1, sha256: "00", at: Self.after(5))
        let isUnknown = !queue.update("half", of: 9, sha256: "00", at: Self.after(5))
        #expect(isKnown && isUnknown)
        queue.remove(round[0])
        #expect(queue.all.map(\.resumePoint) == ["half"], "the leftover has a newer resume point")
        let again = queue.beginRound(at: Self.after(5))
        #expect(again.map(\.resumePoint) == ["half"])
    }

    @Test func `a deletion is due after the clock was set back`() throws {
        var queue = try Self.queue([1, 2])
        let round = queue.beginRound(at: Self.now)
        _ = queue.recordRefusal(round[0])
        queue.endRound(at: Self.now)
        let earlier = Self.after(-31_536_000)
        #expect(queue.nextTry(at: earlier) == earlier)
        let tried = queue.beginRound(at: earlier)
        #expect(tried.map(\.job) == [1, 2])
    }
}
