import Foundation
import FrameFastModel
import Store
import TestRig
import Testing
import WebPairing

/// Tests of the web page's devices in the ledger.
@Suite struct WebDeviceRecordTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)

    private let scratch: ScratchFolder
    private let ledger: LedgerStore

    init() throws {
        scratch = try ScratchFolder()
        ledger = try LedgerStore(path: scratch.path("ledger.sqlite"))
    }

    private func device(_ role: WebRole, session: SessionID? = nil, token: String = "t") -> WebDevice {
        WebDevice(
            id: 0, name: "iPad", role: role, session: session, createdAt: Self.now,
            digest: SecretDigest(of: token))
    }

    @Test func `a stored device has its session's name and stop time`() async throws {
        let session = try await ledger.startSession(name: "Wedding", at: Self.now)
        let client = try await ledger.addWebDevice(device(.client, session: session.id))
        #expect(client.id == 1 && client.sessionName == "Wedding" && client.sessionStoppedAt == nil)
        #expect(try await ledger.webDevices() == [client])
        _ = try await ledger.stopSession(at: Self.now + 60)
        let stored = try #require(try await ledger.webDevices().first)
        #expect(stored.sessionStoppedAt == Self.now + 60)
        #expect(stored.expiresAt == Self.now + 60 + WebDevice.secondsAfterSession)
    }

    @Test func `stores when a device was last used and when its ratings were final`() async throws {
        var owner = try await ledger.addWebDevice(device(.owner))
        owner.lastUsedAt = Self.now + 3_600
        owner.doneAt = Self.now + 7_200
        try await ledger.updateWebDevice(owner)
        #expect(try await ledger.webDevices() == [owner])
        let reopened = try LedgerStore(path: scratch.path("ledger.sqlite"))
        #expect(try await reopened.webDevices() == [owner])
    }

    @Test func `a removed device does not return when its use is stored later`() async throws {
        let first = try await ledger.addWebDevice(device(.owner, token: "1"))
        let second = try await ledger.addWebDevice(device(.owner, token: "2"))
        try await ledger.removeWebDevices([first.id])
        try await ledger.updateWebDevice(first)
        #expect(try await ledger.webDevices() == [second])
        // The opinions of a removed device stay, so a new device never gets its number.
        try await ledger.removeWebDevices([second.id])
        #expect(try await ledger.addWebDevice(device(.owner, token: "3")).id == 3)
    }

    @Test func `refuses a device with a known token or an unknown session`() async throws {
        _ = try await ledger.addWebDevice(device(.owner))
        await #expect(throws: (any Error).self) { _ = try await ledger.addWebDevice(device(.owner)) }
        await #expect(throws: (any Error).self) {
            _ = try await ledger.addWebDevice(device(.client, session: 99, token: "other"))
        }
        #expect(try await ledger.webDevices().count == 1)
    }

    @Test func `the ledger contains no token`() async throws {
        let token = DeviceToken { 0x1234_5678_9ABC_DEF0 }
        _ = try await ledger.addWebDevice(device(.owner, token: token.text))
        try await ledger.waitForWriter()
        for end in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: scratch.path("ledger.sqlite\(end)")))
            #expect(bytes.range(of: Data(token.text.utf8)) == nil)
        }
        #expect(try await ledger.webDevices().map(\.digest) == [token.digest])
    }
}
