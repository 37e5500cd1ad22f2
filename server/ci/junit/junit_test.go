package junit_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hew/server/ci/junit"
)

func suite(cases string) string { return "<testsuite>" + cases + "</testsuite>" }

// one is a file of one case.
func one(elements string) string { return suite(`<testcase name="a">` + elements + `</testcase>`) }

// shown returns a suite as text: its error, or its cases.
func shown(s *junit.Suite) string {
	if s.Error != "" {
		return s.Error
	}
	var lines []string
	for _, c := range s.Cases() {
		line := string(c.Status) + " " + c.Classname + "." + c.Name
		if c.Time != 0 {
			line += fmt.Sprintf(" %gs", c.Time)
		}
		if c.Output != nil {
			line += fmt.Sprintf(" %q", *c.Output)
		}
		if c.Attachment != "" {
			line += " @" + c.Attachment
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestAdd: what files give, one row a rule of CI facts §5.
func TestAdd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"a root of suites": {
			`<testsuites><testsuite><testcase name="a" classname="c"/></testsuite></testsuites>`,
			"success c.a",
		},
		"a root suite": {suite(`<testcase name="a" classname="c" time="1.5"/>`), "success c.a 1.5s"},
		"suites in suites": {
			`<testsuite><testsuite><testsuite><testcase name="a"/></testsuite></testsuite></testsuite>`,
			"success .a",
		},
		"suites not at the top": {
			`<testsuites><testsuites><testsuite><testcase name="a"/></testsuite></testsuites></testsuites>`,
			"",
		},
		"a case without suite": {`<testsuites><testcase name="a"/></testsuites>`, ""},
		"another root":         {`<report><testsuite><testcase name="a"/></testsuite></report>`, ""},
		"an empty file":        {``, ""},
		"white space":          {"\n", ""},
		"a prefix of a number": {suite(`<testcase name="a" time="1.25s"/><testcase name="b" time="soon"/>`),
			"success .a 1.25s\nsuccess .b"},
		"no whole number":    {suite(`<testcase name="a" time=".25"/>`), "success .a 0.25s"},
		"a time without end": {suite(`<testcase name="a" time="1e999"/>`), "success .a 1e+09s"},
		"empty elements count": {suite(`<testcase name="a"><failure/></testcase><testcase name="b"><error/></testcase>
			<testcase name="c"><skipped/></testcase>`), "error .b \"\"\nfailed .a \"\"\nskipped .c"},
		"a failure comes before an error": {one(`<error>e</error><failure>f</failure>`),
			`failed .a "f"`},
		"text drops attributes": {one(`<failure message="m">text</failure>`),
			`failed .a "text"`},
		"only attributes": {one(`<failure message="m" type="T"/>`),
			`failed .a "{\"message\"=>\"m\", \"type\"=>\"T\"}"`},
		"what was written": {one(`<failure>f</failure><failure>g</failure>
			<system-err>e</system-err><system-out>o [[ATTACHMENT|shots/a.png]] [[ATTACHMENT|b]]</system-out>`),
			`failed .a "f\n\ng\n\nSystem Out:\n\no [[ATTACHMENT|shots/a.png]] [[ATTACHMENT|b]]\n\nSystem Err:\n\ne" @shots/a.png`},
		"why it was skipped":  {one(`<skipped>later</skipped>`), `skipped .a "later"`},
		"a success is silent": {one(`<system-out>o</system-out>`), `success .a`},
		"CDATA":               {one(`<failure><![CDATA[a < b & c]]></failure>`), `failed .a "a < b & c"`},
		"the last of equal cases": {
			suite(`<testcase name="a" time="1"/><testcase name="a" time="2"/>`),
			"success .a 2s",
		},
		"equal names, other states": {
			suite(`<testcase name="a"/><testcase name="a"><failure/></testcase>`),
			"failed .a \"\"\nsuccess .a",
		},
		"the slowest first": {
			suite(`<testcase name="a" time="1"/><testcase name="b" time="2"/>`),
			"success .b 2s\nsuccess .a 1s",
		},
		"Latin-1": {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><testsuite><testcase name=\"\xe4\"/></testsuite>",
			"success .ä"},
		"an end that is missing": {`<testsuite><testcase name="a">`, "JUnit XML parsing failed: 1: unexpected EOF"},
		"text that is not XML":   {`a & b`, "JUnit XML parsing failed: 1: invalid character entity & (no semicolon)"},
		"an entity of its own": {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&e;"/></testsuite>`,
			"JUnit XML parsing failed: 1: invalid character entity &e;"},
		"an encoding that is none": {`<?xml version="1.0" encoding="x-none"?><testsuite/>`,
			`JUnit data parsing failed: xml: opening charset "x-none": the encoding "x-none" is not known`},
		"too deep": {
			strings.Repeat("<testsuite>", 101),
			"JUnit data parsing failed: more than 100 elements are in each other",
		},
		"too many cases": {`<testsuite>` + strings.Repeat(`<testcase/>`, junit.MaxCases+1) + `</testsuite>`,
			"JUnit data parsing failed: number of test cases exceeded the limit of 100000"},
		"too large": {`<testsuite>` + strings.Repeat(" ", junit.MaxFile) + `</testsuite>`,
			"JUnit data parsing failed: the report is larger than 30 MB"},
		"a tag that does not end": {
			`<testsuite ` + strings.Repeat(`a="" `, 1<<19),
			"JUnit data parsing failed: a tag is longer than 2 MB",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var plain, packed junit.Suite
			require.NoError(t, plain.Add(strings.NewReader(c.file), false, 1))
			require.Equal(t, c.want, shown(&plain))
			require.NoError(t, packed.Add(bytes.NewReader(pack(c.file)), true, 1))
			require.Equal(t, c.want, shown(&packed))
		})
	}
}

