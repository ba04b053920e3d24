// swift-tools-version: 6.2

import PackageDescription

// The package as Apple's platforms compile it, on Linux: small stub modules stand in for Apple's, so
// that `canImport` is true of them and the files behind it are compiled, linked and run. What is proved
// is that the code fits Apple's documented signatures and does the right thing where the stubs behave
// as documented; nothing here ran on a device. Run by Scripts/apple.
//
// APPLE_PLATFORM=ios adds UIKit, which tells all other platforms from the Mac, and with it SwiftUI and
// Examples/TodosApp.
let isMac = Context.environment["APPLE_PLATFORM"] != "ios"

// Apple's Foundation has what Linux's lacks: it comes from a module that every file imports unasked.
let asOnApple: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags([
        "-warnings-as-errors", "-Xfrontend", "-import-module", "-Xfrontend", "AppleFoundation",
    ]),
]

let stubs =
    ["AppleFoundation", "Combine", "CryptoKit", "Darwin", "Security", "os"]
    + (isMac ? [] : ["UIKit", "SwiftUI"])
/// The stubs that stand on others.
let needs: [String: [Target.Dependency]] = [
    "Security": isMac ? ["AppleFoundation"] : ["AppleFoundation", "UIKit"],
    "SwiftUI": ["UIKit"],
]
let dependencies = stubs.map { Target.Dependency(stringLiteral: $0) }

let package = Package(
    name: "AppleStubs",
    targets: stubs.map { name in
        .target(name: name, dependencies: needs[name] ?? [], path: "Stubs/\(name)")
    } + [
        .target(
            name: "HTTPCore", dependencies: dependencies, exclude: ["HTTPCore.docc"],
            swiftSettings: asOnApple),
        .target(
            name: "HTTPMultipart", dependencies: dependencies,
            // Its @objc can't be linked here: Scripts/apple compiles this module once more, as far as
            // the types go.
            exclude: ["HTTPMultipart.docc", "FormInputStream+Darwin.swift"],
            swiftSettings: asOnApple),
        .target(
            name: "HTTPEndpoints", dependencies: ["HTTPCore"] + dependencies,
            exclude: ["HTTPEndpoints.docc"], swiftSettings: asOnApple),
        .target(
            name: "HTTPActor", dependencies: ["HTTPCore", "HTTPMultipart"],
            exclude: ["HTTPActor.docc"], swiftSettings: asOnApple),
        .executableTarget(
            name: "AppleTransportTests", dependencies: ["HTTPCore"] + dependencies,
            path: "Tests/AppleTransportTests",
            swiftSettings: asOnApple),
        .executableTarget(
            name: "AppleEndpointTests",
            dependencies: ["HTTPEndpoints"] + dependencies + (isMac ? [] : ["TodosApp"]),
            path: "Tests/AppleEndpointTests",
            swiftSettings: asOnApple),
    ]
        + (isMac
            ? []
            : [
                // Without what `@main` starts, which Scripts/apple compiles as far as the types go.
                .target(
                    name: "TodosApp", dependencies: ["HTTPEndpoints"] + dependencies,
                    path: "TodosApp", exclude: ["AppDelegate.swift"], swiftSettings: asOnApple)
            ]),
    swiftLanguageModes: [.v6]
)
