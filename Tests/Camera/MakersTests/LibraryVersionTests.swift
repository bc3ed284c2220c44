import Makers
import Testing

@Suite struct LibraryVersionTests {
    /// Versions from the oldest to the newest.
    private static let inOrder = [
        "0", "2", "2.4.99", "2.5.9", "2.5.30", "2.5.30.1", "2.5.31", "2.5.34", "2.5.34.1", "2.5.100", "2.6",
        "10.0",
    ]

    @Test func `compares versions by number`() throws {
        let versions = try Self.inOrder.map { try #require(LibraryVersion($0)) }
        for (index, version) in versions.enumerated() {
            for (other, later) in versions.enumerated() {
                #expect(
                    (version < later) == (index < other), "\(Self.inOrder[index]) and \(Self.inOrder[other])")
                #expect((version == later) == (index == other))
            }
        }
    }

    @Test(arguments: [
        ("2.5.31-4", "2.5.31"), ("2.5.34.1+git20260724", "2.5.34.1"), ("2.5.33rc1", "2.5.33"),
        ("2.5.30.", "2.5.30"),
        ("2.5.0", "2.5"), ("2..31", "2"), ("2.5.x.31", "2.5"), ("02.05.030", "2.5.30"),
    ])
    func `ignores a suffix after the version numbers`(text: String, version: String) {
        let (read, expected) = (LibraryVersion(text), LibraryVersion(version))
        #expect(read != nil && read == expected)
    }

    @Test(arguments: ["", ".", "v2.5.31", "git", "-1", "٢.5", "99999999999999999999", " 2.5.31"])
    func `rejects a version that does not start with a valid number`(text: String) {
        #expect(LibraryVersion(text) == nil)
    }
}
