extension BodyProfile {
    /// A Sony in the USB mode PC Remote. The camera hides its card, and lacks the standard's operations that
    /// delete photos, release the shutter, and read or set properties. The camera announces only photos in
    /// memory, and uses its own event code for changed settings.
    static let sony = BodyProfile(
        name: "a Sony", manufacturer: "Sony Corporation", model: "ILCE-7RM3", firmware: "3.10",
        vendorExtension: 0x11, vendorExtensionText: "Sony PTP Extensions",
        filePrefix: "DSC0", folderSuffix: "MSDCF", rawFormat: .arw,
        missingOperations: [
            .deleteObject, .initiateCapture, .resetDevice, .getDevicePropDesc, .getDevicePropValue,
            .setDevicePropValue, .resetDevicePropValue, .terminateOpenCapture, .getPartialObject,
            .initiateOpenCapture,
        ], delivery: .translated([0xC201: 0xC201, 0x4006: 0xC203]), storage: .hidden)
}
