import Cameras
import FrameFastModel
import SystemPackage
import Testing
import UploadEngine

@testable import FrameFastDaemon

/// Tests of upload events that raise and clear conditions.
@Suite struct UploadConditionTests {
    @Test func `uploads and cameras share the condition for open files`() throws {
        let board = ConditionBoard { _ in }
        board.record(.shortage(destination: "nas", .tooManyOpenFiles))
        let condition = try #require(board.current.first)
        #expect(board.current.map(\.code) == ["few-descriptors"])
        #expect(condition.sentence.contains("reached its limit of open files: uploads to nas wait."))
        #expect(condition.nextStep.contains("LimitNOFILE="))
        board.reportShortage(.camera("a"), "the camera program for a cannot be started", .tooManyOpenFiles)
        #expect(board.current.count == 1)
        board.record(.shortage(destination: "nas", nil))
        #expect(board.current.first?.sentence.contains("the camera program for a") == true)
        board.endShortage(of: .camera("a"))
        #expect(board.current.isEmpty)
    }
}
