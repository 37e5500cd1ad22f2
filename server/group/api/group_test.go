package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/tree"
)

// If two requests create one path at once, one succeeds and the other is refused.
func TestGroupPathsRace(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	statuses := make([]int, 8)
	var wait sync.WaitGroup
	for i := range statuses {
		wait.Go(func() {
			statuses[i] = f.Do(t, f.RootToken, "POST", "/groups", map[string]any{"name": "Race", "path": "race"}).Status
		})
	}
	wait.Wait()
	made := 0
	for _, s := range statuses {
		if s == http.StatusCreated {
			made++
		} else {
			require.Equal(t, http.StatusBadRequest, s)
		}
	}
	require.Equal(t, 1, made)
}

// While groups are made below it, a group is renamed back and forth: in the end every path fits the
// tree.
func TestGroupRenameRace(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	var wait sync.WaitGroup
	wait.Go(func() {
		for i := range 10 {
			r := f.Do(t, f.RootToken, "PUT", fmt.Sprintf("/groups/%d", f.ids["acme"]),
				map[string]any{"path": fmt.Sprintf("acme%d", i)})
			if r.Status != http.StatusOK {
				t.Errorf("rename %d: %s", i, r.Body)
			}
		}
	})
	for n := range 3 {
		wait.Go(func() {
			for i := range 10 {
				name := fmt.Sprintf("sub%d-%d", n, i)
				r := f.Do(t, f.RootToken, "POST", "/groups",
					map[string]any{"name": name, "path": name, "parent_id": f.ids["acme/web"]})
				if r.Status != http.StatusCreated {
					t.Errorf("%s: %s", name, r.Body)
				}
			}
		})
	}
	wait.Wait()
	require.Len(t, strings.Fields(f.list(t, "root", "/groups/acme9%2Fweb/subgroups?per_page=100")), 31)
	for path := range strings.FieldsSeq(f.list(t, "root", "/groups?per_page=100")) {
		r := f.Do(t, f.RootToken, "GET", "/groups/"+strings.ReplaceAll(path, "/", "%2F"), nil)
		require.Equal(t, http.StatusOK, r.Status, path)
	}
}

// With a deletion period of no days a group is removed by the job of its own deletion, with all
// that is in it.
func TestGroupDeletionWithoutDelay(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	require.NoError(t, setting.Set(t.Context(), f.Store, "deletion_adjourned_period", 0))
	r := f.Do(t, f.tokens["olga"], "DELETE", "/groups/acme", nil)
	require.Equal(t, http.StatusAccepted, r.Status)
	f.Drain(t)
	require.Equal(t, "open/docs open/acme-fans inner open", f.list(t, "root", "/groups"))
	r = f.Do(t, f.RootToken, "POST", "/groups", map[string]any{"name": "Acme", "path": "acme"})
	require.Equal(t, http.StatusCreated, r.Status, "the path is free: %s", r.Body)
}

// A group without a stated visibility has that of the setting, or its parent's if that is lower;
// and it never gets lower than that of a project inside.
func TestGroupVisibility(t *testing.T) {
	t.Parallel()
	f := newForest(t)
	require.NoError(t, setting.Set(t.Context(), f.Store, "default_group_visibility", "public"))
	f.group(t, "young", map[string]any{"name": "young"})
	f.group(t, "inner/young", map[string]any{"name": "young"})
	require.Equal(t, "young inner/young", f.list(t, "zoe", "/groups?all_available=true&search=young"))
	require.Equal(t, "young", f.list(t, "nobody", "/groups?search=young"))

	site := tree.NewProject("site", "site", f.ids["young"])
	site.Visibility = db.Internal
	_, err := project.InsertProject(t.Context(), f.Store, site, 0)
	require.NoError(t, err)
	r := f.Do(t, f.RootToken, "PUT", "/groups/young", map[string]any{"visibility": "private"})
	require.Equal(t, http.StatusBadRequest, r.Status)
	const contains = "private is not allowed since this group contains projects with higher visibility."
	require.JSONEq(t, `{"message":{"visibility_level":["`+contains+`"]}}`, string(r.Body))
	r = f.Do(t, f.RootToken, "PUT", "/groups/young", map[string]any{"visibility": "internal"})
	require.Equal(t, http.StatusOK, r.Status)
}
