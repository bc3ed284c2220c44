import Foundation
import Testing
import UploadEngine

@testable import UploadDestinations

@Suite struct SFTPWireTests {
    /// One packet of each kind that a server sends.
    static let dialogue: [[UInt8]] = {
        func packet(_ kind: UInt8, id: UInt32?, _ body: (inout SFTPWire.Writer) -> Void) -> [UInt8] {
            var writer = SFTPWire.Writer(kind: kind)
            if let id { writer.word(id) }
            body(&writer)
            return writer.finished()
        }
        return [
            packet(2, id: nil) { writer in
                writer.word(3)
                for text in ["fsync@openssh.com", "1", "statvfs@openssh.com", "2"] {
                    writer.string(text.utf8)
                }
            },
            packet(101, id: 1) { writer in
                writer.word(4)
                writer.string("Failure".utf8)
                writer.string("en".utf8)
            },
            packet(102, id: 2) { $0.string([0, 0, 0, 1]) },
            packet(103, id: 3) { $0.string(Array(repeating: 7, count: 40)) },
            packet(104, id: 4) { writer in
                writer.word(1)
                writer.string("/home/写真".utf8)
                writer.string("drwx".utf8)
                writer.word(0)
            },
            packet(105, id: 5) { writer in
                writer.word(0xd)
                writer.long(8_388_608)
                writer.word(0o100644)
                writer.long(1)
            },
            packet(201, id: 6) { writer in for field in 1...11 { writer.long(UInt64(field)) } },
        ]
    }()

    static func read(_ bytes: [UInt8], step: Int = .max) throws -> [SFTPReply] {
        var framer = SFTPWire.Framer()
        var replies: [SFTPReply] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(step))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { framer.append($0) }
            while let packet = try framer.next() { replies.append(try SFTPReply.read(packet).reply) }
        }
        return replies
    }

    @Test(arguments: [1, 3, 7, Int.max])
    func `reads the same replies for any split of the stream`(step: Int) throws {
        let replies = try Self.read(Array(Self.dialogue.joined()), step: step)
        #expect(replies.count == Self.dialogue.count)
        #expect(replies[1] == .status(.failure, text: "Failure"))
        #expect(replies[4] == .name("/home/写真"))
        #expect(replies[5] == .facts(SFTPFacts(bytes: 8_388_608, mode: 0o100644)))
        guard case .extended(let payload) = replies[6] else { return #expect(Bool(false)) }
        let space = try SFTPFileSystem(payload)
        #expect(space.bytesFree == 10)
        #expect(space.filesFree == 8)
        #expect(!space.isReadOnly)
    }

    @Test func `parses or refuses a stream with one damaged byte`() {
        let good = Array(Self.dialogue.joined())
        var refused = 0
        for index in good.indices {
            for damage in [UInt8(0x01), 0x80, 0xff, 0x7f] {
                var bad = good
                bad[index] ^= damage
                do {
                    let replies = try Self.read(bad)
                    #expect(replies.count <= Self.dialogue.count)
                } catch { refused += 1 }
            }
        }
        #expect(refused > 100)
    }

    @Test func `waits for more bytes when the stream is truncated`() throws {
        let good = Array(Self.dialogue.joined())
        for count in good.indices {
            #expect(try Self.read(Array(good[..<count])).count < Self.dialogue.count)
        }
    }

    @Test(arguments: [UInt32(0), 262_145, 0x5765_6c63, .max])
    func `refuses an invalid packet length immediately`(length: UInt32) {
        let bytes = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        #expect(throws: SFTPWire.Fault.packetLength(length)) { try Self.read(bytes) }
    }

    @Test func `refuses a string that is longer than its packet`() {
        #expect(throws: SFTPWire.Fault.cut) {
            try Self.read([0, 0, 0, 9, 102, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff])
        }
    }

    @Test func `parses limits only from a complete reply`() {
        let bytes = (0..<4).flatMap { [0, 0, 0, 0, 0, 0, 1, UInt8($0)] as [UInt8] }
        #expect(SFTPLimits(.extended(bytes[...]))?.readBytes == 257)
        #expect(SFTPLimits(.extended(bytes[...]))?.writeBytes == 258)
        let others: [SFTPReply] = [
            .extended(bytes.dropLast()), .extended([]), .status(.ok, text: ""), .data(bytes[...]),
        ]
        for other in others { #expect(SFTPLimits(other) == nil, "\(other)") }
    }

    @Test func `encodes requests as the SFTP draft specifies`() {
        #expect(SFTPRequest.greeting == [0, 0, 0, 5, 1, 0, 0, 0, 3])
        #expect(
            SFTPRequest.open(path: "a", mode: [.write, .create]).packet(id: 9)
                == [0, 0, 0, 18, 3, 0, 0, 0, 9, 0, 0, 0, 1, 97, 0, 0, 0, 10, 0, 0, 0, 0])
        #expect(
            SFTPRequest.write(handle: [5], offset: 258, bytes: [1, 2]).packet(id: 1)
                == [0, 0, 0, 24, 6, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 2, 1, 2])
        #expect(
            SFTPRequest.rename(from: "a", to: "b").packet(id: 1)
                == [0, 0, 0, 15, 18, 0, 0, 0, 1, 0, 0, 0, 1, 97, 0, 0, 0, 1, 98])
        #expect(
            SFTPRequest.setTime(handle: [5], seconds: 0x0102_0304).packet(id: 1)
                == [0, 0, 0, 22, 10, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 0, 8, 1, 2, 3, 4, 1, 2, 3, 4])
    }
}

