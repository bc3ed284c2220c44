import TestRig
import Testing

/// Tests that one table ranks the duties of the camera worker.
@Suite(.blocking) struct DutyTests {
    @Test func `the table of ranks lists every duty once`() throws {
        let declaration = try LinePattern(#"^struct (\w+): Duty\b"#)
        let entry = try LinePattern(#"RankedDuty\(\.\w+, (\w+)\(\)\)"#)
        let files = try SourceFile.all(under: "Sources/Camera/CameraWorker")
        let declared = files.flatMap { declaration.texts(ofGroup: 1, in: $0.text) }
        #expect(declared.count > 10)
        let table = try #require(files.first { $0.name == "DutyTable.swift" })
        #expect(entry.texts(ofGroup: 1, in: table.text).sorted() == declared.sorted())
    }

    @Test func `only one file calls the steps of duties`() throws {
        let call = try LinePattern(#"\.perform\(on: &"#)
        let files = try SourceFile.all(under: "Sources/Camera/CameraWorker")
        let callers = files.filter { !$0.code(matching: call).isEmpty }.map(\.name)
        #expect(callers == ["DriverConnection+Duties.swift"])
    }
}
