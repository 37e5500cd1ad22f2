package policy_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/policy"
)

var update = flag.Bool("update", false, "rewrite testdata/matrix.txt")

// roles are the columns of the matrix.
var roles = []struct {
	letter string
	name   string
	who    policy.Who
}{
	{"-", "nobody", policy.Who{}},
	{"x", "external", policy.Who{ID: 1, External: true}},
	{"s", "signed in", policy.Who{ID: 1}},
	{"m", "minimal", policy.Who{ID: 1, Level: policy.Minimal, Inside: policy.Minimal}},
	{"g", "guest", policy.Who{ID: 1, Level: policy.Guest}},
	{"r", "reporter", policy.Who{ID: 1, Level: policy.Reporter}},
	{"d", "developer", policy.Who{ID: 1, Level: policy.Developer}},
	{"M", "maintainer", policy.Who{ID: 1, Level: policy.Maintainer}},
	{"O", "owner", policy.Who{ID: 1, Level: policy.Owner}},
	{"A", "administrator", policy.Who{ID: 1, Admin: true}},
	{"i", "member of a project inside", policy.Who{ID: 1, Inside: policy.Guest}},
	{"c", "may create groups", policy.Who{ID: 1, CreateGroup: true}},
}

func off(a policy.Access) map[policy.Feature]policy.Access {
	return map[policy.Feature]policy.Access{policy.Issues: a, policy.MergeRequests: a, policy.Repository: a}
}

// sections are the states of a thing; only those rows are printed where a state makes a difference.
var sections = []struct {
	title string
	on    policy.On
}{
	{"as created", policy.On{}},
	{"archived", policy.On{Archived: true}},
	{"waiting for deletion", policy.On{Pending: true}},
	{"features for members only", policy.On{Features: off(policy.MembersOnly)}},
	{"features disabled", policy.On{Features: off(policy.Disabled)}},
	{"creation by noone", policy.On{ProjectCreation: "noone", SubgroupCreation: "noone"}},
	{"creation by administrators", policy.On{ProjectCreation: "administrator"}},
	{"creation by owners", policy.On{ProjectCreation: "owner", SubgroupCreation: "owner"}},
	{"creation by maintainers", policy.On{ProjectCreation: "maintainer", SubgroupCreation: "maintainer"}},
	{"creation by a word nobody knows", policy.On{ProjectCreation: "everyone", SubgroupCreation: "everyone"}},
}

// row prints who may: the letter of each role that has the ability, for each visibility.
func row(a policy.Ability, on policy.On) string {
	var b strings.Builder
	for _, v := range []policy.Visibility{policy.Private, policy.Internal, policy.Public} {
		on.Visibility = v
		b.WriteString("  ")
		for _, r := range roles {
			if policy.Can(r.who, a, on) {
				b.WriteString(r.letter)
			} else {
				b.WriteString(".")
			}
		}
	}
	return fmt.Sprintf("%-34s%s\n", a, b.String())
}

func TestMatrix(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, r := range roles {
		fmt.Fprintf(&b, "# %s %s\n", r.letter, r.name)
	}
	for i, s := range sections {
		fmt.Fprintf(&b, "\n%-36s%-14s%-14s%s\n", "# "+s.title, "private", "internal", "public")
		for _, r := range policy.Table() {
			if line := row(r.Ability, s.on); i == 0 || line != row(r.Ability, policy.On{}) {
				b.WriteString(line)
			}
		}
	}
	const golden = "testdata/matrix.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "the policy has changed; read the new matrix, then run with -update")
}

// A higher role never loses what a lower one has: the table cannot say so, but a rule's functions could.
func TestRolesOnlyGain(t *testing.T) {
	t.Parallel()
	levels := []policy.Level{
		policy.NoAccess, policy.Minimal, policy.Guest, policy.Reporter, policy.Developer, policy.Maintainer, policy.Owner,
	}
	for _, s := range sections {
		for _, r := range policy.Table() {
			could := false
			for _, l := range levels {
				can := policy.Can(policy.Who{ID: 1, Level: l}, r.Ability, s.on)
				require.False(t, could && !can, "%s, %s: level %d", s.title, r.Ability, l)
				could = can
			}
			admin := policy.Can(policy.Who{ID: 1, Admin: true}, r.Ability, s.on)
			require.False(t, could && !admin, "%s, %s: administrators", s.title, r.Ability)
		}
	}
}

func TestMayGrant(t *testing.T) {
	t.Parallel()
	maintainer := policy.Who{ID: 1, Level: policy.Maintainer}
	require.True(t, policy.MayGrant(maintainer, policy.Maintainer))
	require.False(t, policy.MayGrant(maintainer, policy.Owner))
	require.True(t, policy.MayGrant(policy.Who{ID: 1, Admin: true}, policy.Owner))
	require.False(t, policy.MayGrant(policy.Who{ID: 1, Admin: true}, policy.Owner+10), "no such role")
}

func TestUnknownAbilityIsNobodys(t *testing.T) {
	t.Parallel()
	require.False(t, policy.Can(policy.Who{ID: 1, Admin: true}, "fly", policy.On{Visibility: policy.Public}))
}
