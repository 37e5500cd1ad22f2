package provider

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// What decides whose an object is, or who may do what, is not guessed where the
// answer cannot be read: what is unreadable is neither changed nor deleted.
func TestUnreadableAnswersAreErrors(t *testing.T) {
	t.Parallel()
	runner := func(groups string) script {
		return script{"GET /groups/12/runners": list(`{"id":9,"description":"fast"}`),
			"GET /runners/9": {status: 200, body: `{"id":9,"description":"fast"` + groups + `}`}}
	}
	branch := func(rest string) script {
		return script{"GET /projects/7/protected_branches": list(`{"id":70,"name":"main"` + rest + `}`)}
	}
	for name, c := range map[string]struct {
		kind   *Kind
		owner  string
		script script
		wrong  string
	}{
		"whose runner, null": {the(groupRunner), "12", runner(`,"groups":null`),
			"does not say in groups whether the runner belongs to this group"},
		"whose runner, not told": {the(groupRunner), "12", runner(``), "it answered nothing"},
		"whose runner, no list":  {the(groupRunner), "12", runner(`,"groups":"acme"`), `it answered "acme"`},
		"who may push, a text": {the(protectedBranch), "7", branch(`,"push_access_levels":"all"`),
			"the protected_branch 70: push_access_levels: "},
		"who may unprotect, a list": {the(protectedBranch), "7", branch(`,"unprotect_access_levels":[40]`),
			"unprotect_access_levels: "},
		"whose branch": {the(protectedBranch), "7", branch(`,"inherited":"yes"`),
			"inherited is neither true nor false"},
		"who may create": {the(protectedTag), "7",
			script{"GET /projects/7/protected_tags": list(`{"name":"v*","create_access_levels":{}}`)},
			"create_access_levels: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := serve(t, c.script).Read(t.Context(), []schema.Query{{Kind: &c.kind.Kind,
				Collection: c.kind.In(c.owner)}})[0]
			require.ErrorContains(t, r.Err, c.wrong)
			require.Equal(t, schema.Unreadable, r.State)
			require.Empty(t, r.Objects)
		})
	}
}
