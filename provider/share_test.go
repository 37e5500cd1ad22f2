package provider

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/ledger"
)

// sharing is a host with one group, its shares, and no update of them.
func sharing(t *testing.T, shares string, refuse string) *host {
	whole := func() string {
		return fmt.Sprintf(`{"id":12,"path":"acme","full_path":"acme","parent_id":null,"shared_with_groups":[%s]}`,
			shares)
	}
	answer := says{do: func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, whole()) }}
	return serve(t, script{
		"GET /user": {status: 200, body: root}, "GET /groups/acme": answer, "GET /groups/12": answer,
		"GET /groups/guests": {status: 200, body: `{"id":13,"path":"guests","full_path":"guests"}`},
		"DELETE /groups/12/share/{id}": {do: func(w http.ResponseWriter, _ *http.Request) {
			shares = ""
			w.WriteHeader(204)
		}},
		"POST /groups/12/share": {do: func(w http.ResponseWriter, _ *http.Request) {
			switch {
			case shares != "":
				reply(w, 409, `{"message":"409 Conflict"}`)
			case refuse != "":
				reply(w, 400, refuse)
			default:
				shares = `{"group_id":13,"group_full_path":"guests","group_access_level":30,"expires_at":"2999-01-01"}`
				reply(w, 200, whole())
			}
		}},
	})
}

const shareConfig = `resource "group_share" "s" {
  group        = "acme"
  share_group  = "guests"
  group_access = "developer"
}`

func TestShares(t *testing.T) {
	t.Parallel()
	t.Run("made, and read back from the group", func(t *testing.T) {
		t.Parallel()
		h, back := sharing(t, "", ""), ledger.Memory()
		require.Equal(t, []string{"+ group_share.s group share_group group_access"}, h.run(t, back, true, shareConfig))
		require.Equal(t, []string{`POST /groups/12/share {"group_access":30,"group_id":13}`}, h.wrote())
		require.Equal(t, []string{"group_share.s"}, h.run(t, back, false, shareConfig))
	})
	t.Run("changed by removing and making it, with what nobody states", func(t *testing.T) {
		t.Parallel()
		h := sharing(t, `{"group_id":13,"group_full_path":"guests","group_access_level":20,"expires_at":"2999-01-01"}`,
			"")
		require.Equal(t, []string{"= group_share.s group_access"}, h.run(t, ledger.Memory(), true, shareConfig))
		require.Equal(t, []string{`DELETE /groups/12/share/13`,
			`POST /groups/12/share {"expires_at":"2999-01-01","group_access":30,"group_id":13}`}, h.wrote())
	})
	t.Run("refused half-way it is made by the next apply", func(t *testing.T) {
		t.Parallel()
		h, back := sharing(t, `{"group_id":13,"group_full_path":"guests","group_access_level":20,"expires_at":null}`,
			`{"message":"400 Bad request"}`), ledger.Memory()
		lines := h.run(t, back, true, shareConfig)
		require.Len(t, lines, 2)
		require.Contains(t, lines[1],
			"failed: hosts cannot update a group_share; it was deleted, but creating it again failed; the next "+
				"apply creates it")
		require.Equal(t, []string{"+ group_share.s group share_group group_access"}, h.run(t, back, false, shareConfig))
	})
	t.Run("removed", func(t *testing.T) {
		t.Parallel()
		h, back := sharing(t, "", ""), ledger.Memory()
		h.run(t, back, true, shareConfig)
		require.Equal(t, []string{"- group_share.s"}, h.run(t, back, true, `hew {
  guards {
    allow_empty = true
  }
}`))
		require.Contains(t, h.wrote(), `DELETE /groups/12/share/13`)
	})
}

// A host that does not show shares has not none.
func TestSharesOutOfSight(t *testing.T) {
	t.Parallel()
	h := serve(t, script{"GET /user": {status: 200, body: root}, "GET /groups/acme": {status: 200, body: acmeHas},
		"GET /groups/12": {status: 200, body: acmeHas}})
	require.Equal(t, []string{"blocked: group_share of acme could not be read: the host does not show the " +
		"shared_with_groups of the group; this requires Owner of the group"},
		h.run(t, ledger.Memory(), false, shareConfig))
}
