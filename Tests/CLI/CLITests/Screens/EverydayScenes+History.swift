import Foundation
import FrameFastAPI

@testable import FrameFastCLI

/// What happened to photos: on a good day, on a bad one, and to one that nobody remembers.
extension EverydayScenes {
    static var history: [(name: String, view: any Presentation)] {
        var photo = captures.captures[0]
        (photo.state, photo.sha256) = (.delivered, String(repeating: "9f", count: 32))
        let page = HistoryReply(steps: bad)
        return [
            ("a photo", CaptureHistoryView(history: .init(capture: photo, steps: bad), json: Data())),
            ("nothing known", CaptureHistoryView(history: .init(capture: photo, steps: []), json: Data())),
            ("all photos", AuditView(page: page, isEmpty: false, json: Data())),
            ("no photos", AuditView(page: .init(steps: []), isEmpty: true, json: Data())),
        ]
    }

    private static let bad: [HistoryStepReply] = [
        step(1, .seen, bytes: 51_200_000),
        step(2, .readFailed, detail: "The camera gave no data for 30 s."),
        step(3, .saved, seconds: 1.06, bytes: 51_200_000, outcome: "awaiting_reread"),
        step(4, .held, to: "nas", outcome: "jpeg-first"),
        step(5, .rated, outcome: "5 picked", detail: "This one.", by: "device Anna\u{2019}s iPad"),
        step(6, .released, to: "nas"),
        step(7, .upload, to: "nas", seconds: 61, outcome: "retrying", detail: "The server is away."),
        step(8, .upload, to: "nas", seconds: 4, outcome: "queued"),
        step(9, .upload, to: "nas", seconds: 1, outcome: "refused", detail: "There is no room."),
        step(10, .upload, to: "nas", seconds: 2, outcome: "failed", detail: "The disk there is full."),
        step(11, .retried, to: "nas", by: "uid 0"),
        step(12, .verified, outcome: "reread"),
        step(
            13, .upload, to: "nas", seconds: 12.5, bytes: 51_200_000, outcome: "delivered",
            detail: "checksum: sha-256 9f9f9f"),
        step(14, .deletedOnCamera), step(15, .cleared, bytes: 51_200_000),
        step(16, .init(rawValue: "a_later_word")),
    ]

    private static func step(
        _ id: HistoryStepID, _ kind: HistoryStepReply.Kind, to destination: DestinationName? = nil,
        seconds: Double? = nil, bytes: Int64? = nil, outcome: String? = nil, detail: String? = nil,
        by: String? = nil
    ) -> HistoryStepReply {
        let speed = seconds.flatMap { seconds in bytes.map { Double($0) / seconds } }
        return HistoryStepReply(
            id: id, capture: 8, originalName: "IMG_0008.CR3",
            path: "/srv/photos/Bangkok Wedding/IMG_0008.CR3",
            cameraName: "left", at: now.addingTimeInterval(Double(id.rawValue)), kind: kind,
            destination: destination, seconds: seconds, bytes: bytes, bytesPerSecond: speed, outcome: outcome,
            detail: detail, by: by)
    }
}
