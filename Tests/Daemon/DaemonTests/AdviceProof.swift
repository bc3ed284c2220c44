/// The test that follows a condition's next step.
struct AdviceProof {
    /// Words of the next step, as the sources and the test have them; `nil` if the test runs the command that is printed.
    var words: String?
    /// The test's file, below `Tests`.
    var file: String
    /// The test's name.
    var test: String
    /// The file with the rows of the test, if they are in another one.
    var rows: String?

    static func camera(_ words: String, _ test: String) -> AdviceProof {
        AdviceProof(words: words, file: "Camera/CamerasTests/CameraAdviceTests.swift", test: test)
    }

    /// A camera that can be opened after the next step.
    static func opened(_ words: String) -> AdviceProof {
        camera(words, "a condition of a camera that can't be opened ends when it opens")
    }

    static func photo(_ words: String, _ test: String) -> AdviceProof {
        AdviceProof(
            words: words, file: "Capture/CaptureEngineTests/Intake/PhotoAdviceTests.swift", test: test)
    }

    /// A camera that says itself that the next step was done.
    static func told(_ words: String) -> AdviceProof {
        photo(words, "a condition of a camera ends when it says that the next step was done")
    }

    static func folder(_ words: String, _ test: String) -> AdviceProof {
        AdviceProof(words: words, file: "Capture/CaptureEngineTests/FolderAdviceTests.swift", test: test)
    }

    static func space(_ words: String) -> AdviceProof {
        folder(words, "a condition of a disk ends when space is freed")
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
            test: "a condition of uploads ends when its next step is followed",
            rows: "Upload/UploadEngineTests/AdviceRow.swift")
    }
}