func pack(files ...string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		_, _ = z.Write([]byte(f))
		_ = z.Close()
	}
	return b.Bytes()
}

// A stream has a member for each file, and jobs that share a suite add to it.
func TestAddFiles(t *testing.T) {
	t.Parallel()
	file := func(name string) string { return `<testsuite><testcase name="` + name + `" time="1"/></testsuite>` }
	var s junit.Suite
	require.NoError(t, s.Add(bytes.NewReader(pack(file("a"), "", file("b"))), true, 1))
	require.NoError(t, s.Add(bytes.NewReader(pack(file("b"), file("c"))), true, 2))
	require.Equal(t, "success .a 1s\nsuccess .b 1s\nsuccess .c 1s", shown(&s))
	require.Equal(t, junit.Counts{Total: 3, Success: 3}, s.Counts())
	require.InDelta(t, 4, s.Time, 0, "every run of a case took its time")

	require.NoError(t, s.Add(strings.NewReader("this is no gzip stream"), true, 3))
	require.Equal(t, "JUnit data parsing failed: gzip: invalid header", s.Error)
	require.Zero(t, s.Counts())
	require.Empty(t, s.Cases())

	packed := pack(file("a"))
	broken := junit.Suite{}
	require.NoError(t, broken.Add(bytes.NewReader(packed[:len(packed)-4]), true, 1))
	require.Equal(t, "JUnit data parsing failed: unexpected EOF", broken.Error)
	require.Error(t, new(junit.Suite).Add(iotest.ErrReader(errors.New("no disk")), true, 1), "not the fault of the job")
}

func FuzzAdd(f *testing.F) {
	f.Add([]byte("<testsuites>"+one(`<failure message="m">t</failure>`)+"</testsuites>"), false)
	f.Add([]byte(suite(`<testcase><skipped/><system-out>[[ATTACHMENT|a]]</system-out></testcase>`)), false)
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "c">]><testsuite>&b;</testsuite>`), false)
	f.Add(pack(`<testsuite/>`, suite(`<testcase/>`)), true)
	f.Fuzz(func(t *testing.T, file []byte, packed bool) {
		var s junit.Suite
		require.NoError(t, s.Add(bytes.NewReader(file), packed, 1))
		n := s.Counts()
		require.Len(t, s.Cases(), n.Total)
		require.Equal(t, n.Total, n.Error+n.Failed+n.Skipped+n.Success)
	})
}
