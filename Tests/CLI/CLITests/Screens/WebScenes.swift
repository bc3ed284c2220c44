import Foundation
import FrameFastAPI
import SurfaceTestSupport

@testable import FrameFastCLI

/// Sample views of codes and devices of the web page.
enum WebScenes {
    private static let now = Date(timeIntervalSince1970: 1_795_271_130)
    private static let livePage = LivePage(url: "https://192.168.1.20:9480/#/status?live=studio-a")

    static var scenes: [SmallScenes.Scene] {
        [
            (
                "code of a client",
                WebCodeView(
                    code: WebCodeReply(
                        url: "https://192.168.1.20:9480/#K7QM-4R2P", code: "K7QM-4R2P", expiresAt: now + 600,
                        uses: 20, role: .client, sessionName: EverydayScenes.wideName,
                        fingerprint: Array(repeating: "5A:0F", count: 16).joined(separator: ":")),
                    json: Data(), now: now)
            ),
            (
                "code of an owner on this computer",
                WebCodeView(
                    code: WebCodeReply(
                        url: "http://127.0.0.1:9480/#0000-1111", code: "0000-1111", expiresAt: now + 59,
                        uses: 1, role: .owner), json: Data(), now: now)
            ),
            (
                "devices",
                WebDevicesView(
                    devices: [
                        WebDeviceReply(
                            id: 1, name: "iPad of Ann", role: .client, sessionName: EverydayScenes.wideName,
                            createdAt: now - 7_200, lastUsedAt: now - 90, isDone: true),
                        WebDeviceReply(
                            id: 2, name: SmallScenes.hebrewName, role: .screen, sessionName: "Wedding",
                            createdAt: now - 7_200, lastUsedAt: now, expiresAt: now + 43_200),
                        WebDeviceReply(
                            id: 13, name: "phone", role: .owner, createdAt: now - 90_000,
                            lastUsedAt: now - 3_600, expiresAt: now + 2_592_000),
                    ], json: Data(), now: now)
            ), ("no devices", WebDevicesView(devices: [], json: Data(), now: now)),
            (
                "live view on the page",
                LivePageView(page: livePage, browser: .opening)
            ), ("live view without a display", LivePageView(page: livePage, browser: .noDisplay)),
            (
                "revoked",
                WebDevicesView(devices: [], revoked: 7, json: Data(), now: now)
            ),
        ]
    }
}
