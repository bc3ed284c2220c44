import Foundation
import FrameFastAPI
import FrameFastSystem
import Logging
import Synchronization
import Testing
import WebPairing

@testable import APIServer

/// Tests of pairing, recognizing and revoking devices.
@Suite struct WebAccessTests {
    /// An in-memory store of devices, and a clock that the test sets.
    private final class Fixture: Sendable {
        struct State {
            var rows: [WebDeviceID: WebDevice] = [:]
            var seconds = 0.0
            var updates = 0
            var isFailing = false
            var voided: [Bool] = []
            var ended: [WebDeviceID] = []
        }

        struct Failure: Error {}

        let state = Mutex(State())
        static let start = Date(timeIntervalSince1970: 1_800_000_000)

        var clock: HostClock {
            var clock = HostClock.system
            clock.now = { [self] in Self.start + state.withLock(\.seconds) }
            clock.uptime = { [self] in state.withLock(\.seconds) }
            return clock
        }

        var storage: WebAccess.Storage {
            .init(
                load: { [self] in state.withLock { Array($0.rows.values) } },
                add: { [self] device in
                    try state.withLock { state in
                        guard !state.isFailing else { throw Failure() }
                        var device = device
                        device.id = WebDeviceID(rawValue: Int64(state.rows.count + 1))
                        state.rows[device.id] = device
                        return device
                    }
                },
                update: { [self] device in
                    try state.withLock { state in
                        guard !state.isFailing else { throw Failure() }
                        state.rows[device.id] = device
                        state.updates += 1
                    }
                },
                remove: { [self] ids in
                    try state.withLock { state in
                        guard !state.isFailing else { throw Failure() }
                        for id in ids { state.rows[id] = nil }
                    }
                })
        }

        func access() async throws -> WebAccess {
            try await access(storage)
        }

        func access(_ storage: WebAccess.Storage) async throws -> WebAccess {
            let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let access = WebAccess(storage: storage, clock: clock, logger: silence) { [self] isVoided in
                state.withLock { $0.voided.append(isVoided) }
            }
            try await access.load()
            await access.addEndHandler { [self] id in state.withLock { $0.ended.append(id) } }
            return access
        }

        func advance(_ seconds: Double) { state.withLock { $0.seconds += seconds } }
    }

    private let fixture = Fixture()

    /// Pairs a device and returns it with its token.
    private func pair(
        _ access: WebAccess, _ role: WebRole = .client, session: SessionID? = 7, name: String = "iPad"
    ) async throws -> (device: WebDevice, token: String) {
        let grant = PairingGrant(role: role, session: role == .owner ? nil : session)
        let open = try #require(await access.openCode(for: grant, uses: 1))
        let pairing = try await access.pair(code: open.code.text, name: name, from: "10.0.0.2")
        guard case .paired(let device, let token) = pairing else {
            throw Fixture.Failure()
        }
        return (device, token.text)
    }

    @Test func `a paired device is recognized by its token, also after a restart`() async throws {
        let access = try await fixture.access()
        let (device, token) = try await pair(access)
        #expect(device.role == .client && device.session == 7 && device.name == "iPad")
        #expect(await access.device(forToken: token) == device)
        #expect(await access.device(forToken: String(token.reversed())) == nil)
        #expect(await access.device(forToken: "") == nil)
        let restarted = try await fixture.access()
        #expect(await restarted.device(forToken: token) == device)
        #expect(await restarted.devices() == [device])
    }

    @Test func `adds a number to a device's name if the name is used`() async throws {
        let access = try await fixture.access()
        for name in ["iPad", "iPad 2", "iPad 3"] {
            #expect(try await pair(access).device.name == name)
        }
        let long = String(repeating: "x", count: WebDevice.nameLengthMax)
        #expect(try await pair(access, name: long).device.name == long)
        let second = try await pair(access, name: long).device.name
        #expect(second == String(long.dropLast(2)) + " 2" && second.count == WebDevice.nameLengthMax)
        _ = try await access.revoke(1)
        #expect(try await pair(access).device.name == "iPad")
    }

