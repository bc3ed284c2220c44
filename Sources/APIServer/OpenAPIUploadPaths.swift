/// The part of ``OpenAPIDocument`` about uploads: what can be asked.
enum OpenAPIUploadPaths {
    static let text = #"""
          /v1/destinations:
            get:
              operationId: destinations
              x-access: read
              summary: "The places that photos go to, and how they are"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DestinationsReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/destinations/{id}/test:
            post:
              operationId: destinationTest
              x-access: control
              summary: "Upload a probe to a destination and remove it"
              parameters: [{ $ref: "#/components/parameters/id" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DestinationTestReply" } } }
                "404": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/destinations/{id}/pause:
            post:
              operationId: destinationPause
              x-access: control
              summary: "Send nothing more to a destination"
              parameters: [{ $ref: "#/components/parameters/id" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DestinationReply" } } }
                "404": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/destinations/{id}/resume:
            post:
              operationId: destinationResume
              x-access: control
              summary: "Send to a destination again"
              parameters: [{ $ref: "#/components/parameters/id" }]
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DestinationReply" } } }
                "404": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads:
            get:
              operationId: uploads
              x-access: read
              summary: "Upload jobs, newest first, page by page"
              parameters:
                - { $ref: "#/components/parameters/limit" }
                - { $ref: "#/components/parameters/cursor" }
                - { $ref: "#/components/parameters/states" }
                - { $ref: "#/components/parameters/destination" }
                - { $ref: "#/components/parameters/session" }
                - { $ref: "#/components/parameters/camera" }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/UploadsReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads/pause:
            post:
              operationId: uploadsPause
              x-access: control
              summary: "Send nothing more to any destination"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DestinationsReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads/resume:
            post:
              operationId: uploadsResume
              x-access: control
              summary: "Send to every destination again"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/DestinationsReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads/retry:
            post:
              operationId: uploadsRetry
              x-access: control
              summary: "Try failed and waiting uploads again, now"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/UploadSelection" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/UploadChangeReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads/hold:
            post:
              operationId: uploadsHold
              x-access: control
              summary: "Keep uploads back until they are released"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/UploadSelection" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/UploadChangeReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads/release:
            post:
              operationId: uploadsRelease
              x-access: control
              summary: "Let held uploads go"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/UploadSelection" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/UploadChangeReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads/drop:
            post:
              operationId: uploadsDrop
              x-access: control
              summary: "Forget uploads that are not delivered; files stay"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/UploadSelection" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/UploadChangeReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/uploads/add:
            post:
              operationId: uploadsAdd
              x-access: control
              summary: "Send photos to a destination, also late"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/UploadAddRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/UploadChangeReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/mode:
            get:
              operationId: mode
              x-access: read
              summary: "When photos are uploaded"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/ModeReply" } } }
                "403": { $ref: "#/components/responses/Error" }
            post:
              operationId: modeSet
              x-access: control
              summary: "Change when photos are uploaded, at once"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/ModeRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/ModeReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
          /v1/storage:
            get:
              operationId: storage
              x-access: read
              summary: "The photos here, by how far their uploads are"
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/StorageSummaryReply" } } }
                "403": { $ref: "#/components/responses/Error" }
          /v1/storage/clear:
            post:
              operationId: storageClear
              x-access: control
              summary: "Remove files here that are delivered everywhere"
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: "#/components/schemas/StorageClearRequest" } } }
              responses:
                "200":
                  description: Done
                  content: { application/json: { schema: { $ref: "#/components/schemas/StorageClearReply" } } }
                "400": { $ref: "#/components/responses/Error" }
                "404": { $ref: "#/components/responses/Error" }
                "413": { $ref: "#/components/responses/Error" }
                "422": { $ref: "#/components/responses/Error" }
                "403": { $ref: "#/components/responses/Error" }
        """#
}
