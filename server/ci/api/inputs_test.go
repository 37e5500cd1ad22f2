package api_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
)

// Who has the token of a trigger gives the definition inputs, too. Jobs see which token it was, by
// its beginning, as others do.
func TestTriggerInputs(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
spec: {inputs: {kind: {default: none}, n: {type: number, default: 0}}}
---
"$[[ inputs.kind ]] $[[ inputs.n ]]": {script: x, only: [triggers]}
`})
	var made struct {
		ID    int64
		Token string
	}
	y.ok("POST", p+"/triggers", map[string]any{"description": "d"}).Into(t, &made)
	r := y.Do(t, "", "POST", p+"/trigger/pipeline", map[string]any{
		"token": made.Token, "ref": "main", "inputs": map[string]any{"kind": "job", "n": 2},
	})
	require.Equal(t, 201, r.Status, "%s", r.Body)
	require.Contains(t, y.pipelines(p), "trigger main pending: job 2")
	require.Equal(t, 400, y.Do(t, "", "POST", p+"/trigger/pipeline", map[string]any{
		"token": made.Token, "ref": "main", "inputs": map[string]any{"gone": 1},
	}).Status)
	for _, path := range []string{p + "/trigger/pipeline", p + "/pipeline"} {
		r := y.Do(t, y.by.Token, "POST", path, map[string]any{
			"token": made.Token, "ref": "main", "inputs": map[string]any{"n": json.Number("1e400")},
		})
		require.Equal(t, 400, r.Status)
		require.Contains(t, string(r.Body), "a number that is too large")
	}

	have := y.variables(ci.ByTrigger)
	short, _ := have("CI_TRIGGER_SHORT_TOKEN")
	require.Equal(t, made.Token[6:10], short)
	triggered, _ := have("CI_PIPELINE_TRIGGERED")
	require.Equal(t, "true", triggered)
	var shown struct{ Token string }
	y.Do(t, y.RootToken, "GET", p+"/triggers/1", nil).Into(t, &shown)
	require.Equal(t, short, shown.Token)
}

// A schedule keeps what it gives the definition as inputs, and those who read it see them.
func TestScheduleInputs(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
spec: {inputs: {kind: {default: none}, list: {type: array, default: []}}}
---
"$[[ inputs.kind ]] $[[ inputs.list ]]": {script: x, only: [schedules]}
`})
	input := func(name string, value any) map[string]any { return map[string]any{"name": name, "value": value} }
	type schedule struct {
		ID     int64
		Inputs json.RawMessage
	}
	var made schedule
	y.ok("POST", p+"/pipeline_schedules", map[string]any{
		"description": "d", "ref": "main", "cron": "0 4 31 2 *",
		"inputs": []any{input("kind", "a"), input("list", []string{"x", "y"}), input("gone", true)},
	}).Into(t, &made)
	one := fmt.Sprintf("%s/pipeline_schedules/%d", p, made.ID)
	drop := map[string]any{"name": "gone", "destroy": true}
	y.ok("PUT", one, map[string]any{"inputs": []any{input("kind", "b"), drop}})
	y.ok("GET", one, nil).Into(t, &made)
	require.JSONEq(t, `[{"name":"kind","value":"b"},{"name":"list","value":["x","y"]}]`, string(made.Inputs))
	y.ok("POST", one+"/play", nil)
	require.Contains(t, y.pipelines(p), `schedule main pending: b ["x", "y"]`)
	about, _ := y.variables(ci.BySchedule)("CI_PIPELINE_SCHEDULE_DESCRIPTION")
	require.Equal(t, "d", about)

	require.Equal(t, 400, y.Do(t, y.by.Token, "PUT", one, map[string]any{
		"inputs": []any{input("kind", map[string]any{"a": 1})},
	}).Status)
	y.ok("PUT", one, map[string]any{"inputs": []any{input("kind", json.Number("9007199254740993"))}})
	y.ok("PUT", one, map[string]any{"inputs": []any{input("list", []string{})}})
	y.ok("GET", one, nil).Into(t, &made)
	require.Contains(t, string(made.Inputs), "9007199254740993", "an edit of another one rounds nothing")
	for _, large := range []any{json.Number("1e400"), []any{json.Number("1e400")}} {
		require.Equal(t, 400, y.Do(t, y.by.Token, "PUT", one, map[string]any{
			"inputs": []any{input("kind", large)},
		}).Status)
	}
	var many []any
	for n := range 51 {
		many = append(many, input(fmt.Sprint(n), n))
	}
	require.Equal(t, 400, y.Do(t, y.by.Token, "PUT", one, map[string]any{"inputs": many}).Status)
}