    @Test func `two devices get different codes and tokens`() async throws {
        let access = try await fixture.access()
        let first = try #require(await access.openCode(for: .init(role: .owner), uses: 1))
        let second = try #require(await access.openCode(for: .init(role: .owner), uses: 1))
        #expect(first.code != second.code && first.expiresAt == Fixture.start + 600)
        let tokens = [try await pair(access).token, try await pair(access).token]
        #expect(tokens[0] != tokens[1])
    }

    @Test func `a revoked device is refused at once and its streams end`() async throws {
        let access = try await fixture.access()
        let (device, token) = try await pair(access)
        #expect(try await access.revoke(device.id) == device)
        #expect(await access.device(forToken: token) == nil)
        #expect(await access.device(device.id) == nil)
        #expect(fixture.state.withLock(\.ended) == [device.id])
        #expect(try await access.revoke(device.id) == nil)
        let restarted = try await fixture.access()
        #expect(await restarted.device(forToken: token) == nil)
    }

    @Test func `a revoked device is refused at once, even if the ledger fails`() async throws {
        let access = try await fixture.access()
        let (device, token) = try await pair(access)
        fixture.state.withLock { $0.isFailing = true }
        for _ in 1...2 {
            await #expect(throws: Fixture.Failure.self) { _ = try await access.revoke(device.id) }
            #expect(await access.device(forToken: token) == nil)
            #expect(await access.devices() == [])
        }
        fixture.state.withLock { $0.isFailing = false }
        #expect(try await access.revoke(device.id) == device)
        #expect(try await access.revoke(device.id) == nil)
        #expect(fixture.state.withLock(\.ended) == [device.id])
        let restarted = try await fixture.access()
        #expect(await restarted.device(forToken: token) == nil)
    }

    @Test func `removes revoked and expired devices from the ledger after the ledger failed`() async throws {
        let access = try await fixture.access()
        let (revoked, _) = try await pair(access, .owner)
        let (expired, _) = try await pair(access)
        await access.sessionStopped(7, at: Fixture.start)
        fixture.advance(WebDevice.secondsAfterSession)
        fixture.state.withLock { $0.isFailing = true }
        await #expect(throws: Fixture.Failure.self) { _ = try await access.revoke(revoked.id) }
        await #expect(throws: Fixture.Failure.self) { try await access.removeEndedDevices() }
        #expect(fixture.state.withLock(\.rows.count) == 2)
        fixture.state.withLock { $0.isFailing = false }
        try await access.removeEndedDevices()
        #expect(fixture.state.withLock(\.rows.count) == 0)
        #expect(fixture.state.withLock(\.ended) == [revoked.id, expired.id])
    }

