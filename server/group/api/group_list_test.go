package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/group"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

// forest is a server with groups of every visibility, and users who stand in every relation to
// them.
type forest struct {
	*servertest.Server
	tokens map[string]string
	ids    map[string]int64 // of groups by full path, of users by name
}

func newForest(t *testing.T) forest {
	t.Helper()
	f := forest{servertest.Fresh(t), map[string]string{"nobody": ""}, map[string]int64{}}
	f.tokens["root"] = f.RootToken
	for _, name := range []string{"olga", "gert", "mini", "inga", "zoe", "ext"} {
		u := f.User(t, name)
		f.tokens[name], f.ids[name] = u.Token, u.ID
	}
	f.Do(t, f.RootToken, "PUT", fmt.Sprintf("/users/%d", f.ids["ext"]), map[string]any{"external": true})
	for _, g := range []struct{ path, name, visibility string }{
		{"acme", "Acme", "private"},
		{"acme/web", "Web", "private"},
		{"acme/web/front", "Front", "private"},
		{"acme/api", "Api", "private"},
		{"inner", "Inner", "internal"},
		{"open", "Open", "public"},
		{"open/docs", "Docs", "private"},
		{"open/acme-fans", "Fans of acme", "public"},
	} {
		f.group(t, g.path, map[string]any{"name": g.name, "visibility": g.visibility})
	}
	f.member(t, "olga", "acme", 50)
	f.member(t, "olga", "open", 40)
	f.member(t, "gert", "acme/web", 10)
	f.member(t, "mini", "acme", 5)
	inside, err := project.InsertProject(t.Context(), f.Store, tree.NewProject("plans", "plans", f.ids["acme/api"]), 0)
	require.NoError(t, err)
	_, err = group.AddMember(
		t.Context(), f.Store, group.Member{UserID: f.ids["inga"], ProjectID: &inside.ID, AccessLevel: 20},
	)
	require.NoError(t, err)
	return f
}

// group creates a group of root, who then leaves it without an owner.
func (f forest) group(t *testing.T, path string, fields map[string]any) {
	t.Helper()
	fields["path"] = path
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		fields["path"], fields["parent_id"] = path[i+1:], f.ids[path[:i]]
	}
	var made struct{ ID int64 }
	f.Do(t, f.RootToken, "POST", "/groups", fields).Into(t, &made)
	f.ids[path] = made.ID
	_, err := f.Store.DB().Exec(t.Context(), `delete from members where namespace_id = $1`, made.ID)
	require.NoError(t, err)
}

func (f forest) member(t *testing.T, user, g string, level int) {
	t.Helper()
	id := f.ids[g]
	_, err := group.AddMember(
		t.Context(), f.Store, group.Member{UserID: f.ids[user], NamespaceID: &id, AccessLevel: level},
	)
	require.NoError(t, err)
}

// list reads a list of groups as one line of full paths, or the error.
func (f forest) list(t *testing.T, user, path string) string {
	t.Helper()
	for name, id := range f.ids {
		path = strings.ReplaceAll(path, "$"+name+"$", fmt.Sprint(id))
	}
	r := f.Do(t, f.tokens[user], "GET", path, nil)
	if r.Status != http.StatusOK {
		return strings.TrimSpace(string(r.Body))
	}
	var groups []struct {
		Path string `json:"full_path"`
	}
	r.Into(t, &groups)
	paths := []string{}
	for _, g := range groups {
		paths = append(paths, g.Path)
	}
	return strings.Join(paths, " ")
}

