package provider

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/ledger"
)

// A11: the account shows whether a user is a bot, not the name. An exclusive set
// removes only users whose account says that they are not bots.
func TestExclusiveMembersSpareBots(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"GET /user":        {status: 200, body: root},
		"GET /groups/acme": {status: 200, body: `{"id":7,"path":"acme","full_path":"acme"}`},
		"GET /groups/7/members": {status: 200, body: `[
			{"id":1,"username":"root","access_level":50},{"id":2,"username":"carl","access_level":30},{"id":3,"username":"robin","access_level":30},
			{"id":4,"username":"dan","access_level":30},{"id":5,"username":"old","access_level":30},{"id":6,"username":"group_7_bot_1f","access_level":30}]`},
		"GET /users/2":               {status: 200, body: `{"id":2,"username":"carl","bot":false}`},
		"GET /users/3":               {status: 200, body: `{"id":3,"username":"robin","bot":true}`},
		"GET /users/4":               {status: 403, body: `{"message":"403 Forbidden"}`},
		"GET /users/5":               {status: 200, body: `{"id":5,"username":"old"}`},
		"DELETE /groups/7/members/2": {status: 204},
	})
	require.Equal(t, []string{`- group_members.all["carl"]`, `= group_members.all["root"]`},
		h.run(t, ledger.Memory(), true, `
resource "group_members" "all" {
  group     = "acme"
  exclusive = true
  members   = { root = { access_level = "owner" } }
}`))
	require.Equal(t, []string{"DELETE /groups/7/members/2?skip_subresources=true"}, h.wrote())
	require.NotContains(t, h.asked, "GET /users/6", "its name says it")
}
