// swift-tools-version: 6.2

import PackageDescription

// One app source in each language mode that an app may have. `Scripts/check modes` builds it and wants
// no warning, then runs `AppRun`. Sources/ holds links to App/, one for each mode. `AppEndpoints`, run too, is an
// app that takes one product: it does not link where that lacks something.

let duet: [Target.Dependency] = [
    .product(name: "HTTPEndpoints", package: "Duet"),
    .product(name: "HTTPActor", package: "Duet"),
]

func app(_ name: String, exclude: [String] = [], _ settings: [SwiftSetting]) -> Target {
    .target(
        name: name,
        dependencies: duet,
        exclude: exclude,
        swiftSettings: settings
    )
}

let mainActor6: [SwiftSetting] = [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]

let package = Package(
    name: "AppModes",
    platforms: [.iOS(.v13), .macOS(.v10_15), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1)],
    dependencies: [.package(name: "Duet", path: "../..")],
    targets: [
        app("AppSwift5", [.swiftLanguageMode(.v5)]),
        app("AppSwift5MainActor", [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
        app("AppSwift6", exclude: ["NotInPlainSwift6.swift"], [.swiftLanguageMode(.v6)]),
        app("AppSwift6MainActor", mainActor6),
        app(
            "AppSwift6MainActorUpcoming",
            mainActor6 + [
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
        .executableTarget(name: "AppRun", dependencies: duet, swiftSettings: mainActor6),
        .executableTarget(
            name: "AppEndpoints",
            dependencies: [.product(name: "HTTPEndpoints", package: "Duet")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
