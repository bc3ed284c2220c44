import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct DoubtfulObjectFilterTests {
    private static func object(_ name: String, time: Int64? = 1) -> CameraObject {
        CameraObject(folder: "/DCIM", name: name, size: 100, cameraTime: time)
    }

    @Test(arguments: [
        ("IMG_1.JPG", 100 as UInt64, 5 as Int64?, true, false), ("IMG_1.JPG", 100, nil, false, false),
        ("IMG_1.JPG", 100, nil, true, true), ("IMG_1.JPG", 0, 5, true, true), ("", 100, 5, true, true),
        ("<none>", 100, 5, true, true),
    ])
    func `doubts an object without a name, a size or an expected time`(
        name: String, size: UInt64, time: Int64?, givesTimes: Bool, isDoubtful: Bool
    ) {
        let object = CameraObject(folder: "/DCIM", name: name, size: size, cameraTime: time)
        #expect(DoubtfulObjectFilter.isProbablyTruncated(object, givesTimes: givesTimes) == isDoubtful)
    }

    @Test(arguments: [
        ("/store_00010001/DCIM/100CANON", false), ("/", false), ("/store_00010001", false),
        ("/store_00010001/<none>/100CANON", true), ("/store_00010001//100CANON", true),
        ("/store_00010001/DCIM/", true), ("/store_00010001/DC\u{1}M", true),
        ("/store_00010001/DC\u{FFFD}", true), ("/store_00010001/<nonesuch>", false),
        ("/store_00010001/DCIM/Bilder für Anna", false), ("/store_00010001/DCIM/写真", false),
    ])
    func `doubts objects only in a folder whose name is misread`(
        folder: String, isDoubtful: Bool
    ) {
        let object = CameraObject(folder: folder, name: "IMG_1.JPG", size: 100, cameraTime: 5)
        #expect(DoubtfulObjectFilter.isProbablyTruncated(object, givesTimes: true) == isDoubtful)
    }

    @Test(arguments: [
        ("A.NEF", 312_768_000 as Int64, 100 as UInt64, true), ("A.NEF", 1_795_271_130, 100, false),
        ("A.JPG", 1_795_271_130, 4_390_000_000, true), ("A.CR3", 1_795_271_130, 4_390_000_000, true),
        ("A.MP4", 1_795_271_130, 4_390_000_000, false), ("A.CR3", 1_795_271_130, 2_100_000_000, false),
        ("A.CR3", 1_795_271_130, 0xFFFF_FFFF, true),
        ("A.JPG", 1_795_271_130, 2_100_000_000, true), ("A.NEF", 1_795_271_130, 600_000_000, true),
    ])
    func `doubts an implausible date or picture size for one connection`(
        name: String, time: Int64, size: UInt64, isDoubtful: Bool
    ) {
        var doubtFilter = DoubtfulObjectFilter(earlier: [])
        _ = doubtFilter.partition([Self.object("B.JPG", time: 1_795_271_000)])
        let object = CameraObject(folder: "/DCIM", name: name, size: size, cameraTime: time)
        let (trusted, newDoubts) = doubtFilter.partition([object])
        #expect(trusted.isEmpty == isDoubtful && newDoubts == (isDoubtful ? 1 : 0))
        var next = DoubtfulObjectFilter(earlier: doubtFilter.doubted)
        #expect(next.partition([object]).trusted == [object])
    }

    @Test func `trusts the times of a camera whose clock was never set`() {
        var doubtFilter = DoubtfulObjectFilter(earlier: [])
        let objects = [Self.object("A.JPG", time: 315_532_800), Self.object("B.JPG", time: 315_532_900)]
        #expect(doubtFilter.partition(objects).trusted == objects)
    }

    @Test func `trusts facts that the next connection repeats`() {
        let (whole, short) = (Self.object("A.JPG"), Self.object(""))
        var first = DoubtfulObjectFilter(earlier: [])
        let once = first.partition([whole, short, short])
        #expect(once.trusted == [whole] && once.newDoubts == 1)
        #expect(first.doubted == [short])
        var next = DoubtfulObjectFilter(earlier: first.doubted)
        let again = next.partition([whole, short])
        #expect(again.trusted == [whole, short] && again.newDoubts == 0)
        #expect(next.doubted == [short], "the next connection also trusts the object")
    }

    @Test func `doubts an object without a time after another object has one`() {
        var doubtFilter = DoubtfulObjectFilter(earlier: [])
        let timeless = Self.object("A.JPG", time: nil)
        let before = doubtFilter.partition([timeless])
        #expect(before.trusted == [timeless] && !doubtFilter.isProbablyTruncated(timeless))
        let together = doubtFilter.partition([timeless, Self.object("B.JPG")])
        #expect(together.trusted == [Self.object("B.JPG")] && doubtFilter.isProbablyTruncated(timeless))
    }
}
