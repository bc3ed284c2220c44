import Foundation
import Repository
import TestRig
import Testing

/// Tests of the list of wait types: types that block a thread or suspend a task until another thread or task
/// wakes it.
@Suite(.blocking) struct WaitTypeTests {
    /// The maximum number of wait types. A new wait type must replace an existing one.
    static let typesMax = 10

    /// A pattern for the primitives of the language and the system that wait or wake.
    private static let primitive =
        #"(Checked|Unsafe)(Throwing)?Continuation\b|\b(DispatchSemaphore|DispatchGroup|NSCondition)\("#
        + #"|\bpthread_cond_t\b|\bframefast_eventfd\(|\bcurl_multi_wakeup\("#

    /// A pattern for a top-level type or extension. The fourth group is the type's name.
    private static let declaration =
        #"^((public|package|internal|private|fileprivate|final|indirect|nonisolated) )*"#
        + #"(struct|class|enum|actor|protocol|extension) (\w+)"#

    /// Types that use a primitive but are not wait types, and the reason.
    static let exceptions = [
        "USBBus": "each function waits for one call on a Dispatch queue",
        "LedgerStore": "each function waits for one write of the database",
    ]

    @Test func `the README of the Linux layer lists every wait type`() throws {
        let primitive = try LinePattern(Self.primitive)
        let declaration = try LinePattern(Self.declaration)
        var found: Set<String> = []
        for file in try SourceFile.all(under: "Sources") {
            for (number, _) in file.code(matching: primitive) {
                let name = file.lines[..<number].reversed().lazy
                    .compactMap { declaration.texts(ofGroup: 4, in: $0).first }.first
                found.insert(try #require(name, "\(file.path), line \(number): outside of a type"))
            }
        }
        let readme = try String(contentsOf: Repository.file("Sources/Linux/README.md"), encoding: .utf8)
        let section = try #require(
            readme.components(separatedBy: "\n## ").first { $0.hasPrefix("Wait types\n") })
        let listed = Set(section.matches(of: /\n\| `(?<name>\w+)[^`]*` \|/).map { String($0.name) })
        #expect(found.subtracting(Self.exceptions.keys) == listed)
        #expect(listed.count <= Self.typesMax)
        #expect(Set(Self.exceptions.keys).isSubset(of: found), "exceptions without a primitive")
    }
}
