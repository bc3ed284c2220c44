import Foundation
import FrameFastModel
import Glibc
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests with servers, settings and files that make an upload fail.
@Suite(
    .programs(2), .enabled(if: SSHServer.isInstalled, "needs openssh-server"), .serialized,
    .timeLimit(.minutes(30)))
struct SFTPRefusalTests {
    @Test(.nightly("in the gate, RefusalTests covers a wrong key"))
    func `reports an unknown key as a permanent failure`() async throws {
        let server = try await SSHServer()
        try await server.start()
        try await server.makeKey("other_key")
        await Self.expect(
            .permanent(.unauthorised), "does not accept the key",
            SFTPDestination(server.settings(key: "other_key")))
    }

    @Test func `reports a missing key file before it starts ssh`() async throws {
        let key = try ScratchFolder().path("no_key")
        var settings = SFTPSettings(name: "nas", host: "localhost", program: "/bin/false")
        settings.identityFile = key
        await Self.expect(
            .permanent(.unauthorised), "cannot use the key file \(key)", SFTPDestination(settings))
    }

    @Test(
        .nightly("in the gate, SSHKeyFaultTests covers these faults"),
        arguments: [SSHKeyFault.byteOrderMark, .carriageReturns, .noLastLineEnd])
    func `refuses a key saved by a Windows editor until it is corrected`(
        fault: SSHKeyFault
    ) async throws {
        let server = try await SSHServer()
        try await server.start()
        let scratch = try ScratchFolder()
        let key = server.folder.appending(path: "user_key")
        try Data(SSHKeyFaultTests.saved([UInt8](Data(contentsOf: key)), with: fault)).write(to: key)
        let ssh = try await RunningProgram.run(
            URL(filePath: "/usr/bin/ssh-keygen"), ["-y", "-P", "", "-f", key.path], in: scratch)
        #expect(ssh.status != 0, "ssh reads the key")
        #expect(SFTPDestination(server.settings()).faults.count == 1)
        await Self.expect(
            .permanent(.unauthorised), fault.sentence(key.path).replacing("ssh ", with: ""),
            SFTPDestination(server.settings()))
        let command = try #require(fault.nextStep(key.path).components(separatedBy: "sudo ").last)
        let mended = try await RunningProgram.run(URL(filePath: "/bin/sh"), ["-c", command], in: scratch)
        #expect(mended.status == 0, "\(mended.output)")
        let destination = SFTPDestination(server.settings())
        #expect(destination.faults == [])
        try await destination.probe()
        await destination.close()
    }

    @Test(.nightly("in the gate, SSHFailureMappingTests covers the message"))
    func `trusts an unknown host key only with accept-new`() async throws {
        let server = try await SSHServer()
        try await server.start()
        try server.writeKnownHosts(key: nil)
        await Self.expect(.permanent(.untrusted), "host key is unknown", SFTPDestination(server.settings()))
        var settings = server.settings()
        settings.hostKeys = .acceptNew
        let destination = SFTPDestination(settings)
        try await destination.probe()
        await destination.close()
        // The known hosts file now contains the server's key.
        let strict = SFTPDestination(server.settings())
        try await strict.probe()
        await strict.close()
    }

    @Test(arguments: Tier.rows(SFTPSettings.HostKeys.allCases, gate: [.acceptNew]))
    func `refuses a changed host key with every setting`(hostKeys: SFTPSettings.HostKeys) async throws {
        let server = try await SSHServer()
        try await server.makeKey("new_host_key")
        try await server.start(hostKey: "new_host_key")
        var settings = server.settings()
        settings.hostKeys = hostKeys
        await Self.expect(.permanent(.untrusted), "host key has changed", SFTPDestination(settings))
    }

    @Test(.nightly("in the gate, SSHFailureMappingTests covers the message"))
    func `reports an outage for an unresolvable host name`() async throws {
        let server = try await SSHServer()
        var settings = server.settings()
        settings.host = "nas.invalid"
        await Self.expect(
            .outage(retryAfterSeconds: nil), "name cannot be resolved", SFTPDestination(settings))
    }

    @Test(.nightly("in the gate, SSHFailureMappingTests covers the message"))
    func `reports a server without SFTP as a permanent failure`() async throws {
        let server = try await SSHServer()
        try await server.start(subsystem: nil)
        await Self.expect(.permanent(.forbidden), "does not allow SFTP", SFTPDestination(server.settings()))
    }

