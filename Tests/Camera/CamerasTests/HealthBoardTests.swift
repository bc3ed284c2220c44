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
        board.raise("b", .info, sentence: "", nextStep: "")
        board.raise("a", .danger, subject: "x", sentence: "", nextStep: "")
        board.raise("a", .warning, subject: "y", sentence: "", nextStep: "")
        #expect(board.current.map(\.severity) == [.danger, .warning, .info])
        board.clear("a", subject: "x")
        board.clear("a")
        #expect(board.current.map(\.code) == ["a", "b"])
    }

    @Test func `a condition keeps its first time, and saying it again is no news`() throws {
        let reader = RecordingReader()
        let board = HealthBoard { reader.tell($0) }
        board.raise("a", .info, sentence: "one", nextStep: "")
        let since = try #require(board.current.first?.since)
        board.raise("a", .info, sentence: "one", nextStep: "")
        board.raise("a", .warning, sentence: "two", nextStep: "")
        #expect(board.current.first?.since == since)
        #expect(board.current.first?.sentence == "two")
        board.clear("a")
        board.clear("a")
        #expect(reader.told.withLock { $0 } == [["a"], ["a"], []])
    }
}
