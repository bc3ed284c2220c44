import Cameras
import FrameFastModel
import Synchronization
import Testing

@Suite struct ConditionBoardTests {
    /// A reader that records the reported conditions.
    private final class RecordingReader: Sendable {
        let reports = Mutex<[[String]]>([])
        func record(_ conditions: [Condition]) { reports.withLock { $0.append(conditions.map(\.code)) } }
    }

    @Test func `sorts conditions by severity and removes cleared ones`() {
        let board = ConditionBoard { _ in }
        board.raise(.configurationNeedsRestart, sentence: "", nextStep: "")
        board.raise(.photoDamaged, subject: .camera("x"), sentence: "", nextStep: "")
        board.raise(.batteryLow, subject: .camera("y"), sentence: "", nextStep: "")
        #expect(board.current.map(\.severity) == [.danger, .warning, .info])
        board.clear(.photoDamaged, subject: .camera("x"))
        board.clear(.photoDamaged)
        #expect(board.current.map(\.kind) == [.batteryLow, .configurationNeedsRestart])
    }

    @Test func `raising a condition again keeps its start time and reports only changes`() throws {
        let reader = RecordingReader()
        let board = ConditionBoard { reader.record($0) }
        board.raise(.destinationAway, subject: .destination("a"), sentence: "one", nextStep: "")
        let since = try #require(board.current.first?.since)
        board.raise(.destinationAway, subject: .destination("a"), sentence: "one", nextStep: "")
        board.raise(.destinationAway, .danger, subject: .destination("a"), sentence: "two", nextStep: "")
        #expect(board.current.first?.since == since)
        #expect(board.current.first?.sentence == "two")
        board.clear(.destinationAway, subject: .destination("a"))
        board.clear(.destinationAway, subject: .destination("a"))
        #expect(reader.reports.withLock { $0 } == [["destination-away"], ["destination-away"], []])
    }

    /// Returns a board with a condition of each kind for the cameras `a` and `b`.
    private func full() -> ConditionBoard {
        let board = ConditionBoard { _ in }
        for kind in ConditionKind.allCases {
            for subject in Self.subjects(kind) {
                board.raise(kind, subject: subject, sentence: "", nextStep: "")
            }
        }
        return board
    }

    @Test func `connecting a camera clears only the conditions that blocked its connection`() {
        let board = full()
        board.clearObstacles(of: "a", except: .held)
        let gone = Set(full().current.map(Self.key)).subtracting(board.current.map(Self.key))
        #expect(gone == Set(ConditionKind.obstacles.filter { $0 != .held }.map { "\($0) a" }))
    }

    @Test func `unplugging keeps only conditions about photos, serial numbers and open shutters`() {
        let board = full()
        board.clearDeparted("a")
        let left = board.current.filter { $0.subject == .camera("a") }.map(\.kind)
        #expect(
            Set(left) == [
                .photoDamaged, .photosLeftInCamera, .tooLargeForLink, .objectSetAside, .linkCorrupts,
                .rereadWaits, .serialShared, .shutterOpen,
            ])
        #expect(
            board.current.count { $0.subject?.text == "b" }
                == full().current.count { $0.subject?.text == "b" })
    }

    @Test func `forgetting a camera clears its conditions and keeps a destination's conditions`() {
        let board = full()
        board.forget(.camera("a"))
        #expect(!board.current.contains { $0.subject == .camera("a") })
        #expect(board.current.contains { $0.subject == .destination("a") })
    }

    private static func subjects(_ kind: ConditionKind) -> [ConditionSubject?] {
        switch kind.subject {
        case .service: [nil]
        case .camera: [.camera("a"), .camera("b")]
        case .destination: [.destination("a"), .destination("b")]
        case .hook: [.hook("a"), .hook("b")]
        case .folder: [.folder("a"), .folder("b")]
        }
    }

    private static func key(_ condition: Condition) -> String {
        "\(condition.kind) \(condition.subject?.text ?? "")"
    }

    @Test func `reports changes from many threads in order`() async {
        let reader = RecordingReader()
        let board = ConditionBoard { reader.record($0) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        board.raise(
                            .batteryLow, subject: .camera(CameraID(rawValue: "\(number)")), sentence: "",
                            nextStep: "")
                        board.clear(.batteryLow, subject: .camera(CameraID(rawValue: "\(number)")))
                    }
                }
            }
        }
        // Each change adds or removes one condition. A larger difference between two successive reports means
        // that the reports are out of order.
        let counts = reader.reports.withLock { $0.map(\.count) }
        #expect(counts.count == 8 * 200 * 2)
        #expect(zip([0] + counts, counts).allSatisfy { abs($0 - $1) == 1 })
        #expect(counts.last == 0)
    }

    @Test func `notifies an observer of a change that the observer made`() {
        let reader = RecordingReader()
        let box = Mutex<ConditionBoard?>(nil)
        let board = ConditionBoard { conditions in
            reader.record(conditions)
            if conditions.contains(where: { $0.kind == .diskFull }) { box.withLock { $0 }?.clear(.diskFull) }
        }
        box.withLock { $0 = board }
        board.raise(.diskFull, sentence: "", nextStep: "")
        #expect(reader.reports.withLock { $0 } == [["disk-full"], []])
    }
}
