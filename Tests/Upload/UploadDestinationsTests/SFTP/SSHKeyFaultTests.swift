import Testing

@testable import UploadDestinations

@Suite struct SSHKeyFaultTests {
    private static func key(_ format: String) -> [UInt8] {
        Array("-----BEGIN \(format)-----\nb3BlbnNzaC1r\nZXktdjEA\n-----END \(format)-----\n".utf8)
    }

    private static let openSSH = key("OPENSSH PRIVATE KEY")

    /// Returns a key with a fault, as other programs save it.
    static func saved(_ key: [UInt8], with fault: SSHKeyFault) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        switch fault {
        case .puttyFormat: return Array("PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\n".utf8)
        case .utf16: return [0xFF, 0xFE] + key.flatMap { [$0, 0] }
        case .byteOrderMark: return mark + key
        case .carriageReturns: return key.flatMap { $0 == 10 ? [13, 10] : [$0] }
        case .noLastLineEnd: return key.dropLast()
        }
    }

    @Test(arguments: SSHKeyFault.allCases)
    func `finds the fault of a key that ssh refuses`(fault: SSHKeyFault) {
        #expect(SSHKeyFault.all(in: Self.saved(Self.openSSH, with: fault)) == [fault])
        #expect(!fault.sentence("/k").hasSuffix(".") && fault.sentence("/k").contains("key file /k"))
        #expect(!fault.nextStep("/k").isEmpty)
    }

    @Test func `lists a key's faults in the order of their correction`() {
        let faults: [SSHKeyFault] = [.noLastLineEnd, .carriageReturns, .byteOrderMark]
        let key = faults.reduce(Self.openSSH) { Self.saved($0, with: $1) }
        #expect(SSHKeyFault.all(in: key) == Array(faults.reversed()))
        let cut = Array(Self.openSSH.dropLast()) + [13]
        #expect(SSHKeyFault.all(in: cut) == [.carriageReturns, .noLastLineEnd])
    }

    /// `ssh-keygen -y` of OpenSSH 9.2 reads all of these keys.
    @Test(arguments: ["my key", "my key\r\n", "\r", "\u{FEFF}"])
    func `ignores text after the last line of a key`(text: String) {
        #expect(SSHKeyFault.all(in: Self.openSSH + Array(text.utf8)) == [])
    }

    /// OpenSSH compares only the first and the last line with a fixed text.
    @Test func `accepts Windows line endings inside a key`() {
        let key = String(decoding: Self.openSSH, as: UTF8.self).replacing("aC1r\n", with: "aC1r\r\n")
        #expect(SSHKeyFault.all(in: Array(key.utf8)) == [])
    }

    /// OpenSSH reads keys in the older format even if they have these faults.
    @Test(arguments: [SSHKeyFault.byteOrderMark, .carriageReturns, .noLastLineEnd])
    func `finds no fault in a key that ssh accepts`(fault: SSHKeyFault) {
        #expect(SSHKeyFault.all(in: Self.openSSH) == [])
        #expect(SSHKeyFault.all(in: Self.openSSH + [10]) == [])
        #expect(SSHKeyFault.all(in: Self.saved(Self.key("RSA PRIVATE KEY"), with: fault)) == [])
        #expect(SSHKeyFault.all(in: []) == [])
        #expect(SSHKeyFault.all(ofFile: "/no/such/file") == [])
    }
}