    @Test func `refuses a used code after the ledger failed to store its device`() async throws {
        let access = try await fixture.access()
        let open = try #require(await access.openCode(for: .init(role: .owner), uses: 1))
        fixture.state.withLock { $0.isFailing = true }
        await #expect(throws: Fixture.Failure.self) {
            _ = try await access.pair(code: open.code.text, name: "x", from: "a")
        }
        fixture.state.withLock { $0.isFailing = false }
        guard case .refused = try await access.pair(code: open.code.text, name: "x", from: "a") else {
            Issue.record("the used code was accepted again")
            return
        }
    }

    @Test func `a session's end revokes codes at once and devices after 12 hours`() async throws {
        let access = try await fixture.access()
        let (client, token) = try await pair(access)
        let (owner, ownerToken) = try await pair(access, .owner)
        let open = try #require(await access.openCode(for: .init(role: .client, session: 7), uses: 9))
        await access.sessionStopped(7, at: Fixture.start)
        guard case .refused = try await access.pair(code: open.code.text, name: "x", from: "a") else {
            Issue.record("the code of a stopped session was accepted")
            return
        }
        fixture.advance(12 * 3600 - 1)
        #expect(await access.device(forToken: token)?.id == client.id)
        fixture.advance(1)
        #expect(await access.device(forToken: token) == nil)
        #expect(await access.devices().map(\.id) == [owner.id])
        try await access.removeEndedDevices()
        #expect(fixture.state.withLock(\.ended) == [client.id])
        #expect(fixture.state.withLock { Array($0.rows.keys) } == [owner.id])
        #expect(await access.device(forToken: ownerToken)?.id == owner.id)
    }

    @Test func `stores the use of a device once an hour`() async throws {
        let access = try await fixture.access()
        let (device, token) = try await pair(access, .owner)
        for _ in 0..<6 {
            fixture.advance(900)
            #expect(await access.device(forToken: token)?.id == device.id)
        }
        #expect(fixture.state.withLock(\.updates) == 1)
        fixture.advance(WebDevice.unusedSecondsMax - 1_801)
        #expect(await access.device(forToken: token) != nil)
    }

    @Test func `final ratings are still final after a restart`() async throws {
        let access = try await fixture.access()
        let (device, token) = try await pair(access)
        #expect(try await access.finish(device.id)?.isDone == true)
        #expect(await access.device(forToken: token)?.isDone == true)
        let restarted = try await fixture.access()
        #expect(await restarted.device(forToken: token)?.isDone == true)
        #expect(try await access.finish(99) == nil)
    }

    @Test func `reports voided codes until a new code is open`() async throws {
        let access = try await fixture.access()
        _ = await access.openCode(for: .init(role: .owner), uses: 1)
        for index in 0..<PairingCodes.failuresMax {
            _ = try await access.pair(code: "0000-0000", name: "x", from: "\(index)")
        }
        #expect(fixture.state.withLock(\.voided) == [false, true])
        _ = await access.openCode(for: .init(role: .owner), uses: 1)
        #expect(fixture.state.withLock(\.voided).last == false)
    }

    /// Stores devices of owners.
    private func store(devices count: Int) {
        fixture.state.withLock { state in
            for number in 1...count {
                let id = WebDeviceID(rawValue: Int64(number))
                state.rows[id] = WebDevice(
                    id: id, name: "d", role: .owner, createdAt: Fixture.start,
                    digest: SecretDigest(of: "\(number)"))
            }
        }
    }

    @Test func `the limit of 200 devices includes devices that are being stored`() async throws {
        store(devices: WebAccess.devicesMax - 1)
        let (started, start) = AsyncStream<Void>.makeStream()
        let isFirst = Mutex(true)
        let release = AsyncResult<Bool>()
        var storage = fixture.storage
        let add = storage.add
        storage.add = { device in
            let mustWait = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if mustWait {
                start.yield()
                _ = await release.wait()
            }
            return try await add(device)
        }
        let access = try await fixture.access(storage)
        let code = try #require(await access.openCode(for: .init(role: .owner), uses: 9)).code.text
        async let first = access.pair(code: code, name: "x", from: "a")
        for await _ in started { break }
        let second = try await access.pair(code: code, name: "y", from: "b")
        release.set(true)
        guard case .paired = try await first, case .full = second else {
            Issue.record("the limit of devices was not exact")
            return
        }
    }

    @Test func `refuses a new device while 200 devices are paired`() async throws {
        store(devices: WebAccess.devicesMax)
        let access = try await fixture.access()
        let open = try #require(await access.openCode(for: .init(role: .owner), uses: 1))
        guard case .full = try await access.pair(code: open.code.text, name: "x", from: "a") else {
            Issue.record("the 201st device was paired")
            return
        }
        _ = try await access.revoke(1)
        guard case .paired = try await access.pair(code: open.code.text, name: "x", from: "a") else {
            Issue.record("the code was spent while no device could be paired")
            return
        }
    }
}
