package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"hew/reconcile/config"
	"hew/reconcile/guard"
	"hew/reconcile/report/prose"
)

// testsuites is a report of tests as hosts read it, in the form that began with JUnit. Whatever
// stops a plan is a failure. Warnings and unknown results are skipped tests.
type testsuites struct {
	XMLName xml.Name    `xml:"testsuites"`
	Name    string      `xml:"name,attr"`
	Suites  []testsuite `xml:"testsuite"`
}

type testsuite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []testcase `xml:"testcase"`
}

type testcase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *mishap  `xml:"failure"`
	Skipped *skipped `xml:"skipped"`
}

type mishap struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

// writeJUnit writes a suite for each directory, with a test for each guard, which passes if it does
// not trip, and one for every other finding.
func writeJUnit(out io.Writer, parts []Part) error {
	all := testsuites{Name: "hew " + parts[0].Command}
	for _, p := range parts {
		all.Suites = append(all.Suites, suiteOf(p))
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = io.WriteString(out, xml.Header+string(text)+"\n")
	}
	return err
}

func suiteOf(p Part) testsuite {
	s := testsuite{Name: prose.Clean(cmp.Or(p.Name, p.Subdirectory(), "hew "+p.Command))}
	broken := false
	guards := map[string]*testcase{}
	if p.Planned {
		for _, rule := range guard.Rules() {
			s.Cases = append(s.Cases, testcase{Class: string(ofGuard), Name: rule.Code})
		}
		for i := range s.Cases {
			guards[s.Cases[i].Name] = &s.Cases[i]
		}
	}
	var others []testcase
	for _, f := range p.findings() {
		broken = broken || f.about == ofConfiguration && !f.warning
		if g := guards[f.rule]; g != nil && f.about == ofGuard {
			g.fail(f)
			continue
		}
		c := testcase{Class: string(f.about), Name: prose.Clean(cmp.Or(f.title, f.rule))}
		if f.about == ofConfiguration || f.about == ofCheck {
			c.Name += f.place.suffix()
		}
		c.fail(f)
		others = append(others, c)
	}
	if !broken && !p.IsDrift() {
		others = append(others, testcase{Class: string(ofConfiguration), Name: "is valid"})
	}
	s.Cases = append(append(s.Cases, others...), p.checkCases()...)
	s.count()
	return s
}

// checkCases returns the checks that pass or are unknown. Failed ones are findings.
func (p Part) checkCases() (all []testcase) {
	for _, c := range p.checks() {
		one := testcase{Class: string(ofCheck), Name: prose.Clean(c.Name) + p.placed(c.Declared).suffix()}
		switch config.Verdict(c.Status) {
		case config.CheckUnknown:
			one.Skipped = &skipped{"It is not known yet."}
		case config.CheckPassed:
		default:
			continue
		}
		all = append(all, one)
	}
	return all
}

// suffix makes equal names unique.
func (p *place) suffix() string {
	if p == nil {
		return ""
	}
	return prose.Clean(fmt.Sprintf(", %s:%d:%d", p.file, p.start.Line, p.start.Column))
}

// fail enters a finding; a guard may have several.
func (c *testcase) fail(f finding) {
	text := prose.CleanLines(cmp.Or(f.text, f.title))
	first, _, _ := strings.Cut(text, "\n")
	if f.place != nil && c.File == "" {
		c.File, c.Line = prose.Clean(f.place.file), f.place.start.Line
	}
	switch {
	case f.warning && f.about == ofConfiguration:
		c.Skipped = &skipped{"Warning: " + first}
	case c.Failure == nil:
		c.Failure = &mishap{Message: first, Type: f.rule, Text: text}
	default:
		c.Failure.Text += "\n\n" + text
	}
}

func (s *testsuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}
