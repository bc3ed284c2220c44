/// The part of ``OpenAPIDocument`` about uploads: what bodies look like.
enum OpenAPIUploadSchemas {
    static let text = #"""
            DestinationsReply:
              type: object
              required: [destinations]
              properties:
                destinations: { type: array, items: { $ref: "#/components/schemas/DestinationReply" } }
            DestinationReply:
              type: object
              required: [name, kind, location, state, breaker, since, figures, bytes_per_second, last_error]
              properties:
                name: { type: string }
                kind: { type: string, examples: [directory, s3, sftp, ftp, ftps, webdav, http, rclone, command] }
                location: { type: string, description: "For people, without secrets" }
                state: { type: string, examples: [ready, paused, metered, away, refusing, testing, removed] }
                breaker: { type: string, examples: [closed, open, half_open] }
                since: { type: string, format: date-time }
                figures: { $ref: "#/components/schemas/UploadFiguresReply" }
                bytes_per_second: { type: integer }
                last_error: { anyOf: [{ $ref: "#/components/schemas/UploadErrorReply" }, { type: "null" }] }
            UploadErrorReply:
              type: object
              required: [at, sentence, next_step]
              properties:
                at: { type: string, format: date-time }
                sentence: { type: string }
                next_step: { type: [string, "null"] }
            DestinationTestReply:
              type: object
              required: [destination, ok, sentence, next_step, steps, took_ms]
              properties:
                destination: { type: string }
                ok: { type: boolean }
                sentence: { type: string }
                next_step: { type: [string, "null"] }
                steps: { type: array, items: { type: string }, description: "What was done, in order" }
                took_ms: { type: integer }
            UploadsReply:
              type: object
              required: [jobs, next_cursor]
              properties:
                jobs: { type: array, items: { $ref: "#/components/schemas/UploadJobReply" } }
                next_cursor: { type: [string, "null"] }
            UploadJobReply:
              type: object
              description: "One photo on its way to one destination; `queued`, `waiting`, `failed` are counted as waiting, retrying, abandoned"
              required:
                [
                  id, capture, original_name, path, camera_id, camera_name, session, destination, is_removed, state, reason, next_step,
                  attempts, retry_at, bytes, bytes_sent, proof, evidence, remote_name, updated_at
                ]
              properties:
                id: { type: integer }
                capture: { type: integer }
                original_name: { type: string }
                path: { type: string }
                camera_id: { type: string }
                camera_name: { type: string }
                session: { type: [integer, "null"] }
                destination: { type: string }
                is_removed: { type: boolean, description: "Whether the destination is no longer configured" }
                state: { type: string, examples: [held, queued, uploading, verifying, delivered, waiting, failed] }
                reason: { type: [string, "null"] }
                next_step: { type: [string, "null"] }
                attempts: { type: integer }
                retry_at: { type: [string, "null"], format: date-time }
                bytes: { type: integer }
                bytes_sent: { type: integer }
                proof: { type: [string, "null"], examples: [checksum, size, word] }
                evidence: { type: [string, "null"] }
                remote_name: { type: [string, "null"] }
                updated_at: { type: string, format: date-time }
            UploadSelection:
              type: object
              description: "All that is given must fit; jobs in states that do not fit the change are passed over"
              properties:
                destination: { type: string }
                session: { type: integer }
                camera: { type: string }
                state: { type: string }
                ids: { type: array, items: { type: integer }, minItems: 1, maxItems: 1000 }
                all: { type: boolean, description: "True for every job, when nothing else is given" }
                dry_run: { type: boolean, description: "True to count only" }
            UploadAddRequest:
              type: object
              required: [to]
              properties:
                to: { type: string, description: Name of the destination }
                session: { type: integer }
                camera: { type: string }
                ids: { type: array, items: { type: integer }, minItems: 1, maxItems: 1000 }
                all: { type: boolean, description: "True for every photo, when nothing else is given" }
            UploadChangeReply:
              type: object
              required: [changed]
              properties:
                changed: { type: integer }
            ModeReply:
              type: object
              required: [mode, threshold, window, after_photos, session, session_name, held, sentence]
              properties:
                mode: { type: string, examples: [realtime, offline, jpeg-first, rated, manual, scheduled] }
                threshold: { type: [integer, "null"] }
                window: { type: [string, "null"] }
                after_photos: { type: [integer, "null"] }
                session: { type: [integer, "null"] }
                session_name: { type: [string, "null"] }
                held: { type: integer }
                sentence: { type: string }
            ModeRequest:
              type: object
              required: [mode]
              properties:
                mode: { type: string, examples: [realtime, offline, jpeg-first, rated, manual, scheduled] }
                threshold: { type: integer, minimum: 1, maximum: 5, description: With rated }
                window: { type: string, examples: ["22:00-06:00"], description: With scheduled }
                after_photos: { type: integer, minimum: 0, maximum: 100000, description: "With scheduled; 0 when their number does not matter" }
            StorageSummaryReply:
              type: object
              required: [total, uploaded, pending, failed, local, cleared, sessions]
              properties:
                total: { $ref: "#/components/schemas/StorageAmountReply" }
                uploaded: { $ref: "#/components/schemas/StorageAmountReply" }
                pending: { $ref: "#/components/schemas/StorageAmountReply" }
                failed: { $ref: "#/components/schemas/StorageAmountReply" }
                local: { $ref: "#/components/schemas/StorageAmountReply" }
                cleared: { $ref: "#/components/schemas/StorageAmountReply" }
                sessions: { type: array, items: { $ref: "#/components/schemas/SessionStorageReply" } }
            SessionStorageReply:
              type: object
              required: [session, name, keep, total, uploaded, pending, failed, local, cleared]
              properties:
                session: { type: [integer, "null"] }
                name: { type: [string, "null"] }
                keep: { type: string, examples: [7 d, 30 d, forever, until-delivered] }
                total: { $ref: "#/components/schemas/StorageAmountReply" }
                uploaded: { $ref: "#/components/schemas/StorageAmountReply" }
                pending: { $ref: "#/components/schemas/StorageAmountReply" }
                failed: { $ref: "#/components/schemas/StorageAmountReply" }
                local: { $ref: "#/components/schemas/StorageAmountReply" }
                cleared: { $ref: "#/components/schemas/StorageAmountReply" }
            StorageAmountReply:
              type: object
              required: [files, bytes]
              properties:
                files: { type: integer }
                bytes: { type: integer }
            StorageClearReply:
              type: object
              required: [files, bytes, kept]
              properties:
                files: { type: integer }
                bytes: { type: integer }
                kept: { type: integer, description: Delivered and not removed }
            StorageClearRequest:
              type: object
              required: [delivered]
              properties:
                delivered: { type: boolean, const: true }
                session: { type: integer }
                older_than_seconds: { type: integer, minimum: 0 }
                dry_run: { type: boolean, description: "True to count only" }
        """#
}
