import Testing

@testable import UploadEngine

@Suite struct FailureSentenceTests {
    @Test(arguments: [
        (
            "ftp://nas does not accept connections (Failed to connect to nas port 21 after 7 ms: Couldn't connect).",
            "ftp://nas does not accept connections (Failed to connect to nas port 21: Couldn't connect)."
        ),
        (
            "It did not answer in time (Connection timed out after 30001 milliseconds).",
            "It did not answer in time (Connection timed out)."
        ),
        (
            "No right (550 /up/.framefast-0a1b2c3d4e5f6071-k7f2q9wd-12.part: Permission denied).",
            "No right (550 /up/.framefast-….part: Permission denied)."
        ),
        (
            "the server failed at '/photos/.framefast/7f1c.part'",
            "The server failed at '/photos/.framefast/….part'."
        ),
        ("no room for framefast-probe-1b2c.txt", "No room for framefast-probe-….txt."),
        (
            "it refuses to store framefast-0a1b2c3d4e5f6071-k7f2q9wd-12.JPG",
            "It refuses to store framefast-….JPG."
        ),
        ("framefast-nas.local is away", "Framefast-nas.local is away."),
        ("the program said: after 3 tries", "The program said: after 3 tries."),
        ("The file /home/ann/.framefast/a.JPG is gone.", "The file /home/ann/.framefast/a.JPG is gone."),
        ("https://host is away", "https://host is away."), ("Ready?", "Ready?"), ("", ""),
    ])
    func `completes sentences and removes parts that differ by attempt`(words: String, sentence: String) {
        #expect(FailureSentence(words).text == sentence)
        #expect(UploadFailure(.transient, words).sentence == sentence)
        #expect(FailureSentence(sentence).text == sentence)
    }

    @Test(arguments: [
        UploadFailure.Kind.outage(retryAfterSeconds: nil), .transient, .permanent(.notFound), .sourceAway,
        .cancelled,
    ])
    func `each failure has a next step for a manual test`(kind: UploadFailure.Kind) {
        #expect(!UploadFailure(kind, "It failed.").stepByHand.isEmpty)
        #expect(UploadFailure(kind, "It failed.", nextStep: "Do this.").stepByHand == "Do this.")
    }
}
