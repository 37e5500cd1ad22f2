package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/policy"
	"hew/server/servertest"
)

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
	{"p", "planner", policy.Who{ID: 1, Level: policy.Planner}},
	{"r", "reporter", policy.Who{ID: 1, Level: policy.Reporter}},
	{"d", "developer", policy.Who{ID: 1, Level: policy.Developer}},
	{"M", "maintainer", policy.Who{ID: 1, Level: policy.Maintainer}},
	{"O", "owner", policy.Who{ID: 1, Level: policy.Owner}},
	{"A", "administrator", policy.Who{ID: 1, Admin: true}},
	{"i", "member of a project inside", policy.Who{ID: 1, Inside: policy.Guest}},
	{"c", "may create groups", policy.Who{ID: 1, CreateGroup: true}},
}

func off(a policy.Access) map[policy.Feature]policy.Access {
	return map[policy.Feature]policy.Access{
		policy.Issues: a, policy.MergeRequests: a, policy.Repository: a, policy.Builds: a, policy.Pipelines: a,
	}
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
	{"jobs that are not public", policy.On{
		JobsReserved: true, Features: map[policy.Feature]policy.Access{policy.Pipelines: policy.MembersOnly},
	}},
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
	return fmt.Sprintf("%-34s%s\n", a.Name, b.String())
}

// abilities.txt is who has which ability, of all domains.
func TestAbilities(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, r := range roles {
		fmt.Fprintf(&b, "# %s %s\n", r.letter, r.name)
	}
	for i, s := range sections {
		fmt.Fprintf(&b, "\n%-36s%-15s%-15s%s\n", "# "+s.title, "private", "internal", "public")
		for _, a := range sum().Abilities {
			if line := row(a, s.on); i == 0 || line != row(a, policy.On{}) {
				b.WriteString(line)
			}
		}
	}
	servertest.Golden(t, "testdata/abilities.txt", b.String())
}

// Guards ask for abilities that are listed, so that the table above has all of them, and no two
// have one name.
func TestAbilitiesAreListed(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"anyone": true, "signed": true, "admin": true}
	for _, a := range sum().Abilities {
		require.NotEmpty(t, a.Name)
		require.False(t, known[a.Name], "two abilities are called %s", a.Name)
		known[a.Name] = true
	}
}

// A higher role never loses what a lower one has: the tables cannot say so, but the functions of a
// rule could.
func TestRolesOnlyGain(t *testing.T) {
	t.Parallel()
	levels := []policy.Level{
		policy.NoAccess, policy.Minimal, policy.Guest, policy.Planner, policy.Reporter, policy.Developer,
		policy.Maintainer, policy.Owner,
	}
	for _, s := range sections {
		for _, a := range sum().Abilities {
			could := false
			for _, l := range levels {
				can := policy.Can(policy.Who{ID: 1, Level: l}, a, s.on)
				require.False(t, could && !can, "%s, %s: level %d", s.title, a, l)
				could = can
			}
			admin := policy.Can(policy.Who{ID: 1, Admin: true}, a, s.on)
			require.False(t, could && !admin, "%s, %s: administrators", s.title, a)
		}
	}
}
