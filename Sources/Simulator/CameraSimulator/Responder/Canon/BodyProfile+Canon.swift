extension BodyProfile {
    /// An EOS releases the shutter only for Canon's own operations.
    static let canon = BodyProfile(
        name: "a Canon", manufacturer: "Canon Inc.", model: "Canon EOS R5", firmware: "3-1.8.1",
        vendorExtension: 0x0B, vendorExtensionText: "microsoft.com: 1.0;",
        filePrefix: "IMG_", folderSuffix: "CANON", rawFormat: .cr3,
        missingOperations: [.initiateCapture, .initiateOpenCapture, .terminateOpenCapture],
        delivery: .polledInEventMode)
}
