import Foundation
import FrameFastAPI
import SurfaceTestSupport

@testable import FrameFastCLI

/// Sample output of small verbs, with long, wide and right-to-left names.
enum SmallScenes {
    typealias Scene = (name: String, view: any Presentation)

    /// A right-to-left name with combining marks, which have no width.
    static let hebrewName = "מצלמה שְׁנִיָּה של הסטודיו"

    static var shoot: [Scene] {
        [
            (
                "released",
                TriggerView(reply: TriggerReply(triggered: ["studio-a"], refused: []), json: Data())
            ),
            (
                "refused by some",
                TriggerView(
                    reply: TriggerReply(
                        triggered: ["studio-a", EverydayScenes.wideName],
                        refused: [
                            .init(
                                camera: hebrewName,
                                message:
                                    "cannot release the shutter: the camera writes to its card and does not answer"
                            )
                        ]), json: Data())
            ),
            ("none read again", CapturesRetryView(page: .init(captures: []), json: Data())),
            (
                "read again",
                CapturesRetryView(
                    page: .init(captures: [
                        Samples.capture(1, name: EverydayScenes.longFile), Samples.capture(2),
                    ]), json: Data())
            ),
        ]
    }

    static var version: [Scene] {
        [
            (
                "both",
                VersionsView(versions: .init(client: "9.8.7", daemon: "9.8.6", apiVersion: 1), json: Data())
            ),
            (
                "no daemon",
                VersionsView(versions: .init(client: "9.8.7", daemon: nil, apiVersion: nil), json: Data())
            ),
        ]
    }

    static var template: [Scene] {
        [
            (
                "names",
                TemplateNamesView(
                    names: [
                        "Bangkok Wedding/20251121/studio-a-00001.CR3",
                        "Bangkok Wedding, second day, 披露宴/20251121/\(EverydayScenes.wideName)-00002.CR3",
                    ], json: Data())
            )
        ]
    }

    static var cameras: [Scene] {
        [
            ("renamed", CameraDoneView(word: "Renamed", camera: EverydayScenes.cameras[2], json: Data())),
            ("found", DiscoveryView(reply: Samples.discovery, json: Data())),
            (
                "waiting for the owner to accept",
                DiscoveryView(
                    reply: DiscoveryReply(
                        found: [
                            .init(
                                address: "ptpip:10.0.0.7:15740", cameraName: EverydayScenes.wideName,
                                camera: "nikon-z8")
                        ],
                        failures: [.init(kind: .timeout, count: 253)], tried: 254,
                        asking: [.init(address: "ptpip:10.0.0.9:15740", until: EverydayScenes.now)]),
                    json: Data())
            ),
            (
                "nothing found",
                DiscoveryView(
                    reply: DiscoveryReply(
                        found: [], failures: [.init(kind: .timeout, count: 254)], tried: 254,
                        guidance: GuidanceReply(
                            sentence: "No camera answered.", steps: ["Join the camera's Wi-Fi."])),
                    json: Data())
            ),
            ("adopted", StorageAdoptView(disk: EverydayScenes.status[0].reply.disk, json: Data())),
        ]
    }
}
