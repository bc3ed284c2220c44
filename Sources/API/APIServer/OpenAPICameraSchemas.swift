/// The part of ``OpenAPIDocument`` about cameras: what they are, how they are found, what is wrong with them.
enum OpenAPICameraSchemas {
    static let text = #"""
            CamerasReply:
              type: object
              required: [cameras]
              properties:
                cameras: { type: array, items: { $ref: "#/components/schemas/CameraReply" } }
            CameraReply:
              type: object
              required:
                [
                  id, name, maker, model, serial, firmware, port, state, battery_percent, shots_left,
                  clock_drift_seconds, storages, last_capture, progress, pending, mode, guidance, capture_target,
                  is_ignored, last_seen_at
                ]
              properties:
                id: { type: string }
                name: { type: string }
                maker: { type: [string, "null"] }
                model: { type: [string, "null"] }
                serial: { type: [string, "null"] }
                firmware: { type: [string, "null"] }
                port: { type: [string, "null"] }
                state:
                  type: string
                  examples:
                    [
                      searching, wrong_mode, in_use, no_permission, connecting, ready, capturing, downloading, reconnecting,
                      gone, failed
                    ]
                battery_percent: { type: [integer, "null"] }
                shots_left: { type: [integer, "null"] }
                clock_drift_seconds: { type: [integer, "null"] }
                storages: { type: array, items: { $ref: "#/components/schemas/StorageReply" } }
                last_capture: { anyOf: [{ $ref: "#/components/schemas/LastCaptureReply" }, { type: "null" }] }
                progress: { anyOf: [{ $ref: "#/components/schemas/ProgressReply" }, { type: "null" }] }
                pending: { type: integer }
                mode: { type: [string, "null"] }
                guidance: { anyOf: [{ $ref: "#/components/schemas/GuidanceReply" }, { type: "null" }] }
                capture_target: { type: [string, "null"] }
                is_ignored: { type: boolean }
                last_seen_at: { type: [string, "null"], format: date-time }
            GuidanceReply:
              type: object
              required: [sentence, steps]
              properties:
                sentence: { type: string }
                steps: { type: array, items: { type: string } }
            CameraAddRequest:
              type: object
              required: [address]
              properties:
                address: { type: string }
                name: { type: string }
                maker: { type: string }
            CameraRenameRequest:
              type: object
              required: [name]
              properties:
                name: { type: string, minLength: 1, maxLength: 60 }
            CameraIgnoreRequest:
              type: object
              required: [ignored]
              properties:
                ignored: { type: boolean }
            MakersReply:
              type: object
              required: [makers]
              properties:
                makers: { type: array, items: { $ref: "#/components/schemas/MakerReply" } }
            MakerReply:
              type: object
              required: [id, name, summary, is_detected, usb, network]
              properties:
                id: { type: string }
                name: { type: string }
                summary: { type: string }
                is_detected: { type: boolean }
                usb: { $ref: "#/components/schemas/GuidanceReply" }
                network: { anyOf: [{ $ref: "#/components/schemas/GuidanceReply" }, { type: "null" }] }
            DiscoveryRequest:
              type: object
              properties:
                maker: { type: string }
                address: { type: string }
                sweep: { type: boolean }
                after: { type: string }
            DiscoveryReply:
              type: object
              required: [found, failures, tried, asking, sweep, guidance]
              properties:
                found: { type: array, items: { $ref: "#/components/schemas/FoundReply" } }
                failures: { type: array, items: { $ref: "#/components/schemas/FailureReply" } }
                tried: { type: integer }
                asking: { type: array, items: { $ref: "#/components/schemas/AskingReply" } }
                sweep: { anyOf: [{ $ref: "#/components/schemas/SweepReply" }, { type: "null" }] }
                guidance: { anyOf: [{ $ref: "#/components/schemas/GuidanceReply" }, { type: "null" }] }
            AskingReply:
              type: object
              required: [address, until]
              properties:
                address: { type: string }
                until: { type: string, format: date-time }
            SweepReply:
              type: object
              required: [done, total, next]
              properties:
                done: { type: integer }
                total: { type: integer }
                next: { type: [string, "null"] }
            FoundReply:
              type: object
              required: [address, camera_name, camera]
              properties:
                address: { type: string }
                camera_name: { type: string }
                camera: { type: [string, "null"] }
            FailureReply:
              type: object
              required: [kind, count]
              properties:
                kind:
                  type: string
                  examples:
                    [
                      timeout, port_closed, host_unreachable, network_unreachable, permission_denied, refused,
                      not_ptpip, other
                    ]
                count: { type: integer }
            DiagnosisReply:
              type: object
              required: [checks]
              properties:
                checks: { type: array, items: { $ref: "#/components/schemas/CheckReply" } }
            CheckReply:
              type: object
              required: [id, title, verdict, sentence, steps]
              properties:
                id: { type: string }
                title: { type: string }
                verdict: { type: string, examples: [ok, info, warning, danger] }
                sentence: { type: string }
                steps: { type: array, items: { type: string } }
            StorageReply:
              type: object
              required: [label, capacity_bytes, free_bytes]
              properties:
                label: { type: string }
                capacity_bytes: { type: [integer, "null"] }
                free_bytes: { type: [integer, "null"] }
            LastCaptureReply:
              type: object
              required: [id, path, saved_at]
              properties:
                id: { type: integer }
                path: { type: string }
                saved_at: { type: string, format: date-time }
            ProgressReply:
              type: object
              required: [original_name, bytes, total_bytes]
              properties:
                original_name: { type: string }
                bytes: { type: integer }
                total_bytes: { type: integer }
        """#
}
