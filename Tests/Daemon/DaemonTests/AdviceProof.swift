/// A reference to the test that performs a condition's next step.
struct AdviceProof {
    /// A part of the next step's text, or `nil` if the test runs the printed command. Both the sources and
    /// the test contain this part.
    var words: String?
    /// The path of the test's file, below `Tests`.
    var file: String
    /// The name of the test function.
    var test: String
    /// The file with the test's arguments, if they are in another file.
    var rows: String?
    /// Whether the proof is a case of the test. The case's name starts with the condition's code.
    var isCase = false

    /// This proof as a case of its test.
    private var asCase: AdviceProof {
        var proof = self
        proof.isCase = true
        return proof
    }

    static func camera(_ words: String, _ test: String) -> AdviceProof {
        AdviceProof(words: words, file: "Camera/CamerasTests/CameraAdviceTests.swift", test: test)
    }

    /// Creates a proof for a condition that is cleared when the camera opens.
    static func opened(_ words: String) -> AdviceProof {
        camera(words, "ends a camera's condition when the camera can be opened").asCase
    }

    /// Creates a proof for a condition that is cleared when a worker starts.
    static func started(_ words: String) -> AdviceProof {
        camera(words, "ends the condition for a failed start when a worker starts").asCase
    }

    static func photo(_ words: String, _ test: String) -> AdviceProof {
        AdviceProof(
            words: words, file: "Capture/CaptureEngineTests/Intake/PhotoAdviceTests.swift", test: test)
    }

    /// Creates a proof for a condition that is cleared when the camera reports changed facts.
    static func reported(_ words: String) -> AdviceProof {
        photo(words, "clears a condition after the camera reports the changed facts").asCase
    }

    static func folder(_ words: String, _ test: String) -> AdviceProof {
        AdviceProof(words: words, file: "Capture/CaptureEngineTests/FolderAdviceTests.swift", test: test)
    }

    static func space(_ words: String) -> AdviceProof {
        folder(words, "clears a disk condition after space is freed").asCase
    }

    static func daemon(_ words: String, _ file: String, _ test: String) -> AdviceProof {
        AdviceProof(words: words, file: "Daemon/DaemonTests/\(file).swift", test: test)
    }

    static func wholePrograms(_ words: String, _ file: String, _ test: String) -> AdviceProof {
        AdviceProof(words: words, file: "Programs/EndToEndTests/\(file).swift", test: test)
    }

    static func command(_ file: String, _ test: String) -> AdviceProof {
        AdviceProof(file: "Programs/EndToEndTests/\(file).swift", test: test)
    }

    static func upload(_ words: String) -> AdviceProof {
        AdviceProof(
            words: words, file: "Upload/UploadEngineTests/AdviceTests.swift",
            test: "following the next step of an upload condition clears the condition",
            rows: "Upload/UploadEngineTests/AdviceRow.swift", isCase: true)
    }
}
