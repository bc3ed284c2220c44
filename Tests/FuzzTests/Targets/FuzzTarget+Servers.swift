import ChildProcesses
import Foundation
import FrameFastModel
import UploadEngine

@testable import NetworkCost
@testable import UploadDestinations

extension FuzzTarget {
    /// Parses a stream of SFTP packets in chunks. The first byte of the input is the length of a chunk.
    static func sftp(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let piece = max(1, Int(input.byte()))
        let stream = input.all()
        var framer = SFTPWire.Framer()
        do throws(SFTPWire.Fault) {
            for start in stride(from: 0, to: stream.count, by: piece) {
                stream[start..<min(start + piece, stream.count)].withUnsafeBytes { framer.append($0) }
                while let packet = try framer.next() { try reply(packet) }
            }
        } catch {
            // A fault ends the connection.
            return
        }
    }

    private static func reply(_ packet: ArraySlice<UInt8>) throws(SFTPWire.Fault) {
        switch try SFTPReply.read(packet).reply {
        case .extended(let payload):
            _ = try? SFTPLimits(payload)
            _ = try SFTPFileSystem(payload)
        case .facts(let facts): precondition(!(facts.isFile && facts.isFolder), "both file and folder")
        case .version, .status, .handle, .data, .name: break
        }
    }

    /// Parses an HTTP response. The input has the status on the first line, then header fields, an empty line
    /// and the body.
    static func responses(_ bytes: [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        var response = CurlResponse()
        response.status = Int(lines.popFirst().map { Array($0).asText } ?? "") ?? 200
        while let line = lines.popFirst(), !line.isEmpty { response.addHeaderLine(Array(line).asText) }
        response.body = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        let seconds = response.retryAfterSeconds ?? 0
        precondition((0...3_600).contains(seconds), "waits \(seconds) s")
        precondition(response.md5Tag.map { $0.utf8.count == 32 } ?? true, "an MD5 of another length")
        _ = (response.contentLength, response.serverSeconds)
        _ = WebDAVDestination.contentLength(inProperties: response.text)
        let refusal = S3Response(http: response).refusal(
            place: "https://s3.example", bucket: "photos", at: .send, name: nil)
        precondition(!refusal.sentence.isEmpty, "a refusal without a sentence")
        for upload in S3Response.elements("Upload", in: response.text) {
            _ = (S3Response.element("UploadId", in: upload), S3Response.element("Initiated", in: upload))
        }
        _ = try? RcloneDaemon.value(of: response, as: RcloneEmpty.self)
    }

    /// Parses output lines of servers and programs.
    static func lines(_ bytes: [UInt8]) {
        let text = bytes.asText
        let lines = text.split(separator: "\n").map(String.init)
        let features = FTPFeatures(lines: lines)
        for line in lines { _ = (FTPClient.size(line), features.checksumCommands(line)) }
        for failure in [
            SSHFailureMapping.failure(messages: text),
            RcloneFailureMapping.failure(text, at: .send, name: nil),
        ] {
            precondition(
                !failure.sentence.contains("\n"), "a sentence with a line break: \(failure.sentence)")
        }
        for end in [CommandRun.End.exited(0), .exited(1), .exited(2)] {
            let outcome = CommandRun.Outcome(end: end, output: text)
            _ = (MeterReading(command: outcome), MeterReading(networkManager: outcome))
        }
        _ = try? HTTPClient.check(text)
        _ = try? URLTemplate.fill(text, name: "a/b.jpg", facts: [.session: text], encodes: true)
    }
}
