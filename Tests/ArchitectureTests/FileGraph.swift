/// The dependencies between the files of a module, found by the names that each file declares and uses.
///
/// An extension file such as `Foo+Bar.swift` counts as a part of the file that declares `Foo`, unless the
/// extension file only declares nested types. The graph omits uses of global constants, and of members (such
/// as methods) that are written without their type's name.
struct FileGraph {
    /// The file names.
    let files: [String]
    /// The names that each file uses, by the index of the declaring file. Empty for a part of another file.
    private let uses: [[Int: Set<String>]]

    /// Finds the dependencies.
    ///
    /// - Parameter sources: The files of one module. The compiler requires different file names.
    init(_ sources: [(name: String, text: String)]) {
        let all = sources.map { SourceNames($0.text) }
        var fileOfType: [String: Int] = [:]
        var fileOfFunction: [String: Int] = [:]
        for (file, names) in all.enumerated() {
            for type in names.types { fileOfType[type] = file }
            for function in names.functions { fileOfFunction[function] = file }
        }
        let main = sources.indices.map { file -> Int in
            let parts = sources[file].name.split(separator: "+")
            guard parts.count == 2, all[file].extendsBehavior else { return file }
            return fileOfType[String(parts[0])] ?? file
        }
        files = sources.map(\.name)
        var uses = [[Int: Set<String>]](repeating: [:], count: sources.count)
        for (file, names) in all.enumerated() {
            var found = names.usedTypes.compactMap { Self.resolve($0, in: names, fileOfType) }
            for name in names.calledFunctions {
                if let other = fileOfFunction[name] { found.append((name, other)) }
            }
            for (name, other) in found where main[other] != main[file] {
                uses[main[file]][main[other], default: []].insert(name)
            }
        }
        self.uses = uses
    }

    /// Returns the full name of a used type and the file that declares the type. Returns `nil` for a private
    /// type and for a type of another module.
    private static func resolve(
        _ name: String, in names: SourceNames, _ fileOfType: [String: Int]
    ) -> (String, Int)? {
        var parts = name.split(separator: ".")
        if parts.count > 1 && parts[0] == "Self" { parts.removeFirst() }
        // The type is the longest prefix of the name that a file declares. The rest of the name is a member,
        // for example a type that another module nests in this type.
        for count in stride(from: parts.count, to: 0, by: -1) {
            let part = parts[..<count].joined(separator: ".")
            for outer in names.outerTypes {
                let full = outer.isEmpty ? part : "\(outer).\(part)"
                if names.privateTypes.contains(full) { return nil }
                if let file = fileOfType[full] { return (full, file) }
            }
        }
        return nil
    }

    /// The groups of files in which each file depends, directly or indirectly, on every other file.
    var cycles: [[Int]] {
        let reachable = files.indices.map { start in
            var found: Set<Int> = []
            var pending = Array(uses[start].keys)
            while let file = pending.popLast() {
                if found.insert(file).inserted { pending += uses[file].keys }
            }
            return found
        }
        var groups: Set<[Int]> = []
        for start in files.indices where reachable[start].contains(start) {
            groups.insert(reachable[start].filter { reachable[$0].contains(start) }.sorted())
        }
        return groups.sorted { $0[0] < $1[0] }
    }

    /// Returns the dependencies inside a cycle, one per line.
    func description(of cycle: [Int]) -> String {
        cycle.flatMap { file in
            cycle.compactMap { other in
                uses[file][other].map { names in
                    "\(files[file]) uses \(names.sorted().joined(separator: ", ")) of \(files[other])"
                }
            }
        }.joined(separator: "\n")
    }
}
