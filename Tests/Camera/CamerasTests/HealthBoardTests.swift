import Cameras
import FrameFastModel
import Synchronization
import Testing

@Suite struct HealthBoardTests {
    /// Keeps what the board told.
    private final class RecordingReader: Sendable {
        let told = Mutex<[[String]]>([])
        func tell(_ conditions: [Condition]) { told.withLock { $0.append(conditions.map(\.code)) } }
    }

    @Test func `the worst stands first, and what is cleared is gone`() {
        let board = HealthBoard { _ in }
        board.raise(.configurationNeedsRestart, sentence: "", nextStep: "")
        board.raise(.photoDamaged, subject: .camera("x"), sentence: "", nextStep: "")
        board.raise(.batteryLow, subject: .camera("y"), sentence: "", nextStep: "")
        #expect(board.current.map(\.severity) == [.danger, .warning, .info])
        board.clear(.photoDamaged, subject: .camera("x"))
        board.clear(.photoDamaged)
        #expect(board.current.map(\.kind) == [.batteryLow, .configurationNeedsRestart])
    }

    @Test func `a condition keeps its first time, and saying it again is no news`() throws {
        let reader = RecordingReader()
        let board = HealthBoard { reader.tell($0) }
        board.raise(.destinationAway, subject: .destination("a"), sentence: "one", nextStep: "")
        let since = try #require(board.current.first?.since)
        board.raise(.destinationAway, subject: .destination("a"), sentence: "one", nextStep: "")
        board.raise(.destinationAway, .danger, subject: .destination("a"), sentence: "two", nextStep: "")
        #expect(board.current.first?.since == since)
        #expect(board.current.first?.sentence == "two")
        board.clear(.destinationAway, subject: .destination("a"))
        board.clear(.destinationAway, subject: .destination("a"))
        #expect(reader.told.withLock { $0 } == [["destination-away"], ["destination-away"], []])
    }

    /// A board with one condition of each kind about the camera `a`, as far as they are about cameras, and `b` beside it.
    private func full() -> HealthBoard {
        let board = HealthBoard { _ in }
        for kind in ConditionKind.allCases {
            for subject in Self.subjects(kind) {
                board.raise(kind, subject: subject, sentence: "", nextStep: "")
            }
        }
        return board
    }

    @Test func `a session ends what stood in its way, and nothing else`() {
        let board = full()
        board.connected(camera: "a", except: .held)
        let gone = Set(full().current.map(Self.key)).subtracting(board.current.map(Self.key))
        #expect(gone == Set(ConditionKind.obstacles.filter { $0 != .held }.map { "\($0) a" }))
    }

    @Test func `a camera that goes takes along what it said of itself; what is about its photos stays`() {
        let board = full()
        board.departed(camera: "a")
        let left = board.current.filter { $0.subject == .camera("a") }.map(\.kind)
        #expect(
            Set(left) == [
                .photoDamaged, .photosLeftInCamera, .tooLargeForLink, .objectSetAside, .linkCorrupts,
                .rereadWaits,
                .serialShared,
            ])
        #expect(
            board.current.count { $0.subject?.text == "b" }
                == full().current.count { $0.subject?.text == "b" })
    }

    @Test func `a camera that is forgotten takes everything along, and no destination of its name`() {
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
        case .group: [.group("a"), .group("b")]
        case .notice: [.notice("a"), .notice("b")]
        }
    }

    private static func key(_ condition: Condition) -> String {
        "\(condition.kind) \(condition.subject?.text ?? "")"
    }

    @Test func `changes by many threads are told in the order in which they were made`() async {
        let reader = RecordingReader()
        let board = HealthBoard { reader.tell($0) }
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
        // Each change adds one or takes one away; any other step means two that were told the wrong way round.
        let counts = reader.told.withLock { $0.map(\.count) }
        #expect(counts.count == 8 * 200 * 2)
        #expect(zip([0] + counts, counts).allSatisfy { abs($0 - $1) == 1 })
        #expect(counts.last == 0)
    }

    @Test func `who is told may change the board: that is told behind it`() {
        let reader = RecordingReader()
        let box = Mutex<HealthBoard?>(nil)
        let board = HealthBoard { conditions in
            reader.tell(conditions)
            if conditions.contains(where: { $0.kind == .diskFull }) { box.withLock { $0 }?.clear(.diskFull) }
        }
        box.withLock { $0 = board }
        board.raise(.diskFull, sentence: "", nextStep: "")
        #expect(reader.told.withLock { $0 } == [["disk-full"], []])
    }
}
