import Foundation
import TestRig

@testable import UploadDestinations

extension TestServer {
    /// WebDAV servers with different behavior. The user and the password are "ff".
    enum DAVKind: String, CaseIterable { case nginx, wsgidav, rclone }

    /// - Parameter locations: Additional `location` blocks of nginx.
    static func webDAV(
        _ kind: DAVKind, in scratch: ScratchFolder, locations: String = "",
        folder prepare: (URL) throws -> Void = { _ in }
    ) async throws -> TestServer {
        switch kind {
        case .nginx:
            let configuration = scratch.url.appending(path: "nginx.conf")
            return try await TestServer(TestServers.nginx, in: scratch, name: "nginx") { port, folder in
                try prepare(folder)
                let users = scratch.url.appending(path: "users")
                try "ff:{PLAIN}ff\n".write(to: users, atomically: true, encoding: .utf8)
                try nginx(port, folder, users, own: scratch.url.path, locations)
                    .write(to: configuration, atomically: true, encoding: .utf8)
                return ["-e", scratch.path("nginx-error.log"), "-c", configuration.path]
            }
        case .wsgidav:
            let configuration = scratch.url.appending(path: "wsgidav.json")
            return try await TestServer(
                TestServers.bin.appending(path: "wsgidav"), in: scratch, name: "wsgidav"
            ) {
                try prepare($1)
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
                try prepare($1)
                return ["serve", "webdav", "--config", "/dev/null", "--addr", "127.0.0.1:\($0)", $1.path]
            }
        }
    }

    /// Returns the configuration of nginx. nginx runs as a single process, which a test can kill completely.
    /// The temporary files of request bodies are on the photos' disk, as nginx recommends. `/put/` accepts
    /// plain PUTs. `/mute/` does not respond to DELETE.
    private static func nginx(_ port: Int, _ folder: URL, _ users: URL, own: String, _ locations: String)
        -> String
    {
        """
        load_module \(TestServers.debian.path)/usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
        daemon off; master_process off; user root; pid \(own)/nginx.pid;
        events { worker_connections 256; }
        http {
          access_log off; client_max_body_size 0; client_body_temp_path \(folder.path)/tmp;
          proxy_temp_path \(own)/t1; fastcgi_temp_path \(own)/t2; uwsgi_temp_path \(own)/t3; scgi_temp_path \(own)/t4;
          server {
            listen 127.0.0.1:\(port); root \(folder.path);
            auth_basic x; auth_basic_user_file \(users.path);
            location / { dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; }
            location /put/ { dav_methods PUT DELETE; create_full_put_path on; }
            location /mute/ {
              dav_methods PUT DELETE MKCOL COPY MOVE;
              if ($request_method = DELETE) { return 444; }
            }
            location /full/ { return 507; }
            location /slow/ { return 503; }
            \(locations)
          }
        }
        """
    }
}
