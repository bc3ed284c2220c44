import Foundation
import FrameFastAPI
import SurfaceTestSupport

@testable import FrameFastCLI

/// Sample views of camera groups, with wide and right-to-left names.
enum GroupScenes {
    private static let wide = CameraReference(rawValue: EverydayScenes.wideName)
    private static let hebrew = CameraReference(rawValue: SmallScenes.hebrewName)
    private static let at = Date(timeIntervalSince1970: 1_795_271_130)

    private static func interval(
        _ name: String, _ state: OperationReply.State, missed: [IntervalReply.Photos]
    ) -> IntervalReply {
        .init(
            camera: .init(id: "c0", name: name), state: state, everyMs: 1_000, count: 100, past: 10, shot: 8,
            missed: missed, refused: [], latestMs: 1.6, reason: state == .failed ? "its card is full" : nil)
    }

    static var scenes: [SmallScenes.Scene] {
        [
            ("none", GroupsView(groups: [], json: Data())),
            (
                "groups",
                GroupsView(
                    groups: [
                        .init(name: "ring", cameras: ["c0", wide], away: []),
                        .init(name: "wall", cameras: ["c2", hebrew], away: [hebrew]),
                    ], json: Data())
            ),
            (
                "released",
                GroupShotView(
                    shot: .init(
                        group: "ring", at: at, fired: 1, spreadMs: 1.84, answersSpreadMs: 12.4,
                        cameras: [.init(name: "c0", latenessMs: 0.4, answerMs: 8)],
                        missing: [.init(name: wide.rawValue, reason: "The camera could not focus.")]),
                    json: Data()
                )
            ),
            (
                "interval",
                GroupIntervalView(
                    reply: .init(
                        group: "ring",
                        cameras: [
                            interval("c0", .running, missed: []),
                            interval(wide.rawValue, .failed, missed: [.init(first: 3, last: 4)]),
                        ], missing: [.init(name: hebrew.rawValue, reason: "camera 'c7' is not connected")]),
                    json: Data())
            ),
            (
                "stopped",
                GroupOperationsView(
                    reply: .init(
                        group: "ring",
                        cameras: [
                            .init(
                                camera: .init(id: "c0", name: "c0"),
                                operation: .init(kind: .interval, state: .stopped, done: 8, total: 100)),
                            .init(camera: .init(id: "c1", name: wide.rawValue), operation: nil),
                        ], missing: [.init(name: hebrew.rawValue, reason: "camera 'c7' is not connected")]),
                    json: Data())
            ),
        ]
    }
}
