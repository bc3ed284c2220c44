import Testing
import XXHash

@testable import Manifests

/// Files that lie beside photos, and that anybody may have written.
@Suite struct ManifestReaderTests {
    private static func manifest(_ hash: String) -> String {
        "<hashlist version=\"2.0\" xmlns=\"urn:ASC:MHL:v2.0\"><hashes>\(hash)</hashes></hashlist>"
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b \"c\">]><hashlist version=\"2.0\"/>",
        "<hashlist version=\"2.0\">&b;</hashlist>",
        "<hashlist version=\"2.0\"><![CDATA[a]]></hashlist>", "<hashlist version=\"2.0\"><?php ?></hashlist>",
        "<hashlist version=\"1.1\"/>", "<a/>", "", "<hashlist version=\"2.0\">",
        "<hashlist version=\"2.0\"></a>",
        "<hashlist version=\"2.0\"/><hashlist version=\"2.0\"/>", "<hashlist version=2.0/>",
        manifest("<hash><path>../a</path></hash>"), manifest("<hash><path>/a</path></hash>"),
        manifest("<hash><path>a//b</path></hash>"), manifest("<hash><path></path></hash>"),
        manifest("<hash/>"),
        manifest("<hash><path>a</path><xxh128>zz</xxh128></hash>"),
        manifest("<hash><path>a&#0;b</path></hash>"),
        String(repeating: "<hashlist version=\"2.0\">", count: 100_000),
    ])
    func `what no manifest may have is refused`(text: String) {
        #expect(throws: ManifestFault.self) { try ManifestReader.read(Array(text.utf8)) }
    }

    @Test func `what is not UTF-8 is refused`() {
        let bytes = Array("<hashlist version=\"2.0\">".utf8) + [0xFF] + Array("</hashlist>".utf8)
        #expect(throws: ManifestFault.self) { try ManifestReader.read(bytes) }
    }

    @Test(arguments: [
        "a & b <c> \"d\" 'e'.jpg", " two  spaces ", "tab\tline\nreturn\r.jpg", "é e\u{301} 日本 🎞", "]]>",
    ])
    func `a path is read as it was written`(path: String) throws {
        let manifest = Manifest(
            creator: .init(host: path, version: path, author: path), createdAt: ManifestBed.now,
            comment: path,
            process: .transfer,
            records: [
                .init(path: path, size: 1, xxh128: String(repeating: "0a", count: 16), action: .original)
            ])
        let read = try ManifestReader.read(manifest.xml)
        #expect(read.records.map { Array($0.path.utf8) } == [Array(path.utf8)])
        #expect(read.tool == "framefast")
    }

    @Test(arguments: [
        "<ascmhldirectory><hashlist><path>../a.mhl</path><c4>c4</c4></hashlist></ascmhldirectory>",
        "<ascmhldirectory><hashlist><path>a/b.mhl</path><c4>c4</c4></hashlist></ascmhldirectory>",
        "<ascmhldirectory><hashlist><path>b.mhl</path></hashlist></ascmhldirectory>", "<hashlist/>",
        """
        <ascmhldirectory><hashlist sequencenr="2"><path>b</path><c4>c</c4></hashlist>\
        <hashlist sequencenr="2"><path>c</path><c4>c</c4></hashlist></ascmhldirectory>
        """,
    ])
    func `what no chain may have is refused`(text: String) {
        #expect(throws: ManifestFault.self) { try ManifestChain(Array(text.utf8)) }
    }

    @Test(arguments: [
        ("", "99aa06d3014798d86001c324468d497f"), ("abc", "06b05ab6733a618578af5f94892f3950"),
    ])
    func `XXH128 is written with its high half first`(text: String, hash: String) {
        var whole = XXH128()
        Array(text.utf8).withUnsafeBytes { whole.update($0) }
        #expect(whole.text() == hash)
    }
}
