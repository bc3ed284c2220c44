import ArgumentParser
import Foundation
import FrameFastAPI
import Synchronization
import Testing

@testable import FrameFastCLI

/// Tests of the address of live view on the web page.
@Suite struct LivePageTests {
    private static let site = "https://192.168.1.20:9480"

    private static func web(
        isOn: Bool = true, url: String? = site, control: Bool = true, roles: [WebRole] = [.client, .owner]
    ) -> WebDevicesReply {
        let devices = roles.enumerated().map { index, role in
            WebDeviceReply(
                id: WebDeviceID(rawValue: Int64(index)), name: "a", role: role, createdAt: .distantPast,
                lastUsedAt: .distantPast)
        }
        return WebDevicesReply(devices: devices, isOn: isOn, url: url, control: control)
    }

    @Test func `the address has the percent-encoded id of the camera`() throws {
        let page = try LivePage(Self.web(), camera: "Studio A&B")
        #expect(page.url == "https://192.168.1.20:9480/#/status?live=Studio%20A%26B")
    }

    @Test(
        arguments: [
            (web(isOn: false, url: nil), .pageOff, "listen"), (web(url: nil), .notServed, "framefast doctor"),
            (web(control: false), .controlOff, "control = true"),
            (web(roles: [.client, .screen]), .noOwner, "framefast web pair --role owner"),
        ] as [(WebDevicesReply, LivePage.Refusal, String)])
    func `a page without live view has a reason and a next step`(
        web: WebDevicesReply, refusal: LivePage.Refusal, step: String
    ) {
        let error = #expect(throws: LivePage.Refusal.self) { try LivePage(web, camera: "a") }
        #expect(error == refusal)
        #expect(refusal.explanation.nextStep?.contains(step) == true)
        #expect(refusal.explanation.message.hasPrefix("cannot open live view: "))
    }

    @Test(
        arguments: [
            ([:], true, .noDisplay, false), (["DISPLAY": ""], true, .noDisplay, false),
            (["DISPLAY": ":0"], true, .opening, true),
            (["WAYLAND_DISPLAY": "wayland-0"], true, .opening, true),
            (["DISPLAY": ":0"], false, .noOpener, true),
        ] as [([String: String], Bool, LivePage.BrowserStart, Bool)])
    func `opens a browser only on a computer with a display`(
        variables: [String: String], isInstalled: Bool, browser: LivePage.BrowserStart, isAsked: Bool
    ) throws {
        let page = try LivePage(Self.web(), camera: "a")
        var started: [[String]] = []
        let result = page.open({ variables[$0] }) { program, arguments in
            started.append([program] + arguments)
            return isInstalled
        }
        #expect(result == browser)
        #expect(started == (isAsked ? [["xdg-open", page.url]] : []))
    }

    @Test func `prints the address in plain text and as JSON`() throws {
        let view = LivePageView(page: try LivePage(Self.web(), camera: "a"), browser: .noDisplay)
        #expect(view.plain() == ["page: \(Self.site)/#/status?live=a"])
        #expect(String(decoding: view.json, as: UTF8.self).contains(#""url":"#))
    }

    @Test(arguments: [
        ["--open", "--mjpeg"], ["--open", "--save", "a.jpg"], ["--save", "a.jpg", "--mjpeg"],
        ["--open", "--rate", "5"], ["--open", "--size", "small"],
    ])
    func `live rejects options that cannot be combined`(options: [String]) {
        #expect(throws: (any Error).self) { try LiveVerb.parse(["studio-a"] + options) }
    }

    @Test func `live accepts the option to open the page`() throws {
        #expect(try LiveVerb.parse(["studio-a", "--open"]).open)
    }
}
