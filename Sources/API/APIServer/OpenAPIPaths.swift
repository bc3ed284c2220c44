import FrameFastAPI

/// The part of ``OpenAPIDocument`` about what can be asked, made from the route table.
enum OpenAPIPaths {
    static let text: String = {
        var lines: [String] = []
        var paths: [String] = []
        for route in Route.allCases where !paths.contains(route.row.path) { paths.append(route.row.path) }
        for path in paths {
            lines.append("  \(path):")
            for route in Route.allCases where route.row.path == path { lines += operation(route) }
        }
        return lines.joined(separator: "\n")
    }()

    private static func operation(_ route: Route) -> [String] {
        let (row, contract) = (route.row, route.contract)
        let named = row.path.contains("{id}")
        var lines = [
            "    \(row.method.rawValue.lowercased()):",
            "      operationId: \(route.rawValue)",
            "      x-access: \(row.access.rawValue)",
            "      summary: \"\(row.summary)\"",
        ]
        let parameters = (named ? ["id"] : []) + contract.parameters
        if !parameters.isEmpty { lines.append("      parameters:") }
        lines += parameters.map { "        - { $ref: \"#/components/parameters/\($0)\" }" }
        if let body = contract.body {
            lines += ["      requestBody:", "        required: true", "        content: \(json(body))"]
        }
        lines += ["      responses:", "        \"\(contract.status)\":"]
        lines += goodAnswer(route)
        var errors = contract.errors.union([403])
        if named { errors.insert(404) }
        if contract.body != nil { errors.formUnion([400, 413]) }
        lines += errors.sorted().map { "        \"\($0)\": { $ref: \"#/components/responses/Error\" }" }
        return lines
    }

    private static func goodAnswer(_ route: Route) -> [String] {
        switch route {
        case .openapi:
            [
                "          description: Done",
                "          content: { application/yaml: { schema: { type: string } } }",
            ]
        case .metrics:
            [
                "          description: Done",
                "          content: { application/openmetrics-text: { schema: { type: string } } }",
            ]
        case .events:
            [
                "          description: |",
                "            Each event has `id:` (its number), `event:` (its kind) and `data:` (an EventReply on one line).",
                "            The first is a `snapshot`; each change after it carries the whole new value. A reader that falls",
                "            behind gets `resync` and then a new `snapshot`. A comment every 15 s shows that the line lives.",
                "          content: { text/event-stream: { schema: \(reference(route.contract.reply)) } }",
            ]
        default: ["          description: Done", "          content: \(json(route.contract.reply))"]
        }
    }

    private static func json(_ schema: String) -> String {
        "{ application/json: { schema: \(reference(schema)) } }"
    }

    private static func reference(_ schema: String) -> String {
        "{ $ref: \"#/components/schemas/\(schema)\" }"
    }
}
