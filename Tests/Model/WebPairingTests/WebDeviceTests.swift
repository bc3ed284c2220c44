import Foundation
import Identities
import Testing
import Vocabulary
import WebPairing

/// Tests of the time at which a paired device loses access.
@Suite struct WebDeviceTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func device(_ role: WebRole, stopped: Double? = nil, used: Double = 0) -> WebDevice {
        WebDevice(
            id: 1, name: "iPad", role: role, session: role == .owner ? nil : 7,
            sessionStoppedAt: stopped.map { start + $0 }, createdAt: start, lastUsedAt: start + used,
            digest: SecretDigest(of: "token"))
    }

    @Test(arguments: [WebRole.client, .screen])
    func `a session's device loses access 12 hours after the session stopped`(role: WebRole) {
        let hour: Double = 3600
        #expect(!Self.device(role).isExpired(at: Self.start + 1_000 * hour))
        #expect(Self.device(role).expiresAt == nil)
        let device = Self.device(role, stopped: hour)
        #expect(device.expiresAt == Self.start + 13 * hour)
        #expect(!device.isExpired(at: Self.start + 13 * hour - 1))
        #expect(device.isExpired(at: Self.start + 13 * hour))
    }

    @Test func `an owner's device loses access after 30 days without use`() {
        let day: Double = 86_400
        let device = Self.device(.owner, used: 5 * day)
        #expect(!device.isExpired(at: Self.start + 35 * day - 1))
        #expect(device.isExpired(at: Self.start + 35 * day))
    }
}
