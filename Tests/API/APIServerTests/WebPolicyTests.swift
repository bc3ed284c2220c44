import Foundation
import FrameFastAPI
import Testing
import WebPairing

@testable import APIServer

/// Tests of the endpoints that each role may use on the web page.
@Suite struct WebPolicyTests {
    private static func device(_ role: WebRole, session: SessionID? = 7, isDone: Bool = false) -> WebDevice {
        WebDevice(
            id: 1, name: "iPad", role: role, session: role == .owner ? nil : session, createdAt: .distantPast,
            doneAt: isDone ? .distantPast : nil, digest: SecretDigest(of: "token"))
    }

    private static func allows(_ policy: WebPolicy, _ role: WebRole, _ endpoint: String) -> Bool {
        do throws(ControlError) {
            try policy.check(device(role), uses: endpoint)
            return true
        } catch { return false }
    }

    /// The roles that may use an endpoint: o for owner, c for client, s for screen. `usual` is for the
    /// default policy, and `open` is for a policy with control and originals.
    @Test(
        arguments: [
            ("shotsList", "ocs", "ocs"), ("shotsGet", "ocs", "ocs"), ("serviceEvents", "ocs", "ocs"),
            ("shotsThumbnail", "ocs", "ocs"), ("shotsScreen", "ocs", "ocs"), ("shotsHistogram", "ocs", "ocs"),
            ("shotsRate", "oc", "oc"), ("shotsFull", "o", "oc"), ("serviceStatus", "o", "o"),
            ("serviceConditions", "o", "o"), ("capturesList", "o", "o"), ("destinationsList", "o", "o"),
            ("camerasTrigger", "", "o"), ("camerasLivePictures", "", "o"), ("sessionsStart", "", "o"),
            ("uploadsSetMode", "", "o"), ("uploadsDrop", "", ""), ("storageClear", "", ""),
            ("camerasForget", "", ""), ("webPair", "", ""), ("webDevices", "", ""), ("webRevoke", "", ""),
            ("presetsRemove", "", ""), ("noSuchEndpoint", "", ""),
        ])
    func `allows each endpoint only to its roles`(endpoint: String, usual: String, open: String) {
        for (policy, roles) in [
            (WebPolicy(), usual), (WebPolicy(allowsControl: true, givesOriginals: true), open),
        ] {
            for (role, letter) in [(WebRole.owner, "o"), (.client, "c"), (.screen, "s")] {
                #expect(Self.allows(policy, role, endpoint) == roles.contains(letter), "\(role)")
            }
        }
    }

    @Test func `a client with final ratings can see photos but cannot rate them`() {
        let done = Self.device(.client, isDone: true)
        let error = #expect(throws: ControlError.self) { try WebPolicy().check(done, uses: "shotsRate") }
        #expect(error?.code == .conflict)
        #expect(throws: Never.self) { try WebPolicy().check(done, uses: "shotsList") }
    }

    @Test func `the error for an owner names the key that turns control on`() {
        let error = #expect(throws: ControlError.self) {
            try WebPolicy().check(Self.device(.owner), uses: "camerasTrigger")
        }
        #expect(error?.code == .forbidden && error?.nextStep?.contains("control = true in [web]") == true)
    }

    @Test func `limits clients and screens to their session`() {
        let policy = WebPolicy()
        #expect(policy.sessionLimit(of: Self.device(.owner)) == nil)
        #expect(policy.sessionLimit(of: Self.device(.client)) == 7)
        #expect(policy.sessionLimit(of: Self.device(.screen)) == 7)
        // A device whose session is missing sees no shots. It must not see the shots of all sessions.
        #expect(policy.sessionLimit(of: Self.device(.client, session: nil)) == -1)
    }

    /// With a misspelled name, the policy would refuse a request of the page.
    @Test func `the policy names only endpoints that exist`() {
        let names = WebPolicy(allowsControl: true, givesOriginals: true).names(for: .owner)
        let known = Set(Endpoints.rows.map(\.name))
        #expect(names.subtracting(known) == [])
    }
}
