package api_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
)

func TestPipelineByAPI(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
workflow: {name: "Run of $WHAT"}
deploy $X:
  script: a
  resource_group: $WHAT/lock
  environment: {name: review/$WHAT}
  tags: [big-$WHAT, $UNKNOWN]
`})
	y.pipelines(p)
	var made struct {
		ID   int64
		Name *string
	}
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main", "variables": []map[string]any{
		{"key": "WHAT", "value": "tea"}, {"key": "FILE", "value": "x", "variable_type": "file"},
	}}).Into(t, &made)
	require.Equal(t, "Run of tea", *made.Name)
	row, err := db.One[struct {
		Group string   `db:"key"`
		Place string   `db:"name"`
		Tags  []string `db:"tags"`
		Limit int      `db:"timeout"`
	}](t.Context(), y.Store, "Job", `
		select g.key, e.name, j.tags, j.timeout from jobs j join resource_groups g on g.id = j.resource_group_id
		join environments e on e.id = j.environment_id where j.pipeline_id = @id`, pgx.NamedArgs{"id": made.ID})
	require.NoError(t, err)
	require.Equal(t, "tea/lock", row.Group)
	require.Equal(t, "review/tea", row.Place)
	require.Equal(t, []string{"big-tea", "$UNKNOWN"}, row.Tags)
	require.Equal(t, 3600, row.Limit)

	refuse := func(body map[string]any) string { return y.refused(400, p+"/pipeline", body) }
	require.Equal(t, "Reference not found", refuse(map[string]any{"ref": "gone"}))
	y.ok("POST", p+"/repository/branches", map[string]any{"branch": "twice", "ref": "main"})
	y.ok("POST", p+"/repository/tags", map[string]any{"tag_name": "twice", "ref": "main"})
	require.Equal(t, "Ref is ambiguous", refuse(map[string]any{"ref": "twice"}))
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "refs/heads/main"})
	y.ok("PUT", p, map[string]any{"ci_pipeline_variables_minimum_override_role": "no_one_allowed"})
	require.Equal(t, "Insufficient permissions to set pipeline variables", refuse(map[string]any{
		"ref": "refs/heads/main", "variables": []map[string]any{{"key": "A", "value": "1"}},
	}))
	bob := y.User(t, "bob")
	y.ok("POST", p+"/members", map[string]any{"user_id": bob.ID, "access_level": 30})
	r := y.Do(t, bob.Token, "POST", p+"/pipeline", map[string]any{"ref": "refs/heads/main"})
	require.Equal(t, 400, r.Status)
	require.Contains(t, string(r.Body), "You do not have sufficient permission to run a pipeline on 'main'.")
	y.ok("PUT", p, map[string]any{"ci_config_path": "elsewhere.yml"})
	require.Equal(t, "Missing CI config file", refuse(map[string]any{"ref": "refs/heads/main"}))
	y.ok("PUT", p, map[string]any{"builds_access_level": "disabled"})
	require.Equal(t, 403, y.Do(t, y.by.Token, "POST", p+"/pipeline", map[string]any{"ref": "refs/heads/main"}).Status)
}
