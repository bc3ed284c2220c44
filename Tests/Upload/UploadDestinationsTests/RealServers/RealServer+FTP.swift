import Foundation
import TestRig

@testable import UploadDestinations
@testable import UploadEngine

extension RealServer {
    /// vsftpd with the settings that agencies use for anonymous uploads.
    static let vsftpdRows = [
        Row("vsftpd drop box", keepsTrialFiles: true, isBlind: true) {
            try await vsftpd(
                [
                    "anon_other_write_enable=NO", "anon_mkdir_write_enable=NO", "download_enable=NO",
                    "dirlist_enable=NO", "deny_file={.*,*.part}",
                    "cmds_denied=RETR,DELE,RNFR,RNTO,RMD,LIST,NLST,SIZE,MDTM,APPE,REST",
                ], in: $0)
        },
        Row("vsftpd drop box that reports sizes", keepsTrialFiles: true) {
            try await vsftpd(
                [
                    "anon_other_write_enable=NO", "anon_mkdir_write_enable=NO", "download_enable=NO",
                    "dirlist_enable=NO",
                ], in: $0)
        },
        Row("vsftpd that refuses hidden names") { try await vsftpd(["deny_file={.*}"], in: $0) },
        Row("vsftpd that gives uploads to another user") {
            try await vsftpd(
                ["chown_uploads=YES", "chown_username=nobody", "chown_upload_mode=0600"], in: $0)
        },
        Row("vsftpd without uploads", refusal: "denied permission to store") {
            try await vsftpd(["anon_upload_enable=NO"], in: $0)
        },
    ]

    /// pure-ftpd for anonymous uploads, and for a user who can't remove files.
    static let pureFTPdRows = [
        Row("pure-ftpd drop box", keepsTrialFiles: true) {
            try await pureFTPd(isAnonymous: true, ["--antiwarez", "--prohibitdotfileswrite"], in: $0)
        },
        Row("pure-ftpd that keeps all files", keepsTrialFiles: true) {
            try await pureFTPd(
                isAnonymous: false,
                ["--keepallfiles", "--norename", "--autorename", "--prohibitdotfileswrite"], in: $0)
        },
        Row("pure-ftpd that renames uploads with existing names") {
            try await pureFTPd(isAnonymous: false, ["--autorename"], in: $0)
        },
        Row("pure-ftpd without uploads", refusal: "denied permission to store") {
            try await pureFTPd(isAnonymous: true, ["--anonymouscantupload"], in: $0)
        },
    ]

    private static func vsftpd(_ options: [String], in scratch: ScratchFolder) async throws -> RealServer {
        ftp(try await .vsftpd(in: scratch, certificate: nil, options: options), user: "anonymous")
    }

    private static func pureFTPd(
        isAnonymous: Bool, _ options: [String], in scratch: ScratchFolder
    ) async throws -> RealServer {
        let server = try await TestServer.pureFTPd(in: scratch, isAnonymous: isAnonymous, options)
        return ftp(server, user: isAnonymous ? "anonymous" : "ff")
    }

    private static func ftp(_ server: TestServer, user: String) -> RealServer {
        let folder = server.folder.appending(path: "in")
        return RealServer(programs: [server], port: server.port, ftp: server) {
            files(below: folder)
        } destination: { port, memory in
            FTPDestination(
                FTPSettings(
                    host: "127.0.0.1", port: port, encryption: .none, path: "/in", user: user,
                    password: Secret("ff"), connection: connection()), memory: memory)
        }
    }
}
