// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Duet",
    platforms: [
        .iOS(.v13), .macCatalyst(.v13), .macOS(.v10_15), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1),
    ],
    products: [
        .library(name: "HTTPCore", targets: ["HTTPCore"]),
        .library(name: "HTTPMultipart", targets: ["HTTPMultipart"]),
        .library(name: "HTTPEndpoints", targets: ["HTTPEndpoints"]),
        .library(name: "HTTPActor", targets: ["HTTPActor"]),
    ],
    targets: [
        .target(
            name: "CCurl",
            linkerSettings: [
                .linkedLibrary("curl", .when(platforms: [.linux])),
                .linkedLibrary("z", .when(platforms: [.linux])),
            ]
        ),
        .target(
            name: "HTTPCore",
            dependencies: [.target(name: "CCurl", condition: .when(platforms: [.linux]))]
        ),
        .target(name: "HTTPMultipart"),
        .target(name: "HTTPEndpoints", dependencies: ["HTTPCore"]),
        .target(name: "HTTPActor", dependencies: ["HTTPCore", "HTTPMultipart"]),

        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(name: "TestTransports", dependencies: ["HTTPCore"], path: "Tests/TestTransports"),
        .testTarget(
            name: "HTTPCoreTests", dependencies: ["HTTPCore", "TestSupport", "TestTransports"]),
        .testTarget(
            name: "HTTPMultipartTests", dependencies: ["HTTPMultipart", "TestSupport"]),
        .testTarget(
            name: "HTTPEndpointsTests",
            dependencies: ["HTTPEndpoints", "HTTPMultipart", "TestSupport", "TestTransports"]
        ),
        .testTarget(
            name: "HTTPActorTests", dependencies: ["HTTPActor", "TestSupport", "TestTransports"]),
        .testTarget(
            name: "InteropTests",
            dependencies: ["HTTPActor", "TestSupport"],
            path: "Tests/Interop",
            exclude: ["parsers.py", "requirements.txt"]
        ),
        .testTarget(
            name: "TransportContractTests",
            dependencies: ["HTTPCore", "TestSupport", "TestTransports"]
        ),
        .testTarget(
            name: "RobustnessTests",
            dependencies: ["HTTPActor", "HTTPEndpoints", "TestSupport"],
            path: "Tests/Robustness"
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CCurl" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
