import APIClient
import FrameFastAPI
import TestRig
import Testing

/// An attack on the page: by another page in the same browser, by a device, or by the content of
/// photos.
enum PageAttack: String, CaseIterable, CustomTestStringConvertible {
    case otherPageStreams = "event stream and WebSocket of another page"
    case otherPageRequests = "requests of another page"
    case otherPageForm = "form of another page"
    case frame = "frame in another page"
    case otherSession = "pictures of another session"
    case ownerRoutes = "owner's routes with a client's cookie"
    case pathsOutside = "paths outside the page"
    case usedCode = "used code"
    case guessedCodes = "guessed codes"
    case largeHeaders = "headers that are too large"
    case scriptsInTexts = "scripts in names and comments"
    case hostilePictures = "hostile pictures"
    case manyConnections = "300 connections"

    var testDescription: String { rawValue }

    /// The role of the paired browser: the role for which the attack would have more effect.
    var role: WebRole {
        switch self {
        case .otherPageRequests, .otherSession, .ownerRoutes: .client
        default: .owner
        }
    }

    /// Additional arguments of the camera.
    var camera: [String] { self == .scriptsInTexts ? ["--model", Browser.foreignContent] : [] }

    /// The name of the running session.
    var session: String { self == .scriptsInTexts ? Browser.foreignContent : "Wedding" }
}

/// A page with a photo in each of two sessions, a paired browser, and another page.
final class AttackRig {
    let page: PageRig
    let browser: Browser
    let other: OtherPage
    /// The shot of the running session.
    let shot: ShotID
    /// The ended session.
    let earlierSession: SessionID
    /// The shot of the ended session.
    let earlierShot: ShotID
    /// Programs that run until the end of the test.
    var attackers: [RunningProgram] = []
    private let role: WebRole
    /// The number of all saved files. Each shot has one file.
    private var files = 2

    /// The number of photos in the running session.
    var tiles: Int { files - 1 }

    /// A name that resolves to 127.0.0.1, but is another site. Its requests do not have the page's cookie.
    static let otherSite = "evil.test"
    /// The hosts of the other page: the page's own host, and another site.
    static let otherHosts = ["127.0.0.1", otherSite]

    /// Starts the service, takes the photos and pairs the browser.
    init(for attack: PageAttack) async throws {
        let page = try await PageRig(capture: ["template = \"{original}.{ext}\""], camera: attack.camera)
        let earlier = try page.rig.client.call(\.sessions.start, .init(name: "Earlier")).value
        try await page.shoot(files: 1)
        _ = try page.rig.client.call(\.sessions.start, .init(name: attack.session))
        let records = try await page.shoot(files: 2)
        let other = try await OtherPage()
        let browser = try await Browser(
            page.folder, ["--host-resolver-rules=MAP \(Self.otherSite) 127.0.0.1"])
        try await page.pair(browser, as: attack.role)
        try await browser.waitForTiles(1)
        (self.page, self.browser, self.other, role) = (page, browser, other, attack.role)
        earlierSession = earlier.id
        earlierShot = try #require(records.first?.shotID)
        shot = try #require(records.last?.shotID)
    }

    /// Takes a photo in the running session, and returns its shot.
    @discardableResult
    func shoot() async throws -> ShotID {
        files += 1
        return try #require(try await page.shoot(files: files).last?.shotID)
    }

    /// Checks that the attack changed nothing, and that the page still receives new photos.
    func checkPage() async throws {
        for id in [shot, earlierShot] {
            let opinions = try page.rig.client.call(\.shots.get, id).value.opinions
            #expect(opinions.allSatisfy { $0.stars != Self.stars }, "\(opinions)")
        }
        let devices = try page.rig.client.call(\.web.devices).value.devices
        #expect(devices.map(\.role) == [role] && devices.map(\.isDone) == [false])
        try browser.open(page.url + "/")
        try await browser.waitUntilLive()
        try await shoot()
        try await browser.waitForTiles(tiles)
    }

    /// The stars of a forged rating.
    static let stars = 5
}