// The groups that each caller sees in each list (spec 2 §4.5).
func TestGroupLists(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	for _, c := range []struct{ user, path, want string }{
		{"nobody", "/groups", "open/acme-fans open"},
		{"nobody", "/groups?all_available=false", "open/acme-fans open"},
		{"nobody", "/groups?owned=true", ""},
		{"nobody", "/groups?min_access_level=10", ""},
		{"nobody", "/groups?visibility=private", ""},
		{"root", "/groups", "acme acme/api open/docs open/acme-fans acme/web/front inner open acme/web"},
		{"root", "/groups?all_available=false", ""},
		{"root", "/groups?owned=true", ""},
		{"zoe", "/groups", ""},
		{"zoe", "/groups?all_available=true", "open/acme-fans inner open"},
		{"ext", "/groups?all_available=true", "open/acme-fans open"},
		{"olga", "/groups", "acme acme/api open/docs open/acme-fans acme/web/front open acme/web"},
		{"olga", "/groups?all_available=true&visibility=internal", "inner"},
		{"olga", "/groups?owned=true", "acme"},
		{"olga", "/groups?owned=true&all_available=true", "acme"},
		{"olga", "/groups?min_access_level=50", "acme acme/api acme/web/front acme/web"},
		{"olga", "/groups?min_access_level=40&top_level_only=true", "acme open"},
		{"gert", "/groups", "acme acme/web/front acme/web"},
		{"gert", "/groups?min_access_level=10", "acme/web/front acme/web"},
		{"gert", "/groups?min_access_level=20", ""},
		{"mini", "/groups", "acme"},
		{"inga", "/groups", "acme acme/api"},

		{"root", "/groups?order_by=path&sort=desc",
			"acme/web open inner acme/web/front open/docs acme/api open/acme-fans acme"},
		{"root", "/groups?order_by=id&per_page=3&page=2", "acme/api inner open"},
		{"root", "/groups?search=ACME&order_by=similarity&sort=desc",
			"acme open/acme-fans acme/web acme/api acme/web/front"},
		{"root", "/groups?order_by=similarity&per_page=1", "acme"},
		{"root", "/groups?search=%25", ""},
		{"root", "/groups?skip_groups[]=$acme$&skip_groups[]=$open$&top_level_only=true", "inner"},
		{"root", "/groups?skip_groups=$acme$,$inner$&top_level_only=true", "open"},
		{"root", "/groups?repository_storage=default&per_page=2", "acme acme/api"},
		{"root", "/groups?repository_storage=nfs", ""},
		{"olga", "/groups?repository_storage=nfs&owned=true", "acme"},
		{"root", "/groups?custom_attributes[team]=red", ""},
		{"olga", "/groups?custom_attributes[team]=red&owned=true", "acme"},
		{"root", "/groups?order_by=size", `{"error":"order_by does not have a valid value"}`},
		{"root", "/groups?min_access_level=7", `{"error":"min_access_level does not have a valid value"}`},

		{"olga", "/groups/acme/subgroups", "acme/api acme/web"},
		{"olga", "/groups/acme/descendant_groups", "acme/api acme/web/front acme/web"},
		{"olga", "/groups/acme/descendant_groups?search=front", "acme/web/front"},
		{"olga", "/groups/acme/descendant_groups?search=acme", ""},
		{"gert", "/groups/acme/subgroups", "acme/web"},
		{"inga", "/groups/acme/descendant_groups", "acme/api"},
		{"mini", "/groups/acme/subgroups", ""},
		{"zoe", "/groups/acme/subgroups", `{"message":"404 Group Not Found"}`},
		{"zoe", "/groups/open/subgroups", ""},
		{"zoe", "/groups/open/subgroups?all_available=true", "open/acme-fans"},
		{"nobody", "/groups/open/subgroups", "open/acme-fans"},
		{"root", "/groups/open/subgroups?top_level_only=true", "open/docs open/acme-fans"},
		{"root", "/groups/open/subgroups?pagination=keyset",
			`{"error":"Keyset pagination is not yet available for this type of request"}`},

		{"olga", "/groups/acme%2Fweb/transfer_locations", "acme/api open/docs open/acme-fans open"},
		{"olga", "/groups/acme/transfer_locations?search=docs", "open/docs"},
		{"gert", "/groups/acme%2Fweb/transfer_locations", `{"message":"403 Forbidden"}`},
		{"root", "/groups/acme/transfer_locations", "open/docs open/acme-fans inner open"},
	} {
		t.Run(c.user+" "+c.path, func(t *testing.T) {
			require.Equal(t, c.want, f.list(t, c.user, c.path))
		})
	}
}

// A caller can read exactly the groups in their lists: the condition of lists and the policy must
// agree.
func TestGroupListsAgreeWithThePolicy(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	for user, token := range f.tokens {
		listed := strings.Fields(f.list(t, user, "/groups?all_available=true"))
		for path, id := range f.ids {
			if _, isUser := f.tokens[path]; isUser {
				continue
			}
			r := f.Do(t, token, "GET", fmt.Sprintf("/groups/%d", id), nil)
			require.Equal(
				t, r.Status == http.StatusOK, slices.Contains(listed, path), "%s and %s: %d", user, path, r.Status,
			)
		}
	}
}

// By key, the pages of a list by name follow each other to the end, each row once (gaps §1.4).
func TestGroupListByKey(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	for range 3 { // one name several times: the id decides
		f.group(t, fmt.Sprintf("twin%d", len(f.ids)), map[string]any{"name": "Twin", "visibility": "public"})
	}
	var got []string
	next := f.URL + "/groups?pagination=keyset&per_page=2&order_by=name"
	for next != "" {
		require.Less(t, len(got), 10)
		r := f.Do(t, "", "GET", strings.TrimPrefix(next, f.URL), nil)
		require.Empty(t, r.Header.Get("X-Total"))
		var page []struct {
			Path string `json:"full_path"`
		}
		r.Into(t, &page)
		for _, g := range page {
			got = append(got, g.Path)
		}
		next, _, _ = strings.Cut(strings.TrimPrefix(r.Header.Get("Link"), "<"), ">")
	}
	require.Equal(t, "open/acme-fans open twin14 twin15 twin16", strings.Join(got, " "))
	for _, refused := range []string{"order_by=id", "sort=desc", "cursor=x"} {
		r := f.Do(t, "", "GET", "/groups?pagination=keyset&"+refused, nil)
		require.GreaterOrEqual(t, r.Status, 400, refused)
	}
}

// Extras of lists are for administrators, and one query a page.
func TestGroupListExtras(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	_, err := f.Store.DB().Exec(t.Context(), `
		update projects set repository_size = 5, wiki_size = 2;
		update namespaces set custom_attributes = '{"team": "red"}' where path = 'api'`)
	require.NoError(t, err)
	var list []map[string]json.RawMessage
	f.Do(t, f.RootToken, "GET", "/groups?statistics=true&with_custom_attributes=true&search=api", nil).Into(t, &list)
	require.JSONEq(t, `[{"key":"team","value":"red"}]`, string(list[0]["custom_attributes"]))
	require.JSONEq(t, `{"storage_size":7,"repository_size":5,"wiki_size":2,"lfs_objects_size":0,"job_artifacts_size":0,
		"pipeline_artifacts_size":0,"packages_size":0,"snippets_size":0,"uploads_size":0}`, string(list[0]["statistics"]))
	require.Equal(t, "acme/api", f.list(t, "root", "/groups?custom_attributes[team]=red"))

	var plain []map[string]json.RawMessage
	f.Do(t, f.tokens["olga"], "GET", "/groups?statistics=true&with_custom_attributes=true&search=api", nil).Into(
		t, &plain,
	)
	require.NotContains(t, plain[0], "statistics")
	require.NotContains(t, plain[0], "custom_attributes")
}
