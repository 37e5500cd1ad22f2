package definition

import (
	"regexp"
	"slices"
	"strings"

	"hew/schema/pattern"
	"hew/server/ci/document"
)

// reportKinds are the kinds of reports, with what the runner is told of them (ci §1.5).
var reportKinds = []struct {
	kind, format, name string
}{
	{"junit", "gzip", "junit.xml"},
	{"dotenv", "gzip", ".env"},
	{"coverage_report", "gzip", ""},
	{"cyclonedx", "gzip", "gl-sbom.cdx.json"},
	{"annotations", "gzip", "gl-annotations.json"},
	{"repository_xray", "gzip", "gl-repository-xray.json"},
	{"metrics", "gzip", "metrics.txt"},
	{"lsif", "zip", "lsif.json"},
	{"codequality", "raw", "gl-code-quality-report.json"},
	{"sast", "raw", "gl-sast-report.json"},
	{"secret_detection", "raw", "gl-secret-detection-report.json"},
	{"dependency_scanning", "raw", "gl-dependency-scanning-report.json"},
	{"container_scanning", "raw", "gl-container-scanning-report.json"},
	{"cluster_image_scanning", "raw", "gl-cluster-image-scanning-report.json"},
	{"dast", "raw", "gl-dast-report.json"},
	{"license_scanning", "raw", "gl-license-scanning-report.json"},
	{"coverage_fuzzing", "raw", "gl-coverage-fuzzing.json"},
	{"api_fuzzing", "raw", "gl-api-fuzzing-report.json"},
	{"accessibility", "raw", "gl-accessibility.json"},
	{"performance", "raw", "performance.json"},
	{"browser_performance", "raw", "browser-performance.json"},
	{"load_performance", "raw", "load-performance.json"},
	{"terraform", "raw", "tfplan.json"},
	{"requirements", "raw", "requirements.json"},
	{"requirements_v2", "raw", "requirements_v2.json"},
	{"sarif", "raw", "gl-sarif-report.json"},
}

const maxExposeAs = 100

var exposedName = pattern.Lazy(`\A[\w -]*\z`)

// readArtifacts reads artifacts of a job.
func readArtifacts(j *Job, e entry) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	e.keys("name", "untracked", "paths", "reports", "when", "expire_in", "expose_as", "exclude", "public", "access")
	e.exclusive("public", "access")
	whens, levels := []string{"on_success", "on_failure", "always"}, []string{"all", "developer", "maintainer", "none"}
	a := &Artifacts{
		Name: e.field("name").text(), Untracked: e.field("untracked").boolean(), Paths: e.field("paths").strings(),
		Exclude: e.field("exclude").strings(), Public: e.field("public").optionalBoolean(),
		ExpireIn: e.field("expire_in").expiry(),
		When:     e.field("when").oneOf(shouldBeOneOf(whens...), whens...),
		Access:   e.field("access").oneOf(shouldBeOneOf(levels...), levels...),
	}
	if expose := e.field("expose_as"); expose.given() {
		a.ExposeAs = expose.atMost(expose.text(), maxExposeAs)
		switch {
		case !exposedName().MatchString(a.ExposeAs):
			expose.fail("can contain only letters, digits, '-', '_' and spaces")
		case len(a.Paths) == 0:
			e.field("paths").fail("can't be blank")
		case slices.ContainsFunc(a.Paths, func(p string) bool { return strings.Contains(p, "*") }):
			e.field("paths").fail("can't contain '*' when used with 'expose_as'")
		}
	}
	a.Reports = e.sub("reports").reports()
	j.Options.Artifacts = a
}

// reports reads the reports of a job, in the order of the file.
func (e entry) reports() (reports []Report) {
	if !e.given() {
		return nil
	}
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return nil
	}
	var kinds []string
	for _, row := range reportKinds {
		kinds = append(kinds, row.kind)
	}
	e.keys(kinds...)
	for _, given := range e.node.Entries {
		at, value := slices.Index(kinds, given.Key), e.field(given.Key)
		if at < 0 || !value.given() {
			continue
		}
		row := reportKinds[at]
		r := Report{Kind: row.kind, Type: row.kind, Format: row.format, Name: row.name}
		if row.kind == "coverage_report" {
			e.sub(given.Key).coverageReport(&r)
		} else {
			r.Paths = value.stringOrStrings()
		}
		reports = append(reports, r)
	}
	return reports
}

// coverageReport reads a coverage report, whose type is its format.
func (e entry) coverageReport(r *Report) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	e.keys("coverage_format", "path")
	r.Type = e.field("coverage_format").oneOf(
		"must be one of supported formats: cobertura, jacoco.", "cobertura", "jacoco",
	)
	if !e.field("coverage_format").given() {
		e.field("coverage_format").fail("can't be blank")
	}
	r.Name = r.Type + "-coverage.xml"
	r.Paths = []string{e.field("path").requiredText()}
}

// matches reports whether a text that is given matches.
func matches(text string, re func() *regexp.Regexp) bool { return text == "" || re().MatchString(text) }
