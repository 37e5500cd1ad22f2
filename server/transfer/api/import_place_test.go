package api_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
	"hew/server/setting"
)

func emptyArchive(t testing.TB, project string) string {
	return packFiles(t, map[string]string{"VERSION": "0.2.4", "tree/project.json": project})
}

// Of imports into one path at once one makes the project, and the others get the reason.
func TestImportsIntoOnePath(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	archive := emptyArchive(t, `{}`)
	replies := make([]servertest.Reply, 5)
	var all sync.WaitGroup
	for n := range replies {
		all.Go(func() { replies[n] = i.upload(i.user.Token, archive, map[string]string{"path": "same"}) })
	}
	all.Wait()
	made := 0
	for _, r := range replies {
		if r.Status == 201 {
			made++
			continue
		}
		require.Equal(t, 400, r.Status, string(r.Body))
		require.Contains(t, string(r.Body), "has already been taken")
	}
	require.Equal(t, 1, made)
	require.NoError(t, i.s.Server.Jobs.Drain(t.Context()))
}

// An import that overwrites a project stands beside it and takes its place when it has succeeded.
// What failed leaves the project alone.
func TestOverwrite(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	require.NoError(t, setting.Set(t.Context(), i.s.Store, "project_import_limit", 0))
	first := i.bring(i.user.Token, emptyArchive(t, `{"description":"first"}`), map[string]string{"path": "shop"})
	over := map[string]string{"path": "shop", "name": "The shop", "overwrite": "true"}
	failed := i.bring(i.user.Token, packFiles(t, map[string]string{"VERSION": "9"}), over)
	require.Equal(t, "failed", failed.Status)
	require.Equal(t, "bob/shop", i.show(i.user.Token, first.ID).Path)

	second := i.bring(i.user.Token, emptyArchive(t, `{"description":"second","archived":true}`), over)
	require.Equal(t, "finished", second.Status)
	require.Equal(t, "bob/shop", second.Path)
	var p struct {
		ID                int64
		Name, Description string
		Archived          bool
	}
	i.s.Do(t, i.user.Token, "GET", "/projects/bob%2Fshop", nil).Into(t, &p)
	require.Equal(t, second.ID, p.ID)
	require.Equal(t, "The shop", p.Name)
	require.Equal(t, "second", p.Description)
	require.True(t, p.Archived)
	require.Equal(t, 404, i.s.Do(t, i.user.Token, "GET", fmt.Sprintf("/projects/%d", first.ID), nil).Status)
	left, err := db.Value[int](t.Context(), i.s.Store, `
		select count(*) from project_imports i where i.project_id = @id`, pgx.NamedArgs{"id": second.ID})
	require.NoError(t, err)
	require.Zero(t, left)
}

// An import takes the path of the project that it was to replace, also if that is deleted before.
func TestOverwriteWhatIsDeleted(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	old := i.bring(i.user.Token, emptyArchive(t, `{}`), map[string]string{"path": "shop"})
	var begun record
	require.NoError(t, i.s.Store.Tx(t.Context(), func(st *db.Store) error {
		err := st.Exec(t.Context(), `lock table import_checkpoints`, nil) // the job waits
		reply := i.upload(i.user.Token, emptyArchive(t, `{}`), map[string]string{"path": "shop", "overwrite": "true"})
		if reply.Status == 201 {
			reply.Into(t, &begun)
			err = errors.Join(err, i.s.Store.Exec(t.Context(), `delete from projects where id = @id`,
				pgx.NamedArgs{"id": old.ID}))
		}
		return err
	}))
	require.NoError(t, i.s.Server.Jobs.Drain(t.Context()))
	now := i.show(i.user.Token, begun.ID)
	require.Equal(t, "finished", now.Status)
	require.Equal(t, "bob/shop", now.Path)
}

// Of imports at once, no more succeed than the user may have projects.
func TestImportsUpToTheLimit(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	require.NoError(t, i.s.Store.Exec(t.Context(), `update users set projects_limit = 1 where id = @id`,
		pgx.NamedArgs{"id": i.user.ID}))
	archive := emptyArchive(t, `{}`)
	replies := make([]servertest.Reply, 5)
	var all sync.WaitGroup
	for n := range replies {
		all.Go(func() {
			replies[n] = i.upload(i.user.Token, archive, map[string]string{"path": fmt.Sprint("p", n)})
		})
	}
	all.Wait()
	made := 0
	for _, r := range replies {
		if r.Status == 201 {
			made++
		} else {
			require.Equal(t, 403, r.Status, string(r.Body))
		}
	}
	require.Equal(t, 1, made)
	require.NoError(t, i.s.Server.Jobs.Drain(t.Context()))
}

