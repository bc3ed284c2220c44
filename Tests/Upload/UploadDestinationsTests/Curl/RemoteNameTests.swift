import Foundation
import FrameFastModel
import Testing

@testable import UploadDestinations
@testable import UploadEngine

@Suite struct RemoteNameTests {
    private static let sums = (
        "3f2a91bc0d1e2f30" + String(repeating: "0", count: 48),
        "3f2a91bc0d1e2f31" + String(repeating: "0", count: 48)
    )

    private static func item(
        _ name: String, sum: String = sums.0, station: String = "k7f2q9wd", job: JobID = 7
    ) -> UploadItem {
        UploadItem(
            jobID: job, localPath: "/x", bytes: 1, sha256: sum, station: station, remoteName: name)
    }

    @Test(arguments: [
        ("a/b/IMG_1.JPG", "a/b/IMG_1-3f2a91bc-k7f2q9wd.JPG"), ("IMG_1.JPG", "IMG_1-3f2a91bc-k7f2q9wd.JPG"),
        ("noext", "noext-3f2a91bc-k7f2q9wd"), (".hidden", ".hidden-3f2a91bc-k7f2q9wd"),
        ("a.b/c", "a.b/c-3f2a91bc-k7f2q9wd"), ("写真 é.tar.gz", "写真 é.tar-3f2a91bc-k7f2q9wd.gz"),
    ])
    func `builds unique names from content hash and station name`(name: String, unique: String) {
        let item = Self.item(name)
        #expect(RemoteName.unique(item) == unique)
        #expect(RemoteName.wanted(item, refusesTaken: false) == unique)
        #expect(RemoteName.wanted(item, refusesTaken: true) == name)
        var chosen = item
        chosen.isNameChosen = true
        #expect(RemoteName.wanted(chosen, refusesTaken: false) == name)
    }

    @Test(arguments: [
        ("d/.framefast-3f2a91bc0d1e2f30-k7f2q9wd-7.part", true), ("d/a-3f2a91bc-k7f2q9wd.jpg", true),
        // Names from the template, and names of a different installation, photo, job and folder.
        ("d/a.jpg", false), ("d/a-2.jpg", false), ("d/a-3f2a91bc-k7f2q9wd-2.jpg", false),
        ("d/a-3f2a91bc-3hc8x2mz.jpg", false), ("d/a-00000000-k7f2q9wd.jpg", false),
        ("d/.framefast-3f2a91bc0d1e2f30-k7f2q9wd-8.part", false), ("a-3f2a91bc-k7f2q9wd.jpg", false),
        ("", false),
    ])
    func `recognizes names that only this upload uses`(name: String, isOnlyOurs: Bool) {
        #expect(RemoteName.isOnlyOurs(name, of: Self.item("d/a.jpg")) == isOnlyOurs)
    }

    @Test(
        arguments: [
            (nil, 0), ("", 0), ("wrong a.jpg", 1), ("wrong a-2.jpg", 3), ("wrong a-999.jpg", 1_000),
            // Earlier versions recorded these resume points. They must not skip a name.
            ("wrong a-3f2a91bc-k7f2q9wd.jpg", 0), ("a-2.jpg", 0),
        ] as [(String?, Int)])
    func `skips an S3 name whose object is a corrupted copy`(point: String?, number: Int) {
        var item = Self.item("a.jpg")
        item.resumePoint = point
        #expect(S3Destination.firstNumber(item, "a.jpg") == number)
    }

    @Test(arguments: [
        ("a/b.jpg", true), ("é/\u{4E2D}.jpg", true), ("../a", false), ("a//b", false), ("a\nb", false),
        // The "/" and its combining mark are one character.
        ("../\u{301}a", false), ("a/../\u{301}b", false),
    ])
    func `refuses invalid names and names outside the destination folder`(name: String, isGood: Bool) {
        do throws(UploadFailure) {
            try RemoteName.check(name)
            #expect(isGood)
        } catch {
            #expect(!isGood && error.kind == .permanent(.unprocessable))
        }
    }

    @Test func `part names differ by station, content and job`() {
        let items = [
            Self.item("d/a.jpg"), Self.item("d/a.jpg", sum: Self.sums.1),
            Self.item("d/a.jpg", station: "3hc8x2mz"), Self.item("d/a.jpg", job: 8),
        ]
        #expect(Set(items.map { RemoteName.partPath($0) }).count == items.count)
        // An upload finds its part again even if the photo's final name has changed.
        #expect(RemoteName.partPath(Self.item("d/b.jpg")) == RemoteName.partPath(items[0]))
        for path in items.map({ RemoteName.partPath($0) }) {
            #expect(path.hasPrefix("d/.framefast-") && path.hasSuffix(".part") && path.utf8.count < 80)
        }
    }

    @Test(
        arguments: zip(
            TemporaryName.allCases,
            [
                "d/.framefast-MARK.part", "d/framefast-MARK.part", "d/framefast-MARK", "d/framefast-MARK.jpg",
                "d/framefast-MARK.jpg",
            ]))
    func `builds temporary names for each naming rule`(kind: TemporaryName, path: String) {
        let item = Self.item("d/a.jpg")
        let mark = "\(item.sha256.prefix(16))-\(item.station)-\(item.jobID)"
        #expect(RemoteName.partPath(item, kind) == path.replacing("MARK", with: mark))
        #expect(RemoteName.isOnlyOurs(RemoteName.partPath(item, kind), of: item))
    }
}
