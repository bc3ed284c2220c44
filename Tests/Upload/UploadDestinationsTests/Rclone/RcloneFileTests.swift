import FrameFastModel
import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests of the facts that rclone reports for a remote file.
@Suite struct RcloneFileTests {
    /// Google Photos reports the size -1 and no hashes.
    @Test(
        arguments: [
            (7, nil, nil, .size), (-1, nil, nil, .word), (8, nil, "has 8 bytes instead of 7", .size),
            (7, "right", nil, .checksum), (-1, "right", nil, .checksum),
            (7, "wrong", "has a different md5 at the destination", .checksum),
        ] as [(Int64, String?, String?, UploadReceipt.Proof)])
    func `compares only the facts that the remote reports`(
        size: Int64, sum: String?, difference: String?, proof: UploadReceipt.Proof
    ) {
        let file = RcloneFile(Size: size, IsDir: false, Hashes: sum.map { ["md5": $0] })
        #expect(file.mayHave(bytes: 7) == (size != 8))
        #expect(file.difference(bytes: 7, hash: "md5", localHash: "right") == difference)
        #expect(file.proof(hash: "md5").0 == proof)
    }
}
