package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
)

// A repository that the real git made gets changelogs of its commits, which the real git reads.
func TestChangelog(t *testing.T) {
	t.Parallel()
	h := newHost(t, "historian")
	work := gittest.NewClient(t)
	work.Git("init", "-q", "-b", "main")
	say := func(title string, trailers ...string) string {
		message := title
		if len(trailers) > 0 {
			message += "\n\n" + strings.Join(trailers, "\n")
		}
		work.Git("commit", "-q", "--allow-empty", "-m", message)
		return strings.TrimSpace(work.Git("rev-parse", "HEAD"))
	}
	say("Begin", "Changelog: added")
	work.Git("tag", "v1.0.0")
	say("Prepare", "Changelog: added")
	work.Git("tag", "v1.1.0-rc1")
	one := say("Add one", "Changelog: added", "Issue: 7")
	work.Git("tag", "v1.2.0") // later than what is asked for
	say("Say nothing of this")
	two := say("Fix two", "Changelog: fixed")
	work.Write("mistake", "")
	work.Git("add", "-A")
	bad := say("Add a mistake", "Changelog: added")
	work.Git("revert", "--no-edit", bad)
	remote := h.address(h.user.Token)
	work.Git("push", "-q", "--tags", remote, "main")
	base := fmt.Sprintf("/projects/%d/repository/changelog", h.project.ID)
	notes := func(query string) string {
		var got struct{ Notes string }
		h.s.Do(t, h.user.Token, "GET", base+"?date=2021-01-02T00:00:00Z&"+query, nil).Into(t, &got)
		return got.Notes
	}
	reference := func(id string) string { return h.project.Path + "@" + id }
	body := "### added (2 changes)\n\n- [Add one](" + reference(one) + ")\n- [Prepare](" +
		reference(strings.TrimSpace(work.Git("rev-parse", "v1.1.0-rc1"))) + ")\n\n"
	require.Equal(t, "## 1.1.0 (2021-01-02)\n\n### fixed (1 change)\n\n- [Fix two]("+reference(two)+")\n\n"+body,
		notes("version=1.1.0"))
	require.Equal(t, "## v1.2.0 (2021-01-02)\n\n"+body, notes("version=v1.2.0&to=v1.2.0&from=v1.0.0"))
	require.Equal(t, "## 3.0.0 (2021-01-02)\n\n### 7 (1 change)\n\n- [Add one]("+reference(one)+")\n\n",
		notes("version=3.0.0&from=v1.0.0&trailer=Issue"))
	require.Equal(t, "## 3.0.0 (2021-01-02)\n\nNo changes.\n\n", notes("version=3.0.0&from=main"))

	work.Write(".gitlab/changelog_config.yml", "date_format: '%-d %B %Y'\n"+
		"categories:\n  fixed: Fixes\n  added: Features\n"+
		"template: |\n  {% each categories %}\n  {{ title }}:{% each entries %} {{ title }};{% end %}\n\n  {% end %}\n"+
		"tag_regex: '^release-(?P<major>\\d+)-(?P<minor>\\d+)-(?P<patch>\\d+)$'\n")
	work.Git("add", "-A")
	work.Git("commit", "-qm", "Configure")
	work.Git("tag", "release-0-9-0", "v1.0.0~0")
	work.Git("push", "-q", "--tags", remote, "main")
	require.Equal(t, "## 1.1.0 (2 January 2021)\n\nFixes: Fix two;\nFeatures: Add one; Prepare;\n\n",
		notes("version=1.1.0"))

	post := func(body map[string]any) {
		body["date"] = "2021-01-02T00:00:00Z"
		r := h.s.Do(t, h.user.Token, "POST", base, body)
		require.Equal(t, 200, r.Status, "%s", r.Body)
	}
	post(map[string]any{"version": "1.1.0"})
	post(map[string]any{"version": "1.1.0"}) // which is there
	post(map[string]any{"version": "1.0.0", "from": "v1.0.0", "to": "v1.0.0", "message": "Note the first"})
	post(map[string]any{"version": "2.0.0", "from": "main"})
	work.Git("pull", "-q", "--ff-only", remote, "main")
	work.Git("fsck", "--strict")
	require.Equal(t, "Add changelog for version 2.0.0\nNote the first\nAdd changelog for version 1.1.0\nConfigure\n",
		work.Git("log", "-4", "--format=%s"))
	text := work.Git("show", "HEAD:CHANGELOG.md")
	require.Equal(t, "## 2.0.0 (2 January 2021)\n\n\n\n## 1.1.0 (2 January 2021)\n\nFixes: Fix two;\n"+
		"Features: Add one; Prepare;\n\n## 1.0.0 (2 January 2021)\n", text)
}
