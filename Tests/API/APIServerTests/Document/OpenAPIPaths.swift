import FrameFastAPI

@testable import APIServer

/// The `paths` of ``OpenAPIDocument``, generated from the endpoints.
struct OpenAPIPaths {
    let reader: SchemaReader

    func node() throws -> DocumentNode {
        var paths: [(key: String, value: DocumentNode)] = []
        for row in Endpoints.rows where !paths.contains(where: { $0.key == row.path }) {
            let operations = try Endpoints.rows.filter { $0.path == row.path }.map { operation in
                (key: operation.method.rawValue.lowercased(), value: try node(operation))
            }
            paths.append((row.path, .map(operations)))
        }
        return .map(paths)
    }

    private func node(_ row: EndpointRow) throws -> DocumentNode {
        var pairs: [(key: String, value: DocumentNode)] = [
            ("operationId", .text(row.name)), ("x-access", .text(row.access.rawValue)),
            ("summary", .text(row.summary)),
        ]
        var parameters: [DocumentNode] = []
        if row.takesPath { parameters.append(pathParameter(row)) }
        if row.takesInput {
            let schema = try reader.read(row.inputType)
            if row.takesQuery {
                parameters += schema.fields.map(queryParameter)
            } else {
                let body = Self.content("application/json", OpenAPISchemas.reference(schema.name))
                pairs.append(("requestBody", ["required": .flag(true), "content": body]))
            }
        }
        if !parameters.isEmpty { pairs.insert(("parameters", .list(parameters)), at: 3) }
        pairs.append(("responses", .map([(String(row.status), try successResponse(row))] + refusals(row))))
        return .map(pairs)
    }

    private func pathParameter(_ row: EndpointRow) -> DocumentNode {
        let schema: DocumentNode =
            row.pathType.isNumber
            ? ["type": "integer", "format": "int64"] : ["type": "string", "minLength": .integer(1)]
        return ["name": "id", "in": "path", "required": .flag(true), "schema": schema]
    }

    private func queryParameter(_ field: WireSchema.Field) -> DocumentNode {
        var field = field
        var pairs: [(key: String, value: DocumentNode)] = [("name", .text(field.key)), ("in", "query")]
        if let description = field.declaration?.description, !description.isEmpty {
            pairs.append(("description", .text(description)))
        }
        if case .list = field.kind {
            pairs.append(("style", "form"))
            pairs.append(("explode", .flag(false)))
        }
        field.declaration?.description = ""
        pairs.append(("schema", OpenAPISchemas.node(field, isParameter: true)))
        return .map(pairs)
    }

    private func successResponse(_ row: EndpointRow) throws -> DocumentNode {
        let description: DocumentNode = .text(row.explanation.isEmpty ? "Done" : row.explanation)
        let content: DocumentNode =
            switch row.reply {
            case .json(let type):
                Self.content("application/json", OpenAPISchemas.reference(try reader.read(type).name))
            case .text(let type):
                .map(
                    type.contentTypes.map { form in
                        let schema: DocumentNode = ["schema": ["type": .text(type.schemaType)]]
                        return (key: String(form.prefix { $0 != ";" }), value: schema)
                    })
            case .events(let type):
                Self.content("text/event-stream", OpenAPISchemas.reference(try reader.read(type).name))
            case .picture(let type):
                Self.content(
                    String(type.prefix { $0 != ";" }), ["type": "string", "format": "binary"])
            }
        return ["description": description, "content": content]
    }

    /// Returns one response for each error status. Error codes with the same status differ in the body.
    private func refusals(_ row: EndpointRow) -> [(key: String, value: DocumentNode)] {
        let body: DocumentNode = ["$ref": "#/components/responses/Error"]
        return row.errors.map { (String($0.httpStatus), body) }
    }

    private static func content(_ type: String, _ schema: DocumentNode) -> DocumentNode {
        let body: DocumentNode = ["schema": schema]
        return .map([(type, body)])
    }
}
