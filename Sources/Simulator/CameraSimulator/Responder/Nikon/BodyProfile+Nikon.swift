extension BodyProfile {
    /// A Nikon Z 6II, which identifies itself as an MTP device.
    static let nikon = BodyProfile(
        name: "a Nikon", manufacturer: "Nikon Corporation", model: "Z 6_2", firmware: "V1.60",
        vendorExtension: 0xFFFF_FFFF, vendorExtensionText: "microsoft.com: 1.0;",
        filePrefix: "DSC_", folderSuffix: "NZ6_2", rawFormat: .nef,
        ownEvents: NikonEvent.all, delivery: .polled)
}
