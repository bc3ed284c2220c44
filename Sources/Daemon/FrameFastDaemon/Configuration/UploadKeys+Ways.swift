/// The keys about how uploads get to a place, and whom they trust there.
extension UploadKeys {
    static let ways: [ConfigurationKey] = [
        key(
            "verify", .choice(["automatic", "size", "read-back"]), "\"read-back\"",
            """
            `ftp`, `webdav`, `http`, `sftp`: how the copy is verified where the server has no checksum. `automatic`, the \
            default: its size where the way is encrypted, else it is read back and compared.
            """),
        key(
            "verify_command", .text, "\"sha256sum\"",
            "`sftp`: a program of the server that tells a file's SHA-256. The account must be allowed to run it."
        ),
        key(
            "address_style", .choice(["path", "host"]), "\"host\"",
            "`s3`: `https://host/bucket/key` (`path`, the default) or `https://bucket.host/key`."),
        key(
            "key_check", .choice(["automatic", "if-none-match", "look-first"]), "\"look-first\"",
            """
            `s3`: how another photo under the same key is kept from being replaced. `automatic`, the default, finds out \
            whether the service honours `If-None-Match`, and looks first where it does not.
            """),
        key(
            "send_checksum", .flag, "false",
            "`s3`: sends the photo's SHA-256 for the service to check, as it does by default. Few services refuse it."
        ),
        key(
            "part_size", .size, "\"16 MiB\"",
            "`s3`: size of the parts in which large photos go, 5 MiB to 5 GiB. Without it, 8 MiB."),
        key(
            "tls13", .flag, "false",
            "`ftp`: allows TLS 1.3. Servers were seen to cut files with it without either side noticing."),
        key(
            "headers", .texts("header fields"), "[\"X-Studio: {CAMERA}\"]",
            "`http`: sent with each photo, templates as in `url`. Nothing secret: see `password_file` and `auth`."
        ),
        key(
            "look_first", .flag, "false",
            "`http`, method `put`: asks what is there before, as it does by default: many servers replace silently."
        ),
        key(
            "form_file", .text, "\"photo\"",
            "`http`, method `post`: the form's field for the file. Without it, `file`."),
        key(
            "form_fields", .texts("fields with values"), "[\"event={SESSION}\"]",
            "`http`, method `post`: further fields, templates as in `url`."),
        key(
            "answer_url", .text, "\"upload.url\"",
            """
            `http`, method `presigned`: where in the JSON answer the URL is; dots go into objects. Without it, `url`. The \
            question is a POST of a JSON object with the photo's name, size, SHA-256, media type and facts.
            """),
        key(
            "answer_headers", .text, "\"upload.headers\"",
            "`http`, method `presigned`: where in the answer headers for the PUT are. Without it, `headers`."),
        key(
            "answer_id", .text, "\"upload.id\"",
            "`http`, method `presigned`: where in the answer the upload's id is. Without it, `id`."),
        key(
            "status_url", .text, "\"https://gallery.example.com/uploads/{id}\"",
            "`http`, method `presigned`: tells how far an upload is. Without it, the PUT's answer is the last word."
        ),
        key(
            "answer_state", .text, "\"status\"",
            "`http`, method `presigned`: where in that answer the state is. Without it, `state`."),
        key(
            "done_states", .texts("states"), "[\"completed\"]",
            "`http`, method `presigned`: states that mean that it came through. Without it, `completed`."),
        key(
            "failed_states", .texts("states"), "[\"failed\", \"rejected\"]",
            "`http`, method `presigned`: states that mean that it never will. Without it, `failed`."),
        key(
            "retry_codes", .texts("exit codes"), "[\"1\", \"69\"]",
            "`command`: exit codes that mean “try again later”, besides 75. 0 is success, any other is a failure."
        ),
        key(
            "connect_timeout", .duration(max: .seconds(300)), "\"10 s\"",
            "Longest time for name look-up, connection and encryption. Without it, 10 s; for `sftp` 15 s."),
        key(
            "stall_timeout", .duration(max: .seconds(3600)), "\"30 s\"",
            "Gives up a try when next to nothing moved for so long. Without it, 30 s; for `sftp` 60 s."),
        key(
            "proxy", .text, "\"http://proxy.studio:3128\"",
            "`s3`, `webdav`, `http`: goes through this proxy. The environment is never asked."),
    ]

    static let trust: [ConfigurationKey] = [
        key(
            "user", .text, "\"photos\"",
            "The user there; for `s3` the access key id."),
        key(
            "password_file", .text, "\"credential:nas\"",
            """
            File with the password, token or secret key: an absolute path, or `credential:NAME` for one that systemd \
            hands over (`LoadCredential=`). Nothing secret stands in this file.
            """),
        key(
            "auth", .choice(["basic", "digest", "bearer"]), "\"digest\"",
            "`webdav`, `http`: how the secret is shown. Without it, `basic` with a `user`, else `bearer`."),
        key(
            "session_token_file", .text, "\"credential:aws-token\"",
            "`s3`: file with the token of temporary keys, as `password_file`."),
        key(
            "agent_socket", .path, "\"/run/user/1000/ssh-agent\"",
            "`sftp`: the socket of an ssh agent. Without it, none is asked."),
        key(
            "key_file", .path, "\"/etc/framefast/nas_key\"",
            "`sftp`: the private key. Without it, as ssh has it."),
        key(
            "known_hosts", .path, "\"/etc/framefast/known_hosts\"",
            "`sftp`: host keys. Without it, ssh's own file."),
        key(
            "host_keys", .choice(["known", "accept-new"]), "\"accept-new\"",
            "`sftp`: a server that is not known is refused (`known`, the default), or taken the first time."),
        key(
            "ca_file", .path, "\"/etc/framefast/nas-ca.pem\"",
            "Authorities that may vouch for the server. Without it, the system's."),
        key(
            "insecure", .flag, "false",
            "Takes any certificate: what is sent can be read and changed on the way. For tests only."),
    ]
}