// A project that has moved on while the import waited is not removed, and neither is one whose
// namespace the importer owns no longer.
func TestOverwriteWhatHasChanged(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	require.NoError(t, setting.Set(t.Context(), i.s.Store, "project_import_limit", 0))
	i.s.Do(t, i.user.Token, "POST", "/groups", map[string]any{"name": "Acme", "path": "acme"})
	overwrite := func(path, want string, change func(old int64)) {
		old := i.bring(i.user.Token, emptyArchive(t, `{}`), map[string]string{"path": path, "namespace": "acme"})
		require.Equal(t, "finished", old.Status)
		var begun record
		require.NoError(t, i.s.Store.Tx(t.Context(), func(st *db.Store) error {
			err := st.Exec(t.Context(), `lock table import_checkpoints`, nil) // the job waits
			reply := i.upload(i.user.Token, emptyArchive(t, `{}`),
				map[string]string{"path": path, "namespace": "acme", "overwrite": "true"})
			if reply.Status == 201 {
				reply.Into(t, &begun)
				change(old.ID)
			}
			return err
		}))
		require.NoError(t, i.s.Server.Jobs.Drain(t.Context()))
		now := i.show(i.s.RootToken, begun.ID)
		require.Equal(t, "failed", now.Status)
		require.Equal(t, want, *now.Error)
		reply := i.s.Do(t, i.s.RootToken, "GET", fmt.Sprintf("/projects/%d", old.ID), nil)
		require.Equal(t, 200, reply.Status, string(reply.Body))
	}
	overwrite("shop", "the project that the import was to replace is now acme/kept: it was left as it is",
		func(old int64) {
			reply := i.s.Do(t, i.user.Token, "PUT", fmt.Sprintf("/projects/%d", old), map[string]any{"path": "kept"})
			require.Equal(t, 200, reply.Status, string(reply.Body))
		})
	overwrite("till", "the user who asked for the import may no longer replace the project: it was left as it is",
		func(int64) {
			require.NoError(t, i.s.Store.Exec(t.Context(),
				`update members set access_level = 40 where user_id = @id and namespace_id is not null`,
				pgx.NamedArgs{"id": i.user.ID}))
		})
}

// The visibility of an archive is lowered to what the namespace and the settings allow.
func TestImportedVisibility(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	require.NoError(t, setting.Set(t.Context(), i.s.Store, "project_import_limit", 0))
	require.NoError(t, setting.Set(t.Context(), i.s.Store, "restricted_visibility_levels", []string{"public"}))
	i.s.Do(t, i.user.Token, "POST", "/groups", map[string]any{"name": "Acme", "path": "acme", "visibility": "private"})
	for n, tt := range []struct{ token, space, archive, override, want string }{
		{i.user.Token, "", `{"visibility_level":20}`, "", "internal"},
		{i.user.Token, "", `{"visibility_level":0}`, "", "private"},
		{i.user.Token, "", `{"visibility_level":20}`, "private", "private"},
		{i.user.Token, "acme", `{"visibility_level":20}`, "", "private"},
		{i.user.Token, "acme", `{"visibility_level":0}`, "public", "private"},
		{i.s.RootToken, "", `{"visibility_level":20}`, "", "public"},
	} {
		fields := map[string]string{"path": fmt.Sprint("p", n)}
		if tt.space != "" {
			fields["namespace"] = tt.space
		}
		if tt.override != "" {
			fields["override_params[visibility]"] = tt.override
		}
		r := i.bring(tt.token, emptyArchive(t, tt.archive), fields)
		require.Equal(t, "finished", r.Status)
		var p struct{ Visibility string }
		i.get(tt.token, r.ID, "", &p)
		require.Equal(t, tt.want, p.Visibility, n)
	}
}

// Overrides win over the document. An attribute that breaks a rule is left out alone, and is named.
func TestOverrides(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	content, _ := bundle(t)
	r := i.bring(i.user.Token, packFiles(t, map[string]string{
		"VERSION": "0.2.4", "project.bundle": content,
		"tree/project.json": `{"description":"Kept","default_branch":"main","archived":true,"build_timeout":1,` +
			`"ci_config_path":"ci.yml","topics":["kept"],"merge_commit_template":"` + strings.Repeat("x", 501) + `"}`,
	}), map[string]string{
		"path": "shop", "override_params[default_branch]": "feature", "override_params[archived]": "false",
		"override_params[topics][]": "a", "override_params[colour]": "blue", "override_params[mirror]": "true",
	})
	require.Equal(t, "finished", r.Status)
	require.Equal(t, []string{
		"project:0 RecordInvalid: build_timeout: needs to be between 10 minutes and 1 month",
		"project:0 RecordInvalid: merge_commit_template: is too long (maximum is 500 characters)",
		"project:0 RecordInvalid: override_params: colour cannot be set by an import",
		"project:0 RecordInvalid: override_params: mirror cannot be set by an import",
	}, r.failures())
	var p struct {
		Description   string
		DefaultBranch string `json:"default_branch"`
		ConfigPath    string `json:"ci_config_path"`
		BuildTimeout  int    `json:"build_timeout"`
		Archived      bool
		Topics        []string
	}
	i.get(i.user.Token, r.ID, "", &p)
	require.Equal(t, "Kept", p.Description)
	require.Equal(t, "feature", p.DefaultBranch)
	require.Equal(t, "ci.yml", p.ConfigPath)
	require.Equal(t, 3600, p.BuildTimeout)
	require.False(t, p.Archived)
	require.Equal(t, []string{"a"}, p.Topics)
}
