extension BodyProfile {
    /// An EOS supports only its own operations for a release.
    static let canon = BodyProfile(
        name: "a Canon", manufacturer: "Canon Inc.", model: "Canon EOS R5", firmware: "3-1.8.1",
        vendorExtension: 0x0B, vendorExtensionText: "microsoft.com: 1.0;",
        filePrefix: "IMG_", folderSuffix: "CANON", rawFormat: .cr3,
        missingOperations: [.initiateCapture, .initiateOpenCapture, .terminateOpenCapture],
        delivery: .polledInEventMode)
}
