/// The interface's own description (OpenAPI 3.1), served and kept as `docs/openapi.yaml`. The paths come from the
/// route table; tests hold the rest against the wire types and the file, and write the file when asked to.
enum OpenAPIDocument {
    /// The whole document.
    static let text =
        [
            head, OpenAPIPaths.text, OpenAPISchemas.text, OpenAPICameraSchemas.text,
            OpenAPIUploadSchemas.text,
        ].joined(separator: "\n") + "\n"

    private static let head = #"""
        openapi: 3.1.0
        info:
          title: FrameFast for Linux
          version: "1"
          license: { name: Apache-2.0, identifier: Apache-2.0 }
          description: |
            HTTP and JSON on a Unix socket, for example
            `curl --unix-socket /run/framefast/framefast.sock http://framefast/v1/status`.
            Root, the daemon's own user and members of group `framefast` may do everything; others may use routes of
            access `read` when `api.public_status` is on. Times are ISO 8601 in UTC. Every key is always there; what is
            not known is null. Words (states, codes, kinds) may grow within a version: treat one that you do not know as
            such, not as an error. Original names come from cameras: escape them before they reach a terminal.
        servers:
          - { url: "http://framefast", description: The host part is of no meaning on a Unix socket }
        security: []
        paths:
        """#
}
