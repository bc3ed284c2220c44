import ChildProcesses
import SystemPackage

/// A fault in the format of a private key file. ssh reports such a fault only as "error in libcrypto".
/// Windows editors and PuTTY create such files.
///
/// OpenSSH compares the first and the last line of a key in its own format byte for byte
/// (`sshkey_parse_private2`, tested with 9.2). In the older PEM format, OpenSSH accepts a byte order mark,
/// Windows line endings and a missing final line ending.
enum SSHKeyFault: Hashable, CaseIterable, Sendable {
    case puttyFormat, utf16, byteOrderMark, carriageReturns, noLastLineEnd

    /// The largest number of bytes to read. A key has less than a quarter of this size.
    private static let bytesMax = 64 * 1024
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let firstLine = Array("-----BEGIN OPENSSH PRIVATE KEY-----".utf8)
    private static let lastLine = Array("\n-----END OPENSSH PRIVATE KEY-----".utf8)

    /// Returns the faults of a key file, or an empty array if the file cannot be read. ssh itself
    /// reports an unreadable file at its start.
    static func all(ofFile path: String) -> [SSHKeyFault] {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
        else { return [] }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }
        return all(in: Array(bytes.prefix(count ?? 0)))
    }

    /// Returns the faults of a key, in the order in which they must be corrected.
    static func all(in bytes: [UInt8]) -> [SSHKeyFault] {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return [.utf16] }
        let isMarked = bytes.starts(with: mark)
        let text = bytes.dropFirst(isMarked ? mark.count : 0)
        if text.starts(with: "PuTTY-User-Key-File".utf8) { return [.puttyFormat] }
        guard text.starts(with: firstLine) else { return [] }
        let lines = text.dropFirst(firstLine.count)
        // OpenSSH ignores all bytes after the last line of the key.
        guard let end = lines.firstRange(of: lastLine) else { return [] }
        let behind = lines[end.upperBound...]
        let carriageReturn = UInt8(ascii: "\r")
        var faults: [SSHKeyFault] = isMarked ? [.byteOrderMark] : []
        if lines.first == carriageReturn || behind.first == carriageReturn { faults.append(.carriageReturns) }
        if behind.allSatisfy({ $0 == carriageReturn }) { faults.append(.noLastLineEnd) }
        return faults
    }

    /// Returns a sentence about a key file with this fault, without a final period.
    func sentence(_ path: String) -> String {
        let reason =
            switch self {
            case .puttyFormat: "it is a PuTTY key, which OpenSSH cannot read"
            case .utf16: "it is saved as UTF-16"
            case .byteOrderMark: "it starts with a byte order mark"
            case .carriageReturns: "it has Windows line endings"
            case .noLastLineEnd: "its last line has no line break"
            }
        return "ssh cannot use the key file \(oneLine(path)): \(reason)"
    }

    /// Returns the step that corrects a key file.
    func nextStep(_ path: String) -> String {
        let file = SSHArguments.quoted(path)
        return switch self {
        case .puttyFormat:
            "Export the key in OpenSSH's format: in PuTTYgen under Conversions, or with 'puttygen -O private-openssh'."
        case .utf16: "Save the key as plain text."
        case .byteOrderMark: #"Remove the byte order mark: sudo sed -i '1s/^\xEF\xBB\xBF//' \#(file)"#
        case .carriageReturns: #"Convert the line endings: sudo sed -i 's/\r$//' \#(file)"#
        case .noLastLineEnd: #"Add a line break: sudo sed -i '$a\' \#(file)"#
        }
    }
}
