import Foundation
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

extension LoopbackServerTests {
    @Suite struct WebDAVDestinationTests {
        /// The servers, each with habits of its own.
        enum Kind: String, CaseIterable {
            case nginx, wsgidav, rclone

            var isHere: Bool { self == .nginx ? TestServers.hasNginx : TestServers.hasPython }
        }

        let scratch: ScratchFolder

        init() throws {
            scratch = try ScratchFolder()
        }

        private func start(_ kind: Kind) async throws -> TestServer {
            switch kind {
            case .nginx:
                let configuration = scratch.url.appending(path: "nginx.conf")
                return try await TestServer(TestServers.nginx, in: scratch, name: "nginx") { port, folder in
                    let users = scratch.url.appending(path: "users")
                    try "ff:{PLAIN}ff\n".write(to: users, atomically: true, encoding: .utf8)
                    try nginx(port, folder, users).write(to: configuration, atomically: true, encoding: .utf8)
                    return ["-e", scratch.path("nginx-error.log"), "-c", configuration.path]
                }
            case .wsgidav:
                let configuration = scratch.url.appending(path: "wsgidav.json")
                return try await TestServer(
                    TestServers.bin.appending(path: "wsgidav"), in: scratch, name: "wsgidav"
                ) {
                    let json = """
                        {"host": "127.0.0.1", "port": \($0), "server": "cheroot",
                         "provider_mapping": {"/": "\($1.path)"},
                         "simple_dc": {"user_mapping": {"*": {"ff": {"password": "ff"}}}},
                         "http_authenticator": {"accept_basic": true, "accept_digest": true}}
                        """
                    try json.write(to: configuration, atomically: true, encoding: .utf8)
                    return ["-c", configuration.path, "-q"]
                }
            case .rclone:
                return try await TestServer(
                    TestServers.bin.appending(path: "rclone"), in: scratch, name: "rclone-dav",
                    environment: ["RCLONE_USER": "ff", "RCLONE_PASS": "ff"]
                ) {
                    ["serve", "webdav", "--config", "/dev/null", "--addr", "127.0.0.1:\($0)", $1.path]
                }
            }
        }

        private func nginx(_ port: Int, _ folder: URL, _ users: URL) -> String {
            let own = scratch.url.path
            return """
                load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
                daemon off; user root; worker_processes 1; pid \(own)/nginx.pid;
                events { worker_connections 256; }
                http {
                  access_log off; client_max_body_size 0; client_body_temp_path \(own)/nginx-tmp;
                  proxy_temp_path \(own)/t1; fastcgi_temp_path \(own)/t2; uwsgi_temp_path \(own)/t3; scgi_temp_path \(own)/t4;
                  server {
                    listen 127.0.0.1:\(port); root \(folder.path);
                    location / {
                      auth_basic x; auth_basic_user_file \(users.path);
                      dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS;
                    }
                    location /full/ { return 507; }
                    location /slow/ { return 503; }
                  }
                }
                """
        }

        private func destination(
            _ port: Int, path: String = "photos #1/", password: String = "ff", digest: Bool = false,
            verification: Verification = .automatic
        ) -> WebDAVDestination {
            WebDAVDestination(
                WebDAVSettings(
                    url: "http://127.0.0.1:\(port)/\(PercentEncoding.path(path))",
                    credentials: .password(user: "ff", password: Secret(password), digest: digest),
                    verification: verification,
                    connection: ConnectionSettings(connectSeconds: 5, stallSeconds: 5)
                ))
        }

