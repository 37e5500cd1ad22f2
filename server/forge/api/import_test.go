package api_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge/forgetest"
	"hew/server/servertest"
	"hew/server/setting"
)

// scene is a hewd that may reach the host of the test, and a user who imports.
type scene struct {
	t    *testing.T
	s    *servertest.Server
	user servertest.Persona
}

func newScene(t *testing.T) scene {
	sc := scene{t: t, s: servertest.Fresh(t)}
	sc.user = sc.s.User(t, "carol")
	require.NoError(t, setting.Set(t.Context(), sc.s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	return sc
}

// administrate makes the user an administrator, whose imports know people by the addresses that any
// host shows.
func (sc scene) administrate() {
	sc.t.Helper()
	reply := sc.s.Do(sc.t, sc.s.RootToken, "PUT", fmt.Sprintf("/users/%d", sc.user.ID), map[string]any{"admin": true})
	require.Equal(sc.t, 200, reply.Status, string(reply.Body))
}

// get reads an answer of the API.
func (sc scene) get(path string, into any) {
	sc.t.Helper()
	reply := sc.s.Do(sc.t, sc.user.Token, "GET", path, nil)
	require.Equal(sc.t, 200, reply.Status, "%s: %s", path, reply.Body)
	reply.Into(sc.t, into)
}

// texts returns a field of the entries of a list.
func (sc scene) texts(path, field string) (all []string) {
	sc.t.Helper()
	var list []map[string]any
	sc.get(path, &list)
	for _, entry := range list {
		all = append(all, fmt.Sprint(entry[field]))
	}
	return all
}

// record is an import as its record shows it.
type record struct {
	ID              int64
	ImportStatus    string  `json:"import_status"`
	ImportType      string  `json:"import_type"`
	ImportError     *string `json:"import_error"`
	FailedRelations []struct {
		Relation string `json:"relation_name"`
		Message  string `json:"exception_message"`
	} `json:"failed_relations"`
	Stats struct{ Fetched, Imported map[string]int }
}

func gitHubParams(h *forgetest.GitHub, more map[string]any) map[string]any {
	params := map[string]any{
		"personal_access_token": h.Token, "repo_id": 42, "target_namespace": "carol", "forge_hostname": h.URL,
		"pagination_limit": 2,
	}
	for key, value := range more {
		params[key] = value
	}
	return params
}

func TestImportFromGitHub(t *testing.T) {
	t.Parallel()
	sc, h := newScene(t), forgetest.NewGitHub(t)
	sc.administrate()
	sc.s.User(t, "ann")
	reply := sc.s.Do(t, sc.user.Token, "POST", "/import/forge", gitHubParams(h, map[string]any{
		"optional_stages": map[string]any{"collaborators_import": true, "single_endpoint_issue_events_import": true},
	}))
	require.Equal(t, 201, reply.Status, string(reply.Body))
	var made map[string]any
	require.NoError(t, json.Unmarshal(reply.Body, &made))
	id := int(made["id"].(float64))
	delete(made, "id")
	require.Equal(t, map[string]any{
		"name": "site", "full_path": "/carol/site", "full_name": "Carol / site", "refs_url": "/carol/site/refs",
		"forked": false, "import_source": "acme/site", "import_status": "scheduled",
		"human_import_status_name": "scheduled", "provider_link": "/acme/site", "relation_type": nil,
		"import_warning": nil,
	}, made)
	sc.s.Drain(t)
	sc.checkImported(id)
}

// checkImported checks all that the fake has, of an import with collaborators and events.
func (sc scene) checkImported(id int) {
	t := sc.t
	var r record
	sc.get(fmt.Sprintf("/projects/%d/import", id), &r)
	require.Equal(t, []any{"finished", "github", (*string)(nil)}, []any{r.ImportStatus, r.ImportType, r.ImportError})
	require.Len(t, r.FailedRelations, 1)
	require.Equal(t, "project_members", r.FailedRelations[0].Relation)
	require.Contains(t, r.FailedRelations[0].Message, `bob has the custom role "chef", which has no access level`)
	require.Equal(t, map[string]int{
		"label": 5, "milestone": 5, "release": 5, "issue": 5, "pull_request": 3, "pull_request_merged_by": 1,
		"pull_request_review": 9, "pull_request_review_request": 2, "note": 5, "diff_note": 3, "issue_event": 8,
		"collaborator": 2, "protected_branch": 1,
	}, r.Stats.Fetched)
	for kind, n := range map[string]int{
		"label": 5, "issue": 5, "pull_request": 3, "note": 5, "diff_note": 3, "issue_event": 8, "collaborator": 1,
	} {
		require.Equal(t, n, r.Stats.Imported[kind], kind)
	}
	at := fmt.Sprintf("/projects/%d", id)
	require.Equal(t, []string{"label 1", "label 2", "label 3", "label 4", "label 5"}, sc.texts(at+"/labels", "name"))
	require.ElementsMatch(t, []string{"v1", "v2", "v3", "v4", "v5"}, sc.texts(at+"/milestones", "title"))
	require.ElementsMatch(t, []string{"v1", "v2", "v3", "v4"}, sc.texts(at+"/releases", "tag_name"))
	require.Contains(t, sc.texts(at+"/releases", "description"), "Release for tag v1")
	require.Equal(t, []string{"11", "12", "13", "14", "15"}, sc.texts(at+"/issues?sort=asc", "iid"))
	require.Equal(t, "*Created by: bob*\n\nask `@bob`", sc.texts(at+"/issues?sort=asc", "description")[0])
	require.Equal(t, "*Created by: ghost*\n\nask `@bob`", sc.texts(at+"/issues?sort=asc", "description")[4])
	require.Equal(t, []string{"comment 1", "comment 2", "comment 3", "comment 4", "comment 5"},
		sc.texts(at+"/issues/11/notes?sort=asc", "body"))
	var notes []struct{ Author struct{ Username string } }
	sc.get(at+"/issues/11/notes", &notes)
	require.Equal(t, "ann", notes[0].Author.Username)
	require.Equal(t, []string{"add"}, sc.texts(at+"/issues/12/resource_label_events", "action"))
	require.ElementsMatch(t, []string{"feature", "github/fork/bob/theirs", "main"},
		sc.texts(at+"/repository/branches", "name"))
	require.Equal(t, []string{"v1"}, sc.texts(at+"/repository/tags", "name"))
	sc.checkRequests(at)
	var protection []struct {
		Push []struct {
			Level int `json:"access_level"`
		} `json:"push_access_levels"`
		Merge []struct {
			Level int `json:"access_level"`
		} `json:"merge_access_levels"`
	}
	sc.get(at+"/protected_branches", &protection)
	require.Equal(t, []int{0, 40}, []int{protection[0].Push[0].Level, protection[0].Merge[0].Level})
	require.ElementsMatch(t, []string{"ann", "carol"}, sc.texts(at+"/members/all", "username"))
	var p struct {
		Resolved   bool   `json:"only_allow_merge_if_all_discussions_are_resolved"`
		Branch     string `json:"default_branch"`
		Visibility string
	}
	sc.get(at, &p)
	require.True(t, p.Resolved)
	require.Equal(t, []string{"main", "public"}, []string{p.Branch, p.Visibility})
	var rule struct {
		Unsigned bool `json:"reject_unsigned_commits"`
	}
	sc.get(at+"/push_rule", &rule)
	require.True(t, rule.Unsigned)
}

func (sc scene) checkRequests(at string) {
	t := sc.t
	require.Equal(t, []string{"opened", "opened", "merged"}, sc.texts(at+"/merge_requests?sort=asc", "state"))
	require.Equal(t, []string{"feature", "github/fork/bob/theirs", "feature"},
		sc.texts(at+"/merge_requests?sort=asc", "source_branch"))
	require.Equal(t, []string{"[label 3]", "[label 3]", "[label 3]"}, sc.texts(at+"/merge_requests?sort=asc", "labels"))
	var changes struct {
		Changes []struct {
			NewPath string `json:"new_path"`
		}
	}
	sc.get(at+"/merge_requests/1/changes", &changes)
	require.Len(t, changes.Changes, 1)
	require.Equal(t, "README.md", changes.Changes[0].NewPath)
	require.Equal(t, []string{
		"approved this merge request", "*Created by: bob*\n\n**Review:** Changes requested\n\nNot yet",
		"*Created by: bob*\n\ndiff note 301", "*Created by: bob*\n\ndiff note 302",
		"*Comment on `gone.md:7`*\n\n*Created by: bob*\n\ndiff note 303",
	}, sc.texts(at+"/merge_requests/1/notes?sort=asc", "body"))
	var approvals struct {
		By []struct{ User struct{ Username string } } `json:"approved_by"`
	}
	sc.get(at+"/merge_requests/1/approvals", &approvals)
	require.Equal(t, "ann", approvals.By[0].User.Username)
	var threads []struct {
		Notes []struct {
			Body, Type string
			Position   *struct {
				NewLine *int `json:"new_line"`
				OldLine *int `json:"old_line"`
			}
		}
	}
	sc.get(at+"/merge_requests/1/discussions", &threads)
	found := 0
	for _, thread := range threads {
		if len(thread.Notes) == 2 && thread.Notes[0].Position != nil {
			found++
			at := thread.Notes[0].Position
			require.Equal(t, []any{3, (*int)(nil)}, []any{*at.NewLine, at.OldLine})
		}
	}
	require.Equal(t, 1, found, "%+v", threads)
}
