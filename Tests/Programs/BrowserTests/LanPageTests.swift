import APIClient
import FrameFastAPI
import TestRig
import Testing

/// Tests of the page in a private network, with TLS. On loopback, browsers treat a page without TLS as
/// secure.
@Suite(
    .serialized, .programs(6), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"),
    .enabled(if: PrivateNetwork.isPossible, "network namespaces need root, ip and python3"))
struct LanPageTests {
    @Test func `a paired tablet has a secure page until it is revoked`() async throws {
        let folder = try ScratchFolder()
        let network = try await PrivateNetwork(folder, host: "10.78.0.1/24", cameras: ["10.78.0.20"])
        let page = try await PageRig(
            folder,
            at: .init(
                listen: "lan:9480", cameraHost: "10.78.0.20", cameraWrapper: network.studioWrapper,
                serviceWrapper: network.hostWrapper))
        _ = try page.rig.client.call(\.sessions.start, .init(name: "Wedding"))
        let browser = try await Browser(folder, wrapper: network.studioWrapper)
        try browser.setSize(.tablet)
        let code = try await page.openCode(.client)
        #expect(code.url == "https://10.78.0.1:9480/#\(code.code)" && code.fingerprint != nil)
        try await page.enterCode(in: browser, code.url)
        try await browser.waitUntilLive()
        let cookies = try browser.cookies()
        #expect(cookies.map(\.name) == ["__Host-framefast"])
        #expect(cookies.allSatisfy { $0.secure && $0.httpOnly && $0.sameSite == "Strict" })
        #expect(try browser.script("return isSecureContext && 'wakeLock' in navigator", as: Bool.self))
        try browser.type("l")
        try await browser.wait(
            for: "the mode that follows", "document.querySelector('.fresh').innerText === 'No photos yet'")
        try await page.shoot(files: 1)
        try await browser.wait(
            for: "the photo in the whole window",
            "document.querySelector('.follow .stage img').alt === 'Photo 1'")
        #expect(try browser.violations() == [])

        let device = try #require(try page.rig.client.call(\.web.devices).value.devices.first)
        _ = try page.rig.client.call(\.web.revoke, device.id)
        try await browser.wait(
            for: "the page without access",
            "document.querySelector('form').innerText.includes('no longer invited')")
        #expect(try browser.request("GET", "/v1/shots").status == 401)
        #expect(try browser.script("return document.querySelector('img') === null", as: Bool.self))
        try await page.stop()
    }
}
