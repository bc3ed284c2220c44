import Foundation
import FrameFastAPI
import Synchronization
import Testing

@testable import WebServer

/// Who is let in, for how long, and how often.
@Suite struct WebDeskTests {
    /// A desk with a ledger in memory and a clock that a test moves.
    private final class Room: Sendable {
        struct Kept { var device: WebDevice; var token: [UInt8] }
        let kept = Mutex<[String: Kept]>([:])
        let now = Mutex(Date(timeIntervalSince1970: 1_000_000))
        let end = Mutex<Date?>(nil)
        /// Of a device that gave stars.
        let lastNumber = Mutex(0)
        let isFull = Mutex(false)
        let atLook = Mutex<(@Sendable () async -> Void)?>(nil)

        func desk() -> WebDesk {
            WebDesk(
                storage: .init(
                    load: { self.kept.withLock { $0.values.map { ($0.device, $0.token) } } },
                    keep: { device, token in
                        await Task.yield()
                        self.kept.withLock { $0[device.id] = Kept(device: device, token: token) }
                    },
                    remove: { id in
                        if self.isFull.withLock({ $0 }) { throw CocoaError(.fileWriteOutOfSpace) }
                        self.kept.withLock { $0[id] = nil }
                    }, lastNumber: { self.lastNumber.withLock { $0 } }),
                endOfSession: { _ in
                    await self.atLook.withLock { $0 }?()
                    return self.end.withLock { $0 }
                }, now: { self.now.withLock { $0 } })
        }

        func pass(_ hours: Double) { now.withLock { $0 += hours * 3_600 } }
    }

    private func admit(_ desk: WebDesk, _ role: WebDevice.Role, name: String = "Mia") async throws -> (
        WebDevice, String
    ) {
        let session = role == .owner ? nil : SessionID(rawValue: 1)
        let (code, _) = await desk.open(.init(role: role, session: session, uses: 1))
        return try await desk.admit(code: code, name: name, from: "10.0.0.1")
    }

    @Test func `a token opens after a restart, is kept as its hash only, and is no use when it was revoked`()
        async throws
    {
        let room = Room()
        let (device, token) = try await admit(room.desk(), .client)
        #expect(token.count == 64 && room.kept.withLock { $0[device.id]?.token } != Array(token.utf8))
        let after = room.desk()
        #expect(await after.device(token: token) == device)
        for wrong in [token + "0", ""] { #expect(await after.device(token: wrong) == nil) }
        #expect(try await after.revoke(device.id))
        #expect(await after.device(token: token) == nil)
        #expect(room.kept.withLock { $0.isEmpty })
    }

    @Test func `a number is nobody else's later: stars are kept under it`() async throws {
        let room = Room()
        let desk = room.desk()
        let (first, _) = try await admit(desk, .client)
        try await desk.revoke(first.id)
        let (second, _) = try await admit(desk, .client)
        #expect(second.id == "d2")
        try await desk.revoke(second.id)
        room.lastNumber.withLock { $0 = 7 }
        let (third, _) = try await admit(room.desk(), .client)
        #expect(third.id == "d8")
    }

    @Test func `a device that is shut out while it asks stays out`() async throws {
        let room = Room()
        let desk = room.desk()
        let (device, token) = try await admit(desk, .client)
        room.pass(1)
        room.atLook.withLock { $0 = { _ = try? await desk.revoke(device.id) } }
        #expect(await desk.device(token: token) == nil)
        room.atLook.withLock { $0 = nil }
        #expect(await desk.device(token: token) == nil)
        #expect(room.kept.withLock { $0.isEmpty })
    }

    @Test func `a device that cannot be shut out for good is not said to be`() async throws {
        let room = Room()
        let desk = room.desk()
        let (device, token) = try await admit(desk, .client)
        room.isFull.withLock { $0 = true }
        await #expect(throws: CocoaError.self) { try await desk.revoke(device.id) }
        #expect(await desk.device(token: token)?.id == device.id)
        room.isFull.withLock { $0 = false }
        #expect(try await desk.revoke(device.id))
        #expect(await desk.device(token: token) == nil)
    }

    @Test func `many who are let in at a time have a number and a token each`() async throws {
        let room = Room()
        let desk = room.desk()
        let (code, _) = await desk.open(.init(role: .client, session: SessionID(rawValue: 1), uses: 20))
        let tokens = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<20 {
                group.addTask {
                    let (device, token) = try await desk.admit(
                        code: code, name: "n\(number)", from: "10.0.0.\(number)")
                    return (device.id, token)
                }
            }
            return try await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
        }
        #expect(tokens.count == 20)
        for (id, token) in tokens { #expect(await desk.device(token: token)?.id == id) }
    }

    @Test func `a client is good for twelve hours after its session, an owner for thirty days without use`()
        async throws
    {
        let room = Room()
        let desk = room.desk()
        let (_, client) = try await admit(desk, .client)
        let (_, owner) = try await admit(desk, .owner)
        room.pass(24 * 20)
        #expect(await desk.device(token: client) != nil)
        #expect(await desk.device(token: owner) != nil)
        room.end.withLock { $0 = room.now.withLock { $0 } }
        room.pass(11.9)
        #expect(await desk.device(token: client) != nil)
        room.pass(0.2)
        #expect(await desk.device(token: client) == nil)
        #expect(await desk.device(token: owner) != nil)
        room.pass(24 * 31)
        #expect(await desk.device(token: owner) == nil)
    }

    @Test func `sixty ratings and ten comments a minute are enough for a person`() async throws {
        let room = Room()
        let desk = room.desk()
        let (device, _) = try await admit(desk, .client)
        let (other, _) = try await admit(desk, .client, name: "Tom")
        var allowed = 0
        for _ in 0..<80 { if await desk.allow(.rating, device) { allowed += 1 } }
        #expect(allowed == 60)
        #expect(await desk.allow(.rating, other))
        #expect(await desk.allow(.comment, device))
        room.pass(1.0 / 60)
        #expect(await desk.allow(.rating, device))
    }

    @Test func `a stream ends when its device is shut out, and when it opens another`() async throws {
        let room = Room()
        let desk = room.desk()
        let (device, _) = try await admit(desk, .owner)
        let ended = Mutex(0)
        _ = await desk.opened(device) { ended.withLock { $0 += 1 } }
        _ = await desk.opened(device) { ended.withLock { $0 += 10 } }
        #expect(ended.withLock { $0 } == 1)
        try await desk.revoke(device.id)
        #expect(ended.withLock { $0 } == 11)
    }

    @Test func `what a role is told of an event is its own`() {
        var rows = ShotsReply()
        rows.session = [1]
        let time = Date(timeIntervalSince1970: 0)
        func device(_ role: WebDevice.Role, _ session: SessionID?) -> WebDevice {
            WebDevice(id: "d", name: "n", role: role, session: session, pairedAt: time, lastUsedAt: time)
        }
        let shot = EventReply(seq: 1, at: time, body: .shot(rows))
        #expect(WebEvents.shaped(shot, for: device(.client, SessionID(rawValue: 1))) == shot)
        #expect(WebEvents.shaped(shot, for: device(.client, SessionID(rawValue: 2))) == nil)
        #expect(WebEvents.shaped(shot, for: device(.screen, nil)) == nil)
        #expect(WebEvents.shaped(shot, for: device(.owner, nil)) == shot)
        let conditions = EventReply(seq: 2, at: time, body: .conditions([]))
        #expect(WebEvents.shaped(conditions, for: device(.owner, nil)) == conditions)
        #expect(WebEvents.shaped(conditions, for: device(.client, SessionID(rawValue: 1))) == nil)
    }
}