@Suite struct SSHFailureMappingTests {
    /// Messages of ssh from OpenSSH 9.2, and of servers.
    static let messages: [(String, UploadFailure.Kind)] = [
        (
            "No ED25519 host key is known for [127.0.0.1]:22 and you have requested strict checking.\r\n"
                + "Host key verification failed.\r\n", .permanent(.untrusted)
        ),
        (
            "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nHost key verification failed.",
            .permanent(.untrusted)
        ),
        ("ff@nas: Permission denied (publickey).", .permanent(.unauthorised)),
        (
            "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures",
            .permanent(.unauthorised)
        ),
        (
            "Load key \"/k\": invalid format\r\nff@nas: Permission denied (publickey).",
            .permanent(.unauthorised)
        ),
        (
            "ssh: Could not resolve hostname nas: Temporary failure in name resolution",
            .outage(retryAfterSeconds: nil)
        ),
        ("ssh: connect to host nas port 22: Connection refused", .outage(retryAfterSeconds: nil)),
        ("ssh: connect to host nas port 22: No route to host", .outage(retryAfterSeconds: nil)),
        ("ssh: connect to host nas port 22: Connection timed out", .outage(retryAfterSeconds: nil)),
        ("Connection timed out during banner exchange", .outage(retryAfterSeconds: nil)),
        ("Timeout, server nas not responding.", .outage(retryAfterSeconds: nil)),
        ("kex_exchange_identification: Connection closed by remote host", .outage(retryAfterSeconds: nil)),
        ("Connection to nas closed by remote host.", .outage(retryAfterSeconds: nil)),
        ("client_loop: send disconnect: Broken pipe", .outage(retryAfterSeconds: nil)),
        (
            "Unable to negotiate with 10.0.0.1 port 22: no matching host key type found. Their offer: ssh-rsa",
            .permanent(.misconfigured)
        ),
        ("/home/ff/.ssh/config: line 3: Bad configuration option: prot", .permanent(.misconfigured)),
        ("Bad owner or permissions on /home/ff/.ssh/config", .permanent(.misconfigured)),
        ("subsystem request failed on channel 0", .permanent(.forbidden)),
        // Messages of the server's shell: ash, dash and bash.
        ("ash: /usr/libexec/sftp-server: not found", .permanent(.misconfigured)),
        ("sh: 1: /usr/lib/openssh/sftp-server: not found", .permanent(.misconfigured)),
        (
            "bash: line 1: /usr/libexec/sftp-server: No such file or directory",
            .permanent(.misconfigured)
        ),
        ("", .outage(retryAfterSeconds: nil)),
    ]

    @Test(arguments: messages)
    func `maps messages of ssh to failure kinds`(messages: String, kind: UploadFailure.Kind) {
        let failure = SSHFailureMapping.failure(messages: messages)
        #expect(failure.kind == kind)
        let said = messages.split(whereSeparator: \.isNewline).last.map { " (\($0))" } ?? ""
        #expect(failure.sentence.hasSuffix("\(said)."), "the sentence lacks ssh's last line")
        let ours = failure.sentence.dropLast(said.count + 1)
        #expect(!ours.contains { ":()\n".contains($0) }, "punctuation in the sentence: \(ours)")
        if case .permanent = kind { #expect(failure.nextStep != nil) }
    }

    /// After each of these messages, ssh reports that the server did not accept a key.
    @Test(arguments: [
        ("", "the server does not accept the key"),
        ("Load key \"/k\": invalid format\r\n", "ssh cannot use the key file"),
        (
            "Warning: Identity file /k not accessible: No such file or directory.\r\n",
            "ssh cannot use the key file"
        ),
        (
            "sign_and_send_pubkey: no mutual signature supported\r\n",
            "ssh and the server support no common signature"
        ),
    ])
    func `distinguishes an unusable key file from a refused key`(message: String, cause: String) {
        let failure = SSHFailureMapping.failure(
            messages: message + "ff@nas: Permission denied (publickey).\r\n")
        #expect(failure.kind == .permanent(.unauthorised))
        #expect(failure.sentence.lowercased().contains(cause), "\(failure.sentence)")
    }

    @Test func `removes control characters from messages of a server`() {
        let failure = SSHFailureMapping.failure(messages: "\u{1b}[31mPermission denied (publickey).")
        #expect(!failure.sentence.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func `quotes file names for ssh as single values`() {
        var settings = SFTPSettings(name: "nas", host: "nas")
        settings.identityFile = "/k/my key 100%"
        #expect(SSHArguments.subsystem(settings).contains("-oIdentityFile=\"/k/my key 100%%\""))
        #expect(SSHArguments.subsystem(settings).suffix(4) == ["-s", "--", "nas", "sftp"])
        #expect(SSHArguments.command("sha256sum", path: "it's", settings).last == "sha256sum -- 'it'\\''s'")
        settings.identityFile = "/k/${HOME}"
        #expect(!settings.faults.isEmpty)
    }
}
