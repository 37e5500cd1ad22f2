package provider

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// What a runner works for beside its own project is brought about by requests of
// their own, one for each project that differs; they end where it could not be deleted otherwise.
func TestRunnersWorkForOtherProjects(t *testing.T) {
	t.Parallel()
	at := `[{"id":7,"path_with_namespace":"acme/api"},{"id":8,"path_with_namespace":"acme/web"},{"id":9,"path_with_namespace":"acme/old"}]`
	refuses := 1
	h := serve(t, script{
		"GET /runners/5": {do: func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 200, `{"id":5,"description":"fast","projects":`+at+`}`)
		}},
		"POST /projects/{id}/runners": {do: func(w http.ResponseWriter, _ *http.Request) {
			at = `[{"id":7},{"id":8},{"id":10}]`
			reply(w, 201, `{"id":5}`)
		}},
		"DELETE /projects/{id}/runners/5": {status: 204},
		"DELETE /runners/5": {do: func(w http.ResponseWriter, _ *http.Request) {
			if refuses--; refuses == 0 {
				reply(w, 403, `{"message":"403 Forbidden - Runner associated with more than one project"}`)
				return
			}
			w.WriteHeader(204)
		}},
	})
	want := declared(the(projectRunner), "project", api, "description", "fast", "projects",
		schema.RefsVal([]*schema.Ref{{ID: "8"}, {ID: "10", Path: "acme/new"}}))
	now, err := h.Update(t.Context(), found(declared(the(projectRunner), "project", api), "5"),
		schema.Assigns(found(want, "5"), "projects"))
	require.NoError(t, err)
	require.Equal(t, `[8 10]`, fields(t, now, "projects")["projects"], "its own is none of them")
	require.Equal(t, []string{
		`GET /runners/5`, `POST /projects/10/runners {"runner_id":5}`, `DELETE /projects/9/runners/5`, `GET /runners/5`,
	}, h.asked)

	h.asked = nil
	require.NoError(t, h.Delete(t.Context(), now))
	require.Equal(t, []string{`DELETE /runners/5`, `GET /runners/5`, `DELETE /projects/8/runners/5`,
		`DELETE /projects/10/runners/5`, `DELETE /runners/5`}, h.asked)
}