        private func top(_ server: TestServer) -> URL { URL(filePath: server.folder.path + "/photos #1") }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason), arguments: Kind.allCases)
        func `a hundred photos with odd names arrive whole, in folders that are made`(kind: Kind) async throws
        {
            let server = try await start(kind)
            let photos = try TestPhotos(100, in: scratch)
            let receipts = try await destination(server.port).uploadAll(photos.items)
            #expect(receipts.allSatisfy { $0.proof == .checksum && !$0.wasThere })
            // What some servers misread in a Destination header is left out of names.
            let named = zip(photos.items, receipts).map { item, receipt in
                var item = item
                #expect(
                    receipt.remoteName == String(item.remoteName.map { $0 == ";" || $0 == "?" ? "_" : $0 }))
                item.remoteName = receipt.remoteName
                return item
            }
            expectExactly(named, in: top(server))
        }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason), arguments: Kind.allCases)
        func `nothing is replaced, and the same photo is known again`(kind: Kind) async throws {
            let server = try await start(kind)
            let (photo, other) = try (
                TestPhotos.one(bytes: 5000, in: scratch), TestPhotos.one(bytes: 5000, in: scratch)
            )
            let destination = destination(server.port, verification: .size)
            #expect(try await destination.upload(photo).proof == .size)
            #expect(try await destination.upload(photo).wasThere)
            #expect(try await destination.upload(other).remoteName == "photo #1-1.JPG")
            #expect(top(server).filesBelow == ["photo #1.JPG", "photo #1-1.JPG"])
            try await destination.probe()
            try await destination.test()
            #expect(top(server).filesBelow.count == 2)
            await destination.close()
        }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            .enabled(if: TestServers.hasNginx, TestServers.nginxReason), arguments: Kind.allCases,
            [10, 50, 90])
        func `a connection that breaks in the middle leaves nothing under a photo's name`(
            kind: Kind, percent: Int
        ) async throws {
            let server = try await start(kind)
            let photo = try TestPhotos.one(bytes: 2_000_000, in: scratch)
            try await destination(server.port).probe()
            let proxy = try await TestServer.faulty(
                "reset", after: 20_000 * percent, before: server.port, in: scratch)
            let destination = destination(proxy.port)
            let failure = await destination.failure(photo)
            #expect(failure.isTriedAgain, "\(failure?.sentence ?? "")")
            #expect(failure == nil || !top(server).filesBelow.contains(photo.remoteName))
            _ = try await destination.uploadUntilDone(photo, Memory())
            expectExactly([photo], in: top(server))
        }

        @Test(.enabled(if: TestServers.hasPython, TestServers.pythonReason))
        func `a byte that changes on the way is noticed`() async throws {
            let server = try await start(.wsgidav)
            let photo = try TestPhotos.one(bytes: 500_000, in: scratch)
            let proxy = try await TestServer.faulty("flip", after: 250_000, before: server.port, in: scratch)
            let destination = destination(proxy.port)
            #expect(await destination.failure(photo)?.kind == .faulty)
            #expect(top(server).filesBelow == [])
            _ = try await destination.upload(photo)
            expectExactly([photo], in: top(server))
        }

        @Test(.enabled(if: TestServers.hasPython, TestServers.pythonReason))
        func `a server that stops reading counts as an outage`() async throws {
            let server = try await start(.wsgidav)
            let photo = try TestPhotos.one(bytes: 20_000_000, in: scratch)
            let proxy = try await TestServer.faulty(
                "stall", after: 1_000_000, before: server.port, in: scratch)
            let failure = await destination(proxy.port).failure(photo)
            #expect(failure?.kind == .outage(retryAfterSeconds: nil), "\(failure?.sentence ?? "")")
            #expect(!top(server).filesBelow.contains(photo.remoteName))
        }

        @Test(.enabled(if: TestServers.hasPython, TestServers.pythonReason))
        func `a wrong password is hopeless, and Digest works`() async throws {
            let server = try await start(.wsgidav)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            #expect(
                await destination(server.port, password: "no").failure(photo)?.kind
                    == .hopeless(.unauthorised))
            // wsgidav sometimes answers a refused PUT twice; that costs an attempt.
            let digest = destination(server.port, digest: true)
            #expect(try await digest.uploadUntilDone(photo, Memory()).proof == .checksum)
            expectExactly([photo], in: top(server))
        }

        @Test(.enabled(if: TestServers.hasNginx, TestServers.nginxReason), arguments: ["full", "slow"])
        func `a server in trouble is an outage`(path: String) async throws {
            let server = try await start(.nginx)
            let photo = try TestPhotos.one(bytes: 50_000, in: scratch)
            #expect(
                await destination(server.port, path: path).failure(photo)?.kind
                    == .outage(retryAfterSeconds: nil)
            )
        }
    }
}
