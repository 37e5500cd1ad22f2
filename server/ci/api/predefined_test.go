package api_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/tree"
)

// variables returns the predefined variables of the last pipeline of a source.
func (y yard) variables(source ci.Source) expression.Lookup {
	y.t.Helper()
	y.Drain(y.t)
	id, err := db.Value[int64](y.t.Context(), y.Store, `select max(id) from pipelines where source = @source`,
		pgx.NamedArgs{"source": source})
	require.NoError(y.t, err)
	p, err := ci.FindPipeline(y.t.Context(), y.Store, id)
	require.NoError(y.t, err)
	site := ci.Site{Base: "https://ci.example.com:8443", Version: "17.2.0-ee"}
	list, err := ci.Predefined(y.t.Context(), y.Store, site, p)
	require.NoError(y.t, err)
	seen := map[string]bool{}
	for _, v := range list {
		require.False(y.t, seen[v.Key], "%s is there twice", v.Key)
		seen[v.Key] = true
	}
	return expression.Values(list)
}

func TestPredefinedVariables(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("Web-Site", map[string]string{".gitlab-ci.yml": "a: {script: a, rules: [{when: always}]}"})
	y.commit(p, "Feature/X", "Add a thing\n\nIt costs $5.", map[string]string{"x": "1"})
	expect := func(have expression.Lookup, want map[string]string) {
		t.Helper()
		for key, value := range want {
			got, ok := have(key)
			require.Equal(t, value != "-", ok, key)
			if ok {
				require.Equal(t, value, got, key)
			}
		}
	}
	expect(y.variables(ci.ByPush), map[string]string{
		"CI": "true", "CI_SERVER_HOST": "ci.example.com", "CI_SERVER_PORT": "8443",
		"CI_SERVER_FQDN":          "ci.example.com:8443",
		"CI_SERVER_VERSION_MINOR": "2", "CI_API_V4_URL": "https://ci.example.com:8443/api/v4",
		"CI_PROJECT_PATH": "alice/Web-Site", "CI_PROJECT_PATH_SLUG": "alice-web-site",
		"CI_PROJECT_ROOT_NAMESPACE": "alice", "CI_DEFAULT_BRANCH": "main", "CI_CONFIG_PATH": ".gitlab-ci.yml",
		"CI_COMMIT_BRANCH":   "Feature/X",
		"CI_COMMIT_REF_NAME": "Feature/X", "CI_COMMIT_REF_SLUG": "feature-x", "CI_COMMIT_REF_PROTECTED": "false",
		"CI_COMMIT_TITLE": "Add a thing", "CI_COMMIT_DESCRIPTION": "It costs $5.", "CI_COMMIT_TAG": "-",
		"CI_COMMIT_BEFORE_SHA": strings.Repeat("0", 40), "CI_PIPELINE_SOURCE": "push", "CI_PIPELINE_IID": "2",
		"CI_MERGE_REQUEST_IID": "-", "CI_OPEN_MERGE_REQUESTS": "-", "GITLAB_USER_LOGIN": "alice",
	})
	y.ok("POST", p+"/labels", map[string]any{"name": "bug", "color": "#ff0000"})
	y.ok("POST", p+"/merge_requests", map[string]any{
		"source_branch": "Feature/X", "target_branch": "main", "title": "Add it", "labels": "bug", "description": "Why",
	})
	expect(y.variables(ci.ByMergeRequest), map[string]string{
		"CI_COMMIT_BRANCH": "-", "CI_COMMIT_REF_NAME": "Feature/X", "CI_MERGE_REQUEST_IID": "1",
		"CI_MERGE_REQUEST_REF_PATH": "refs/merge-requests/1/head", "CI_MERGE_REQUEST_LABELS": "bug",
		"CI_MERGE_REQUEST_TITLE": "Add it", "CI_MERGE_REQUEST_DESCRIPTION": "Why",
		"CI_MERGE_REQUEST_EVENT_TYPE":        "detached",
		"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": "", "CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED": "true",
		"CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": "alice/Web-Site", "CI_OPEN_MERGE_REQUESTS": "alice/Web-Site!1",
		"CI_MERGE_REQUEST_MILESTONE": "-", "CI_MERGE_REQUEST_DRAFT": "false",
	})
	y.ok("POST", p+"/repository/tags", map[string]any{"tag_name": "v1", "ref": "main", "message": "First"})
	y.ok("POST", p+"/releases", map[string]any{"tag_name": "v1", "name": "One", "description": "All of it"})
	expect(y.variables(ci.ByPush), map[string]string{
		"CI_COMMIT_TAG": "v1", "CI_COMMIT_TAG_MESSAGE": "First", "CI_COMMIT_BRANCH": "-", "CI_RELEASE_NAME": "One",
		"CI_RELEASE_DESCRIPTION": "All of it",
	})
}

// Of variables with one name the nearest place counts, and in it the scope that says most about the
// environment; protected ones are for protected refs.
func TestStoredVariables(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	var g, p struct{ ID int64 }
	y.ok("POST", "/groups", map[string]any{"name": "acme", "path": "acme"}).Into(t, &g)
	y.ok("POST", "/projects", map[string]any{"name": "site", "namespace_id": g.ID}).Into(t, &p)
	project, err := tree.FindProject(t.Context(), y.Store, p.ID)
	require.NoError(t, err)
	add := func(container, key, value, scope string, protected bool) {
		t.Helper()
		body := map[string]any{"key": key, "value": value, "protected": protected}
		if scope != "" {
			body["environment_scope"] = scope
		}
		r := y.Do(t, y.RootToken, "POST", container+"/variables", body)
		require.Equal(t, 201, r.Status, "%s", r.Body)
	}
	group, own := "/groups/acme", "/projects/acme%2Fsite"
	add("/admin/ci", "A", "instance", "", false)
	add("/admin/ci", "B", "instance", "", false)
	add(group, "B", "group", "", false)
	add(group, "C", "group", "production", false)
	add(own, "C", "project", "", false)
	add(own, "D", "all", "", false)
	add(own, "D", "review", "review/*", false)
	add(own, "D", "exact", "review/x", false)
	add(own, "E", "protected", "", true)
	read := func(environment string, protected bool) string {
		stored, err := ci.ReadStoredVariables(t.Context(), y.Store, project, protected)
		require.NoError(t, err)
		lookup := expression.Values(stored.For(environment).Plain())
		var words []string
		for _, key := range strings.Fields("A B C D E") {
			value, ok := lookup(key)
			if !ok {
				value = "-"
			}
			words = append(words, value)
		}
		return strings.Join(words, " ")
	}
	require.Equal(t, "instance group project all -", read("", false))
	require.Equal(t, "instance group project all protected", read("production", true))
	require.Equal(t, "instance group project review -", read("review/y", false))
	require.Equal(t, "instance group project exact -", read("review/x", false))
}
