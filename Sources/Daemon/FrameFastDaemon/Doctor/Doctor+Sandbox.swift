import FrameFastAPI
import FrameFastSystem

extension Doctor {
    /// Checks how far the kernel can confine camera workers.
    func sandbox(_ kernel: KernelSandboxing = .current) -> Check {
        let title = "Worker sandbox"
        guard let missing = kernel.missing else {
            return Check(
                id: "sandbox", title: title, verdict: .ok,
                sentence: """
                    Camera workers are kept to their camera and folders (Landlock \(kernel.landlockVersion)) and a \
                    worker of a USB camera to no network (seccomp).
                    """)
        }
        return Check(
            id: "sandbox", title: title, verdict: .info,
            sentence: "The kernel has no \(missing): camera workers are confined less strictly.",
            steps: [
                "Use a kernel of 5.13 or later with Landlock among its security modules (lsm=landlock,…)."
            ])
    }
}
