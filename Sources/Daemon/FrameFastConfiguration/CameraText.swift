import FrameFastAPI

/// Validation of camera names, which also applies to the names of groups and presets.
public enum CameraNameText {
    /// The longest name, in characters.
    static let lengthMax = CameraRenameRequest.nameLengthMax

    /// Returns whether a name can be used unchanged in file names, API paths and logs.
    public static func isValid(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter || first.isNumber else { return false }
        return text.count <= lengthMax
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
}

/// Parsing of configured camera addresses.
enum CameraAddressText {
    /// The registered port of PTP/IP.
    static let portDefault = 15740

    /// Returns the address, or `nil` if the text is not an address. A network address without a port gets
    /// the default port.
    ///
    /// libgphoto2 accepts only dotted IPv4 addresses, because it does not resolve names.
    static func normalized(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("ptpip", 2...3):
            let digits = parts.count == 3 ? parts[2] : String(portDefault)
            guard !digits.hasPrefix("+"), let port = Int(digits), (1...65535).contains(port), isIPv4(parts[1])
            else { return nil }
            return "ptpip:\(parts[1]):\(port)"
        case ("usb", 2):
            if parts[1].isEmpty { return text }
            let pair = parts[1].split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, ["serial", "port"].contains(pair[0]) else { return nil }
            return text
        default: return nil
        }
    }

    private static func isIPv4(_ text: String) -> Bool {
        let bytes = text.split(separator: ".", omittingEmptySubsequences: false)
        // Refuses signs and leading zeros, which `UInt8` parses.
        return bytes.count == 4 && bytes.allSatisfy { byte in UInt8(byte).map { "\($0)" } == String(byte) }
    }
}
