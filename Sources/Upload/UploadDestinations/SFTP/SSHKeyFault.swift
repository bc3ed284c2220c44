import ChildProcesses
import SystemPackage

/// A way in which a private key was saved that ssh refuses, and tells only as "error in libcrypto". Editors of Windows and
/// PuTTY save keys so.
///
/// OpenSSH compares the first and the last line of a key of its own format byte for byte (`sshkey_parse_private2`, tried with
/// 9.2). It reads a key in the older PEM format also with a byte order mark, with lines of Windows and without a last line end.
enum SSHKeyFault: Hashable, CaseIterable, Sendable {
    case puttyFormat, utf16, byteOrderMark, carriageReturns, noLastLineEnd

    /// The largest file that is read, in bytes; a key has less than a quarter.
    private static let bytesMax = 64 * 1024
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let firstLine = Array("-----BEGIN OPENSSH PRIVATE KEY-----".utf8)
    private static let lastLine = Array("\n-----END OPENSSH PRIVATE KEY-----".utf8)

    /// The faults of a key's file. Empty also if it can't be read: the start of ssh tells that.
    static func all(ofFile path: String) -> [SSHKeyFault] {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
        else { return [] }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }
        return all(in: Array(bytes.prefix(count ?? 0)))
    }

    /// The faults of a key, in the order in which they are mended.
    static func all(in bytes: [UInt8]) -> [SSHKeyFault] {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return [.utf16] }
        let isMarked = bytes.starts(with: mark)
        let text = bytes.dropFirst(isMarked ? mark.count : 0)
        if text.starts(with: "PuTTY-User-Key-File".utf8) { return [.puttyFormat] }
        guard text.starts(with: firstLine) else { return [] }
        let lines = text.dropFirst(firstLine.count)
        // OpenSSH reads no further than the last line of the key.
        guard let end = lines.firstRange(of: lastLine) else { return [] }
        let behind = lines[end.upperBound...]
        let carriageReturn = UInt8(ascii: "\r")
        var faults: [SSHKeyFault] = isMarked ? [.byteOrderMark] : []
        if lines.first == carriageReturn || behind.first == carriageReturn { faults.append(.carriageReturns) }
        if behind.allSatisfy({ $0 == carriageReturn }) { faults.append(.noLastLineEnd) }
        return faults
    }

    /// A sentence about a key's file that has the fault, without a full stop.
    func sentence(_ path: String) -> String {
        let reason =
            switch self {
            case .puttyFormat: "it is a key of PuTTY, and OpenSSH does not read those"
            case .utf16: "it is saved as UTF-16"
            case .byteOrderMark: "it begins with a byte order mark"
            case .carriageReturns: "its lines end as on Windows"
            case .noLastLineEnd: "its last line has no end"
            }
        return "ssh cannot use the key file \(oneLine(path)): \(reason)"
    }

    /// The step that mends a key's file.
    func nextStep(_ path: String) -> String {
        let file = SSHArguments.quoted(path)
        return switch self {
        case .puttyFormat:
            "Export the key in OpenSSH's format: in PuTTYgen under Conversions, or with 'puttygen -O private-openssh'."
        case .utf16: "Save it as plain text."
        case .byteOrderMark: #"Remove the mark: sudo sed -i '1s/^\xEF\xBB\xBF//' \#(file)"#
        case .carriageReturns: #"Convert them: sudo sed -i 's/\r$//' \#(file)"#
        case .noLastLineEnd: #"Add one: sudo sed -i '$a\' \#(file)"#
        }
    }
}
