package view

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// ci is what a CI job tells.
var ci = Source{
	Directory: "infra", Files: "https://git.example.com/acme/infra/-/blob/0a1b2c/", Time: "2026-11-29 00:27 UTC",
	Commit:       Link{"commit 0a1b2c", "https://git.example.com/acme/infra/-/commit/0a1b2c"},
	MergeRequest: Link{"!12", "https://git.example.com/acme/infra/-/merge_requests/12"},
	Pipeline:     Link{"pipeline 345", "https://git.example.com/acme/infra/-/pipelines/345"},
	Job:          Link{"job plan", ""}, // whose URL nobody told
}

// TestPlaceLinks: places lead to the file of the commit; what is no place in the repository to
// nothing.
func TestPlaceLinks(t *testing.T) {
	t.Parallel()
	const blob = "https://git.example.com/acme/infra/-/blob/0a1b2c/"
	for place, want := range map[string]string{
		"main.hcl:12:1":                  blob + "infra/main.hcl#L12",
		"../modules/team/a b(1).hcl:3:9": blob + "modules/team/a%20b%281%29.hcl#L3",
		`x">].hcl:3:9`:                   blob + "infra/x%22%3E%5D.hcl#L3",
		"../../other/main.hcl:1:1":       "", // above the repository
		"/etc/main.hcl:1:1":              "",
		"v1:./main.hcl:1:1":              "", // of another commit
		"main.hcl":                       "",
		"main.hcl:x:1":                   "",
		"":                               "",
	} {
		require.Equal(t, want, ci.file("infra", place), place)
	}
	require.Empty(t, Source{}.file("infra", "main.hcl:12:1"))
	require.Equal(t, blob+"main.hcl#L12", ci.file(".", "main.hcl:12:1"))
	require.Empty(t, ci.file("", "main.hcl:12:1"), "nobody told the directory")
	require.Empty(t, ci.file("/etc", "main.hcl:12:1"))
}

// TestOnlyWebLinks: only http and https lead anywhere.
func TestOnlyWebLinks(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//host/x",
		"https:", "/x", "https://h/a b", "https://h/)x", `https://h/"x`, "https://h/\nx"} {
		require.Empty(t, Link{"x", bad}.To(), bad)
	}
	require.Equal(t, "http://h/x?a=b#c", Link{"x", "http://h/x?a=b#c"}.To())
	require.Empty(t, Source{Files: "javascript:alert(1)//"}.file("", "main.hcl:1:1"))
}

// TestSourceOfPage: the page names where it comes from, and its places lead there.
func TestSourceOfPage(t *testing.T) {
	t.Parallel()
	d := recorded(reporttest.Plans["trouble"])
	d.Host, d.User, d.Directory, d.Digest = "https://git.example.com", "alice", "infra", "d1g3st"
	page := readSheet(t, pageOf(t, d, ci))
	require.Empty(t, page.markup)
	for _, said := range []string{"https://git.example.com as alice", "2026-11-29 00:27 UTC", "job plan"} {
		require.Contains(t, page.text["span"], said)
	}
	require.Contains(t, page.text["code"], "d1g3st")
	for _, to := range []string{ci.Commit.URL, ci.MergeRequest.URL, ci.Pipeline.URL, ci.Files + "infra/main.hcl#L3",
		ci.Files + "infra/main.hcl#L12"} {
		require.Contains(t, page.links, to)
	}
	for _, to := range readSheet(t, pageOf(t, d, Source{})).links {
		require.Regexp(t, `^(#.*|data:,)$`, to, "nobody told where it is")
	}
}

// TestSourceIsInert: whatever a CI job's variables hold stays text, and leads noPlace but to the
// web.
func TestSourceIsInert(t *testing.T) {
	t.Parallel()
	tame := readSheet(t, pageOf(t, recorded(reporttest.Plans["trouble"]), ci))
	for _, s := range append(reporttest.Wicked, `"><img src=x>`, "javascript:alert(1)", "</style>") {
		of := Source{Directory: s, Files: s, Time: s}
		for _, l := range []*Link{&of.Commit, &of.MergeRequest, &of.Pipeline, &of.Job} {
			*l = Link{s, s}
		}
		d := recorded(reporttest.Plans["trouble"])
		d.Directory, d.User, d.Host = s, s, s
		page := readSheet(t, pageOf(t, d, of))
		require.Empty(t, page.markup, "%q", s)
		require.Equal(t, tame.policy, page.policy)
		for _, to := range page.links {
			require.Regexp(t, `^(#.*|data:,|https?://.*)$`, to, "%q", s)
		}
		of.Files = ci.Files + strings.ReplaceAll(s, " ", "")
		doc := regexp.MustCompile("\\[`[^`]*`\\]\\(https://[^() ]*\\)").ReplaceAllString(markdownOf(d, of), "")
		require.Empty(t, reporttest.Alive.FindAllString(reporttest.Inert(t, doc), -1), "%q\n%s", s, doc)
	}
}

// TestSourceOfMarkdown: places are links where somebody told where the files are.
func TestSourceOfMarkdown(t *testing.T) {
	t.Parallel()
	d := recorded(reporttest.Plans["trouble"])
	d.Directory = "infra"
	d.Diagnostics = []report.Diagnostic{{Severity: "error", Summary: "No",
		Range: &report.Range{Filename: "main.hcl", Start: report.Pos{Line: 7, Column: 2}}}}
	doc := markdownOf(d, ci)
	for _, want := range []string{"(https://git.example.com/acme/infra/-/blob/0a1b2c/infra/main.hcl#L7)",
		"[`main.hcl:12:1`](https://git.example.com/acme/infra/-/blob/0a1b2c/infra/main.hcl#L12)"} {
		require.Contains(t, doc, want)
	}
	require.NotContains(t, markdownOf(d, Source{}), "](")
}
