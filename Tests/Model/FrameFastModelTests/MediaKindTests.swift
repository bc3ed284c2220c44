import FrameFastModel
import Testing

@Suite struct MediaKindTests {
    private static let files: [(String, MediaKind)] = [
        ("IMG_0001.JPG", .picture), ("dsc00001.hif", .picture), ("DSCF0001.MPO", .picture),
        ("DSC_0001.NEF", .raw), ("P1010001.ORI", .raw), ("PICT0001.MRW", .raw), ("B0000001.3FR", .raw),
        ("DSC_0001.MOV", .movie), ("A001C001.CRM", .movie), ("DSC_0001.NEV", .movie),
        ("A001_C001.R3D", .movie), ("GS010001.360", .movie), ("DSC_0001.WAV", .other),
        ("GX010001.LRV", .other), ("DSC_0001", .other),
    ]

    @Test(arguments: files)
    func `determines the kind from the extension of the camera's file name`(name: String, kind: MediaKind) {
        #expect(MediaKind(fileName: name) == kind)
    }
}