    @Test(.nightly("in the gate, SFTPWireTests covers text in place of a packet"))
    func `recognizes output of login scripts before the SFTP session`() async throws {
        let server = try await SSHServer()
        try await server.start(options: "ForceCommand echo Welcome to the machine, dear friend")
        await Self.expect(.outage(retryAfterSeconds: nil), "is not SFTP", SFTPDestination(server.settings()))
    }

    @Test(.nightly("in the gate, RefusalSentenceTests covers a denied permission"))
    func `reports a read-only SFTP server as a permanent failure`() async throws {
        let server = try await SSHServer()
        try await server.start(subsystem: "internal-sftp -R")
        await Self.expect(
            .permanent(.forbidden), "denied write permission", SFTPDestination(server.settings()))
    }

    @Test(.nightly("in the gate, SFTPFailureMappingTests covers the status"))
    func `reports a permanent failure if a parent of the folder is a file`() async throws {
        let server = try await SSHServer()
        try await server.start()
        try Data("x".utf8).write(to: server.home.appending(path: "file"))
        let settings = server.settings(folder: server.home.path + "/file/photos")
        await Self.expect(.permanent(.notFound), "cannot be created", SFTPDestination(settings))
    }

    @Test(arguments: ["-oProxyCommand=touch x", "a b", "", "host\n", "a$(id)"])
    func `refuses an invalid host name before it starts ssh`(host: String) async throws {
        var settings = SFTPSettings(name: "nas", host: "localhost", program: "/bin/false")
        settings.host = host
        #expect(!settings.faults.isEmpty)
        await Self.expect(.permanent(.misconfigured), "is not a host name", SFTPDestination(settings))
    }

    @Test(
        .nightly("in the gate, RefusalTests covers a full disk"),
        .enabled(if: getuid() == 0, "needs root to mount"))
    func `reports a full disk at the server and removes the part`() async throws {
        let server = try await SSHServer()
        let disk = server.home.appending(path: "photos")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        let mounted = mount("ff", disk.path, "tmpfs", 0, "size=4m")
        try #require(mounted == 0)
        defer { umount2(disk.path, Int32(MNT_DETACH)) }
        try await server.start()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        let item = try photos.item("big.raf", bytes: 6_000_000, job: 1)
        let failure = await destination.failure(item)
        #expect(failure?.kind == .permanent(.full))
        #expect(failure?.sentence.contains("disk is full") == true, "\(failure?.sentence ?? "")")
        #expect(try SamplePhotos.names(in: disk) == [], "[loss] wrong files at the destination")
        // A small photo still fits on the disk. The large photo fits after the disk is enlarged.
        _ = try await destination.upload(try photos.item("small.jpg", bytes: 100_000, job: 2)) { _ in }
        let enlarged = mount("ff", disk.path, "tmpfs", UInt(MS_REMOUNT), "size=20m")
        try #require(enlarged == 0)
        _ = try await destination.upload(item) { _ in }
        #expect(
            try SamplePhotos.names(in: disk) == ["small.jpg", "big.raf"],
            "[loss] wrong files at the destination")
        // A person must act if the disk is read-only.
        try #require(
            mount("ff", disk.path, "tmpfs", UInt(MS_REMOUNT) | UInt(MS_RDONLY), "size=20m")
                == 0)
        let readOnly = await destination.failure(try photos.item("c.jpg", bytes: 100, job: 3))
        #expect(readOnly?.kind == .permanent(.forbidden))
        #expect(readOnly?.sentence.contains("mounted read-only") == true, "\(readOnly?.sentence ?? "")")
        await destination.close()
    }

    @Test func `reports a missing or changed local file as permanent`() async throws {
        let server = try await SSHServer()
        let photos = try SamplePhotos()
        defer { photos.remove() }
        let destination = SFTPDestination(server.settings())
        var item = try photos.item("a.jpg", bytes: 100, job: 1)
        item.bytes = 99
        #expect(await destination.failure(item)?.kind == .permanent(.fileGone))
        item.localPath += ".gone"
        #expect(await destination.failure(item)?.kind == .permanent(.fileGone))
    }

    /// Uploads a photo, and expects this failure with a next step.
    static func expect(_ kind: UploadFailure.Kind, _ words: String, _ destination: SFTPDestination) async {
        guard let photos = try? SamplePhotos(), let item = try? photos.item("a.jpg", bytes: 10, job: 1) else {
            Issue.record("cannot make a photo")
            return
        }
        defer { photos.remove() }
        let failure = await destination.failure(item)
        #expect(failure?.kind == kind, "\(String(describing: failure))")
        #expect(failure?.sentence.contains(words) == true, "\(failure?.sentence ?? "")")
        #expect(failure?.nextStep != nil)
        await destination.close()
    }
}
