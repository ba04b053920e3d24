// SPDX-License-Identifier: MIT

import HTTPCore
import Testing

struct HTTPFieldsTests {
    @Test func fieldsKeepOrderAndRepeats() {
        var fields: HTTPFields = ["B": "1", "A": "2"]
        fields.append("b", "3")
        #expect(fields.map(\.name) == ["B", "A", "b"])
        #expect(fields.map(\.value) == ["1", "2", "3"])
        #expect(fields[2] == HTTPField(name: "b", value: "3"))
        #expect(fields.values("B") == ["1", "3"])
        #expect(fields["b"] == "1, 3")
    }

    // O-37
    @Test func namesMatchInAnyLetterCase() {
        let fields: HTTPFields = ["Content-TYPE": "text/plain"]
        #expect(fields["content-type"] == "text/plain")
        #expect(fields["CONTENT-TYPE"] == "text/plain")
        #expect(fields["Content_Type"] == nil)
    }

    // RFC 9110, section 5.1: names are ASCII, so a letter outside it has no other case.
    @Test func onlyASCIILettersFold() {
        let fields: HTTPFields = ["X-Ä": "1", "@": "2", "[": "3"]
        #expect(fields["x-ä"] == nil)
        #expect(fields["`"] == nil)
        #expect(fields["{"] == nil)
    }

    // O-37
    @Test func settingReplacesEveryFieldInThePlaceOfTheFirst() {
        var fields: HTTPFields = ["Host": "h", "Accept": "a", "X": "x", "ACCEPT": "b"]
        fields["accept"] = "text/csv"
        #expect(fields.map(\.name) == ["Host", "accept", "X"])
        #expect(fields.values("Accept") == ["text/csv"])
    }

    @Test func settingANewNameAddsItAtTheEnd() {
        var fields: HTTPFields = ["A": "1"]
        fields["B"] = "2"
        #expect(fields.map(\.name) == ["A", "B"])
    }

    @Test func settingNilRemovesEveryFieldOfTheName() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3"]
        fields["A"] = nil
        #expect(fields.map(\.name) == ["B"])
        #expect(fields["A"] == nil)
        #expect(fields.values("A").isEmpty)
    }

    @Test func aSecretDoesNotShow() {
        let fields: HTTPFields = ["Set-Cookie": "sid=hush", "authorization": "hush", "Age": "7"]
        #expect(!"\(fields)".contains("hush"))
        #expect(!String(reflecting: fields).contains("hush"))
        #expect("\(fields[2])" == "Age: 7")
    }

    @Test func anEmptyValueIsThere() {
        let fields: HTTPFields = ["A": ""]
        #expect(fields["a"] == "")
        #expect(HTTPFields().isEmpty)
    }

    // O-36: a date holds a comma, so the values of Set-Cookie are read one by one.
    @Test func valuesWithCommasStayApart() {
        let cookies = [
            "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/",
            "b=2; Expires=Thu, 02 Jan 2031 00:00:00 GMT; Path=/",
        ]
        let fields = HTTPFields(cookies.map { HTTPField(name: "Set-Cookie", value: $0) })
        #expect(fields.values("set-cookie") == cookies)
    }
}
