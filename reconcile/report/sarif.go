package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"

	"hew/reconcile/guard"
	"hew/reconcile/report/prose"
)

// The part of SARIF 2.1.0 that code scanning reads: a run with all rules, and the findings with
// their places in the repository.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Automation  sarifID           `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		Columns     string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifID struct {
		ID string `json:"id"`
	}
	sarifInvocation struct {
		Successful bool `json:"executionSuccessful"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifText    `json:"shortDescription"`
		Full    sarifText    `json:"fullDescription"`
		Help    sarifText    `json:"help"`
		Default sarifDefault `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
	}
)

// fingerprint is the name of the value that identifies a finding for hosts, independent of line
// numbers.
const fingerprint = "hew/v1"

// scan builds a run of SARIF.
type scan struct {
	sarifRun
	rules map[string]int
}

// writeSARIF writes one run for all directories.
func writeSARIF(out io.Writer, parts []Part) error {
	s := scan{rules: map[string]int{},
		sarifRun: sarifRun{
			Columns: "unicodeCodePoints", Results: []sarifResult{}, Invocations: []sarifInvocation{{Successful: true}},
		}}
	s.Tool.Driver = sarifDriver{Name: "hew", Version: parts[0].HewVersion, Rules: []sarifRule{}}
	var names []string
	for _, rule := range guard.Rules() {
		s.rule(guardRule(rule))
	}
	for _, p := range parts {
		names = append(names, prose.NonEmpty(p.Subdirectory())...)
		s.Invocations[0].Successful = s.Invocations[0].Successful && (p.Planned || p.Command == "validate")
		for _, f := range p.findings() {
			s.add(p, f)
		}
	}
	s.Automation.ID = strings.Join(append([]string{"hew", parts[0].Command}, names...), "/") + "/"
	return WriteJSON(out, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{s.sarifRun}})
}

// guardRule returns the rule of a guard.
func guardRule(rule guard.Rule) sarifRule {
	how := fmt.Sprintf("It stops the run when %s.", rule.Trips)
	var ways []string
	for _, way := range Lifts(rule) {
		ways = append(ways, "`"+way+"`")
	}
	help := how + " hew then writes nothing. Override it in the configuration with " +
		prose.Series(ways, "or") + "."
	text := strings.NewReplacer("`", "")
	return sarifRule{ID: rule.Code, Short: sarifText{Text: "Guard " + rule.Code},
		Full: sarifText{Text: text.Replace(how)},
		Help: sarifText{Text: text.Replace(help), Markdown: help}, Default: sarifDefault{"error"}}
}

// Lifts returns the ways to lift a guard in a configuration.
func Lifts(rule guard.Rule) []string {
	var ways []string
	if rule.Lift {
		ways = append(ways, fmt.Sprintf("allow = [%q]", rule.Code))
	}
	return append(ways, rule.Limits...)
}

// others are the rules other than guards and errors of a configuration.
var others = map[string]string{
	"not-planned": "An object could not be planned and is not changed.",
	"check":       "A check of the configuration failed.",
	"drift":       "An object on the host has changed since the last apply.",
	"stray":       "An undeclared object exists beside managed ones.",
	"not-done":    "A planned change was not applied.",
}

// rule returns the index of a rule, and adds it if it is new.
func (s *scan) rule(r sarifRule) int {
	i, known := s.rules[r.ID]
	if !known {
		i = len(s.Tool.Driver.Rules)
		s.rules[r.ID] = i
		s.Tool.Driver.Rules = append(s.Tool.Driver.Rules, r)
	}
	return i
}

func (s *scan) add(p Part, f finding) {
	level := "error"
	if f.warning {
		level = "warning"
	}
	said := cmp.Or(others[f.rule], f.title+".")
	r := sarifResult{Rule: f.rule, Level: level,
		Index: s.rule(sarifRule{ID: f.rule, Short: sarifText{Text: said}, Full: sarifText{Text: said},
			Help: sarifText{Text: said}, Default: sarifDefault{level}})}
	text := prose.CleanLines(f.text)
	if f.about != ofGuard {
		text = strings.TrimSuffix(prose.Clean(f.title)+": "+text, ": ")
	}
	at := f.place
	switch {
	case at == nil:
		at = p.somewhere()
	case at.outside():
		at = p.somewhere()
		text += fmt.Sprintf("\nIt is in %s, line %d, which is outside of the repository.", prose.Clean(f.place.file),
			f.place.start.Line)
	}
	r.Message.Text = strings.ReplaceAll(text, "](", "] (") // or it is a link
	l := sarifLocation{
		Physical: sarifPhysical{Artifact: sarifArtifact{uriOf(at.file), "%SRCROOT%"}, Region: regionOf(at)},
	}
	if f.about != ofConfiguration && f.title != "" {
		l.Logical = []sarifLogical{{prose.Clean(f.title)}}
	}
	r.Locations = []sarifLocation{l}
	told := f.title
	if f.about == ofConfiguration {
		told = cmp.Or(f.place, at).file + "\n" + f.text
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.rule, p.Subdirectory(), told}, "\n")))
	r.Fingerprints = map[string]string{fingerprint: hex.EncodeToString(sum[:16])}
	s.Results = append(s.Results, r)
}

// somewhere returns a place for findings without one in the repository, because hosts show only
// findings with a place: the declaration of the first change.
func (p Part) somewhere() *place {
	for _, c := range p.Changes {
		if at := p.placed(c.Declared); at != nil && !at.outside() {
			return at
		}
	}
	return p.placed("main.hcl:1:1")
}

func regionOf(at *place) sarifRegion {
	r := sarifRegion{StartLine: max(at.start.Line, 1), StartColumn: at.start.Column}
	if at.end.Line > at.start.Line || at.end.Line == at.start.Line && at.end.Column > at.start.Column {
		r.EndLine, r.EndColumn = at.end.Line, at.end.Column
	}
	return r
}

// uriOf returns a path as a relative URI.
func uriOf(file string) string {
	parts := strings.Split(file, "/")
	for i := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(parts[i]), ":", "%3A") // or the first is a scheme
	}
	return strings.Join(parts, "/")
}
