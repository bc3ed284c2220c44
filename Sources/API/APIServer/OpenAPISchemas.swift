/// The second half of ``OpenAPIDocument``: what bodies look like.
enum OpenAPISchemas {
    static let text = #"""
        components:
          parameters:
            id: { name: id, in: path, required: true, schema: { type: string } }
            limit: { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 1000 } }
            cursor: { name: cursor, in: query, schema: { type: string }, description: next_cursor of the page before }
            session: { name: session, in: query, schema: { type: integer } }
            camera: { name: camera, in: query, schema: { type: string } }
            state: { name: state, in: query, schema: { type: string } }
            states: { name: state, in: query, schema: { type: string }, description: "One state or several, held,queued" }
            destination: { name: destination, in: query, schema: { type: string } }
          responses:
            Error:
              description: It was not done; the body says why
              content: { application/json: { schema: { $ref: "#/components/schemas/ErrorReply" } } }
          schemas:
            VersionReply:
              type: object
              required: [version, api_version]
              properties:
                version: { type: string }
                api_version: { type: integer }
            StatusReply:
              type: object
              required:
                [version, state, started_at, cameras, session, captures, disk, uploads, destinations, conditions]
              properties:
                version: { type: string }
                state: { type: string, examples: [starting, running, stopping] }
                started_at: { type: string, format: date-time }
                cameras: { type: array, items: { $ref: "#/components/schemas/CameraReply" } }
                session: { anyOf: [{ $ref: "#/components/schemas/SessionReply" }, { type: "null" }] }
                captures: { $ref: "#/components/schemas/CaptureFiguresReply" }
                disk: { $ref: "#/components/schemas/DiskReply" }
                uploads: { $ref: "#/components/schemas/UploadFiguresReply" }
                destinations: { type: array, items: { $ref: "#/components/schemas/DestinationReply" } }
                conditions: { type: array, items: { $ref: "#/components/schemas/ConditionReply" } }
            CaptureFiguresReply:
              type: object
              required:
                [shots, shots_today, shots_per_minute, total, today, bytes, verify, awaiting_reread]
              properties:
                shots: { type: integer }
                shots_today: { type: integer }
                shots_per_minute: { type: integer }
                total: { type: integer }
                today: { type: integer }
                bytes: { type: integer }
                verify: { type: string, examples: [structure, reread] }
                awaiting_reread: { type: integer }
            DiskReply:
              type: object
              required: [directory, free_bytes, min_free_bytes, total_bytes, guard]
              properties:
                directory: { type: string }
                free_bytes: { type: integer }
                min_free_bytes: { type: integer }
                total_bytes: { type: [integer, "null"] }
                guard: { type: string, examples: [ok, low, full] }
            UploadFiguresReply:
              type: object
              required: [held, waiting, uploading, verifying, delivered, retrying, abandoned]
              properties:
                held: { type: integer }
                waiting: { type: integer }
                uploading: { type: integer }
                verifying: { type: integer }
                delivered: { type: integer }
                retrying: { type: integer }
                abandoned: { type: integer }
            ConditionReply:
              type: object
              required: [code, severity, since, about, subject, name, short, sentence, next_step]
              properties:
                code: { type: string }
                severity: { type: string, examples: [info, warning, danger] }
                since: { type: string, format: date-time }
                about: { type: string, examples: [service, camera, destination, hook, folder] }
                subject: { type: [string, "null"] }
                name: { type: [string, "null"] }
                short: { type: string }
                sentence: { type: string }
                next_step: { type: [string, "null"] }
            ConditionsReply:
              type: object
              required: [conditions]
              properties:
                conditions: { type: array, items: { $ref: "#/components/schemas/ConditionReply" } }
            CapturesReply:
              type: object
              required: [captures, next_cursor]
              properties:
                captures: { type: array, items: { $ref: "#/components/schemas/CaptureReply" } }
                next_cursor: { type: [string, "null"] }
            CaptureReply:
              type: object
              required:
                [
                  id, shot_id, shot_state, path, original_name, size, sha256, camera_id, camera_name, session,
                  captured_at, detected_at, saved_at, state, transfer_ms, saved_ms, problem, cleared_at, verified
                ]
              properties:
                id: { type: integer }
                shot_id: { type: integer }
                shot_state: { type: string }
                path: { type: [string, "null"] }
                original_name: { type: string }
                size: { type: integer }
                sha256: { type: [string, "null"] }
                camera_id: { type: string }
                camera_name: { type: string }
                session: { type: [integer, "null"] }
                captured_at: { type: [string, "null"], format: date-time }
                detected_at: { type: string, format: date-time }
                saved_at: { type: [string, "null"], format: date-time }
                state:
                  type: string
                  examples:
                    [
                      damaged, upload_failed, retrying, receiving, uploading, queued, held, saved, delivered,
                      cleared
                    ]
                transfer_ms: { type: [integer, "null"] }
                saved_ms: { type: [integer, "null"] }
                problem: { type: [string, "null"] }
                cleared_at: { type: [string, "null"], format: date-time }
                verified: { type: [string, "null"], examples: [structure, awaiting_reread, reread] }
            SessionsReply:
              type: object
              required: [sessions]
              properties:
                sessions: { type: array, items: { $ref: "#/components/schemas/SessionReply" } }
            SessionReply:
              type: object
              required: [id, name, started_at, ended_at, shots, captures, bytes, upload_mode, keep]
              properties:
                id: { type: integer }
                name: { type: string }
                started_at: { type: string, format: date-time }
                ended_at: { type: [string, "null"], format: date-time }
                shots: { type: integer }
                captures: { type: integer }
                bytes: { type: integer }
                upload_mode: { type: string, examples: [realtime, offline, jpeg-first, rated, manual, scheduled] }
                keep: { type: [string, "null"], examples: [7 d, 30 d, forever, until-delivered] }
            SessionStartRequest:
              type: object
              required: [name]
              properties:
                name: { type: string, minLength: 1, maxLength: 120 }
                upload_mode: { type: string, examples: [realtime, offline, jpeg-first, rated, manual, scheduled] }
                keep: { type: string, examples: [7 d, 30 d, forever, until-delivered] }
            SessionKeepRequest:
              type: object
              required: []
              properties:
                keep: { type: string, examples: [7 d, 30 d, forever, until-delivered] }
            TriggerReply:
              type: object
              required: [triggered, refused]
              properties:
                triggered: { type: array, items: { type: string } }
                refused: { type: array, items: { $ref: "#/components/schemas/Refusal" } }
            Refusal:
              type: object
              required: [camera, message]
              properties:
                camera: { type: string }
                message: { type: string }
            TemplateTestRequest:
              type: object
              required: [template]
              properties:
                template: { type: string, minLength: 1, maxLength: 500 }
                count: { type: integer, minimum: 1, maximum: 20, default: 3 }
            TemplateTestReply:
              type: object
              required: [template, names]
              properties:
                template: { type: string }
                names: { type: array, items: { type: string } }
            EventReply:
              type: object
              description: One key more by kind, holding the whole new value; camera_removed and resync hold none or an id
              required: [seq, at, kind]
              properties:
                seq: { type: integer }
                at: { type: string, format: date-time }
                kind:
                  type: string
                  examples:
                    [snapshot, camera, camera_removed, capture, session, upload, destination, conditions, figures, state, resync]
                snapshot: { $ref: "#/components/schemas/StatusReply" }
                camera: { $ref: "#/components/schemas/CameraReply" }
                id: { type: string, description: with camera_removed }
                capture: { $ref: "#/components/schemas/CaptureReply" }
                session: { $ref: "#/components/schemas/SessionReply" }
                upload: { $ref: "#/components/schemas/UploadJobReply" }
                destination: { $ref: "#/components/schemas/DestinationReply" }
                conditions: { type: array, items: { $ref: "#/components/schemas/ConditionReply" } }
                captures: { $ref: "#/components/schemas/CaptureFiguresReply" }
                disk: { $ref: "#/components/schemas/DiskReply" }
                uploads: { $ref: "#/components/schemas/UploadFiguresReply" }
                state: { type: string }
            ErrorReply:
              type: object
              required: [error]
              properties:
                error:
                  type: object
                  required: [code, message, next_step]
                  properties:
                    code:
                      type: string
                      description: Each has one HTTP status
                      examples:
                        [
                          bad_request, forbidden, not_found, wrong_method, conflict, too_long, invalid, internal,
                          unsupported, camera_failed, unavailable
                        ]
                    message: { type: string, description: "Lower case, no full stop" }
                    next_step: { type: [string, "null"], description: What the person can do }
        """#
}
