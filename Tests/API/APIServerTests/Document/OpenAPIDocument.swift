import FrameFastAPI

@testable import APIServer

/// The description of the API in OpenAPI 3.1. `docs/openapi.yaml` stores the description, and the server
/// serves that file. The paths come from the endpoints, and the schemas come from the wire types.
enum OpenAPIDocument {
    /// Returns the whole document.
    static func text() throws -> String { try node().lines().joined(separator: "\n") + "\n" }

    private static func node() throws -> DocumentNode {
        let reader = SchemaReader()
        let paths = try OpenAPIPaths(reader: reader).node()
        try reader.read(ErrorReply.self)
        let bodies = reader.schemas.values.filter { !$0.isQuery }.sorted { $0.name < $1.name }
        let error: DocumentNode = [
            "description": "The request failed; the body has the reason",
            "content": ["application/json": ["schema": OpenAPISchemas.reference("ErrorReply")]],
        ]
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "FrameFast for Linux", "version": .text(String(APIVersion.current)),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
                "description": .text(description),
            ],
            "servers": [
                [
                    "url": "http://framefast",
                    "description": "The host name has no meaning on a Unix socket",
                ]
            ],
            "security": [],
            "paths": paths,
            "components": [
                "responses": ["Error": error],
                "schemas": .map(bodies.map { ($0.name, OpenAPISchemas.node($0)) }),
            ],
        ]
    }

    private static let description = """
        HTTP and JSON on a Unix socket, for example
        `curl --unix-socket /run/framefast/framefast.sock http://framefast/v1/status`.
        Root, the daemon's own user and members of group `framefast` may use all routes. If `api.public_status` is on,
        other users may use routes with access `read`. Times are ISO 8601 in UTC. Every key is always present, and an
        unknown value is null. New states, codes and kinds may be added within a version, so do not treat an unknown
        value as an error. Original names come from cameras: escape them before you print them to a terminal.
        """
}

extension WireSchema {
    /// Whether the schema describes query parameters of an endpoint.
    fileprivate var isQuery: Bool {
        Endpoints.rows.contains { $0.takesQuery && SchemaReader.name(of: $0.inputType) == name }
    }
}
