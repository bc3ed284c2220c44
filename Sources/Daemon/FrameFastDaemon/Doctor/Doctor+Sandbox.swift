import FrameFastAPI
import FrameFastSystem

extension Doctor {
    /// Checks how far the kernel can confine camera workers.
    static func sandbox(_ kernel: KernelSandboxing = .current) -> Check {
        let title = "Worker sandbox"
        guard let missing = kernel.missing else {
            return Check(
                id: "sandbox", title: title, verdict: .ok,
                sentence: """
                    Camera workers can access only their camera and folders (Landlock \(kernel.landlockVersion)), and a \
                    worker of a USB camera has no network access (seccomp).
                    """)
        }
        var steps: [String] = []
        if kernel.landlockVersion == 0 {
            steps.append("Use kernel 5.13 or later with Landlock enabled (lsm=landlock,…).")
        }
        if !kernel.filtersCalls {
            steps.append("Use a kernel with seccomp filters (CONFIG_SECCOMP_FILTER=y).")
        }
        return Check(
            id: "sandbox", title: title, verdict: .info,
            sentence: "The kernel has no \(missing): the sandbox of camera workers is weaker.", steps: steps)
    }
}
