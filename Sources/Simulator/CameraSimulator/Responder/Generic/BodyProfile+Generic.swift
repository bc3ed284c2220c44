extension BodyProfile {
    static let generic = BodyProfile(
        name: "this camera", manufacturer: "FrameFast", model: "Simulated Camera", firmware: "1.0",
        vendorExtension: 0, vendorExtensionText: "", filePrefix: "IMG_", folderSuffix: "MEDIA",
        rawFormat: .dng)
}
