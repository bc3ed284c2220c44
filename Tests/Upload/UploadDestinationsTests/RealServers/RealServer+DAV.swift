import Foundation
import TestRig

@testable import UploadDestinations
@testable import UploadEngine

extension RealServer {
    /// WebDAV servers behind nginx. nginx uses TLS with the client and plain HTTP with the servers. An
    /// absolute `Destination` header therefore has a scheme or host that differs from the server's own.
    static let tlsProxyRows = [
        Row("wsgidav behind a TLS proxy") { try await behindTLS(.wsgidav, in: $0) },
        Row("nginx behind a TLS proxy") { try await behindTLS(.nginx, in: $0) },
        Row("rclone behind a TLS proxy that changes the host") {
            try await behindTLS(.rclone, keepsHost: false, in: $0)
        },
    ]

    /// nginx with a popular snippet that denies access to `.git` and `.htaccess`, and nginx without WebDAV.
    static let nginxRows = [
        Row("nginx that denies hidden names") { scratch in
            let server = try await TestServer.webDAV(
                .nginx, in: scratch, locations: #"location ~ /\. { deny all; }"#)
            return webDAV(server, [], port: server.port, scheme: "http")
        },
        Row("nginx without WebDAV", refusal: "does not support the request to store") { scratch in
            let server = try await TestServer.webDAV(
                .nginx, in: scratch, locations: "location /photos/ { dav_methods off; }")
            return webDAV(server, [], port: server.port, scheme: "http")
        },
    ]

    /// Nextcloud's rules for names. See nextcloud_dav.py.
    static let nextcloudRows = [
        Row("Nextcloud's rules for names") { scratch in
            let server = try await TestServer.python("nextcloud_dav.py", in: scratch, name: "nextcloud")
            return webDAV(
                server, [], port: server.port, scheme: "http", path: "remote.php/dav/files/ff/photos")
        }
    ]

    private static func behindTLS(
        _ kind: TestServer.DAVKind, keepsHost: Bool = true, in scratch: ScratchFolder
    ) async throws -> RealServer {
        let server = try await TestServer.webDAV(kind, in: scratch)
        let certificates = try await TestCertificates(scratch)
        let configuration = scratch.url.appending(path: "tls-proxy.conf")
        let proxy = try await TestServer(TestServers.nginx, in: scratch, name: "tls-proxy") { port, folder in
            try tlsProxy(
                port, before: server.port, certificates.path("good"), keepsHost: keepsHost, own: folder.path
            ).write(to: configuration, atomically: true, encoding: .utf8)
            return ["-e", scratch.path("tls-proxy-error.log"), "-c", configuration.path]
        }
        return webDAV(server, [proxy], port: proxy.port, scheme: "https", caFile: certificates.ca)
    }

    private static func tlsProxy(
        _ port: Int, before back: Int, _ certificate: String, keepsHost: Bool, own: String
    ) -> String {
        """
        daemon off; master_process off; user root; pid \(own)/nginx.pid;
        events { worker_connections 256; }
        http {
          access_log off; client_max_body_size 0; client_body_temp_path \(own)/t0;
          proxy_temp_path \(own)/t1; fastcgi_temp_path \(own)/t2; uwsgi_temp_path \(own)/t3;
          scgi_temp_path \(own)/t4;
          server {
            listen 127.0.0.1:\(port) ssl; ssl_certificate \(certificate); ssl_certificate_key \(certificate);
            location / {
              proxy_pass http://127.0.0.1:\(back);
              \(keepsHost ? "proxy_set_header Host $http_host;" : "")
            }
          }
        }
        """
    }

    private static func webDAV(
        _ server: TestServer, _ others: [TestServer], port: Int, scheme: String, path: String = "photos",
        caFile: String? = nil
    ) -> RealServer {
        let folder = server.folder.appending(path: "photos")
        return RealServer(programs: [server] + others, port: port) {
            files(below: folder)
        } destination: { port, memory in
            WebDAVDestination(
                WebDAVSettings(
                    url: "\(scheme)://127.0.0.1:\(port)/\(path)",
                    credentials: .password(user: "ff", password: Secret("ff")),
                    connection: connection(caFile: caFile)), memory: memory)
        }
    }
}
