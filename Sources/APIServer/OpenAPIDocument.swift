/// The interface's own description (OpenAPI 3.1), served and kept as `docs/openapi.yaml`. Edit it here; tests hold
/// it against the route table, the wire types and the file, and write the file when asked to.
enum OpenAPIDocument {
    /// The whole document.
    static let text =
        [
            paths, OpenAPIUploadPaths.text, OpenAPISchemas.text, OpenAPICameraSchemas.text,
            OpenAPIUploadSchemas.text,
        ].joined(separator: "\n") + "\n"

    private static let paths = #"""
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
          /v1/version:
            get:
              operationId: version
              x-access: read
              summary: "Version of the daemon and of this interface"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/VersionReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/openapi.yaml:
            get:
              operationId: openapi
              x-access: read
              summary: "This document"
              responses:
                "200":
                  description: Done
                  content: { application/yaml: { schema: { type: string } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/status:
            get:
              operationId: status
              x-access: read
              summary: "Everything at a glance"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/StatusReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/conditions:
            get:
              operationId: conditions
              x-access: read
              summary: "What needs to be known, worst first"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/ConditionsReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/events:
            get:
              operationId: events
              x-access: read
              summary: "Server-sent events: a snapshot, then numbered changes"
              responses:
                "200":
                  description: |
                    Each event has `id:` (its number), `event:` (its kind) and `data:` (an EventReply on one line). The first
                    is a `snapshot`; each change after it carries the whole new value. A reader that falls behind gets `resync`
                    and then a new `snapshot`. A comment every 15 s shows that the line lives.
                  content: { text/event-stream: { schema: { $ref: "#/components/schemas/EventReply" } } }
                "503": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/cameras:
            get:
              operationId: cameras
              x-access: read
              summary: "All cameras"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CamerasReply" } } }
                "403": { $ref: "#/components/responses/Error" }
            post:
              operationId: cameraAdd
              x-access: control
              summary: "Keep a camera on the network connected"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/CameraAddRequest" } } }
              responses:
                "201":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CameraReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "409": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/cameras/{id}:
            get:
              operationId: camera
              x-access: read
              summary: "One camera"
              parameters: [{ $ref: "#/components/parameters/id" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CameraReply" } } }
                "404": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/cameras/{id}/rename:
            post:
              operationId: cameraRename
              x-access: control
              summary: "Call a camera something else"
              parameters: [{ $ref: "#/components/parameters/id" }]
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/CameraRenameRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CameraReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "409": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/cameras/{id}/ignore:
            post:
              operationId: cameraIgnore
              x-access: control
              summary: "Leave a camera alone, or use it again"
              parameters: [{ $ref: "#/components/parameters/id" }]
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/CameraIgnoreRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CameraReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/cameras/{id}/forget:
            post:
              operationId: cameraForget
              x-access: control
              summary: "Forget a camera that is not there"
              parameters: [{ $ref: "#/components/parameters/id" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CamerasReply" } } }
                "404": { $ref: "#/components/responses/Error" }
                "409": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/makers:
            get:
              operationId: makers
              x-access: read
              summary: "The manufacturer picker, detected makers first"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/MakersReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/discover:
            post:
              operationId: discover
              x-access: control
              summary: "Look for cameras on the network"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/DiscoveryRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DiscoveryReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/diagnosis:
            get:
              operationId: diagnosis
              x-access: read
              summary: "What is wrong here, worst first, with the fix"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DiagnosisReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/cameras/{id}/trigger:
            post:
              operationId: trigger
              x-access: control
              summary: "Release the shutter of one camera"
              parameters: [{ $ref: "#/components/parameters/id" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/TriggerReply" } } }
                "404": { $ref: "#/components/responses/Error" }
                "409": { $ref: "#/components/responses/Error" }
                "501": { $ref: "#/components/responses/Error" }
                "502": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/trigger:
            post:
              operationId: triggerAll
              x-access: control
              summary: "Release the shutter of every ready camera"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/TriggerReply" } } }
                "409": { $ref: "#/components/responses/Error" }
                "501": { $ref: "#/components/responses/Error" }
                "502": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/captures:
            get:
              operationId: captures
              x-access: read
              summary: "Photos, newest first, page by page"
              parameters:
                - { $ref: "#/components/parameters/limit" }
                - { $ref: "#/components/parameters/cursor" }
                - { $ref: "#/components/parameters/session" }
                - { $ref: "#/components/parameters/camera" }
                - { $ref: "#/components/parameters/state" }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CapturesReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/captures/{id}:
            get:
              operationId: capture
              x-access: read
              summary: "One photo"
              parameters: [{ $ref: "#/components/parameters/id" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/CaptureReply" } } }
                "404": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/sessions:
            get:
              operationId: sessions
              x-access: read
              summary: "Sessions, newest first"
              parameters: [{ $ref: "#/components/parameters/limit" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/SessionsReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
            post:
              operationId: sessionStart
              x-access: control
              summary: "Start a session, stopping the running one"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/SessionStartRequest" } } }
              responses:
                "201":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/SessionReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/sessions/stop:
            post:
              operationId: sessionStop
              x-access: control
              summary: "Stop the running session"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/SessionReply" } } }
                "409": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/sessions/{id}/keep:
            post:
              operationId: sessionKeep
              x-access: control
              summary: "Change how long a session's photos are kept here"
              parameters: [{ $ref: "#/components/parameters/id" }]
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/SessionKeepRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/SessionReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/template/test:
            post:
              operationId: templateTest
              x-access: read
              summary: "The next names that a naming template would give"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/TemplateTestRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/TemplateTestReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
        """#
}
