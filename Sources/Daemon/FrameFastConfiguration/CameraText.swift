/// Camera names as they may be configured.
public enum CameraNameText {
    /// Longest name, in characters: it becomes a part of file names.
    static let lengthMax = 64

    /// Whether a name can be used in file names, paths of the API and logs as it is.
    public static func isValid(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter || first.isNumber else { return false }
        return text.count <= lengthMax
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
}

/// Camera addresses as they may be configured.
enum CameraAddressText {
    /// PTP/IP's registered port.
    static let portDefault = 15740

    /// The address in libgphoto2's spelling; `nil` when it is not an address.
    ///
    /// libgphoto2 takes dotted IPv4 addresses only: it looks no names up.
    static func normalized(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("ptpip", 2...3):
            let port = parts.count == 3 ? Int(parts[2]) : portDefault
            guard let port, (1...65535).contains(port), isIPv4(parts[1]) else { return nil }
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
        return bytes.count == 4
            && bytes.allSatisfy {
                UInt8($0) != nil && !$0.hasPrefix("+") && ($0 == "0" || !$0.hasPrefix("0"))
            }
    }
}
