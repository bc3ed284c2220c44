extension BodyProfile {
    /// A Fujifilm sends no events.
    static let fujifilm = BodyProfile(
        name: "a Fujifilm", manufacturer: "FUJIFILM", model: "X-T4", firmware: "1.20",
        vendorExtension: 0x0E, vendorExtensionText: "fujifilm.co.jp: 1.0;",
        filePrefix: "DSCF", folderSuffix: "_FUJI", rawFormat: .raf,
        missingOperations: [], delivery: .translated([:]), storage: .memory)
}
