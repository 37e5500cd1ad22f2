package servertest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/part"
	"hew/server/project"
	"hew/server/tree"
)

// Roles are the letters of everybody that the access test acts as, in the order of the golden
// files.
const Roles = "-smgprdMOjA"

// roleOf says what the letters stand for. A level is that of a member of the group; j is a
// developer of the project alone.
var roleOf = map[rune]struct {
	name  string
	level int
}{
	'-': {"nobody", 0}, 's': {"signed in", 0}, 'm': {"minimal access", 5}, 'g': {"guest", 10}, 'p': {"planner", 15},
	'r': {"reporter", 20}, 'd': {"developer", 30}, 'M': {"maintainer", 40}, 'O': {"owner", 50},
	'j': {"developer of the project alone", 0}, 'A': {"administrator", 0},
}

// cast are the users of a stage, by letter, without - and A.
type cast map[rune]Persona

func (s *Server) cast(t testing.TB) cast {
	c := cast{}
	for _, letter := range Roles {
		if letter != '-' && letter != 'A' {
			c[letter] = s.User(t, strings.ReplaceAll(roleOf[letter].name, " ", "-"))
		}
	}
	return c
}

func (s *Server) tokenOf(c cast, letter rune) string {
	switch letter {
	case '-':
		return ""
	case 'A':
		return s.RootToken
	}
	return c[letter].Token
}

// scene is a group and a project in it of one visibility, with n of everything that a part keeps in
// them and beside them. It returns what the wildcards of the part's paths stand for.
func (s *Server) scene(t testing.TB, p part.Part, v db.Visibility, c cast, n int) part.Values {
	ctx := t.Context()
	at := part.Place{}
	var err error
	at.Owner, err = tree.FindUser(ctx, s.Store, c['O'].ID)
	require.NoError(t, err)
	at.Guests, err = group.InsertGroup(
		ctx, s.Store, visible(tree.NewGroup("Guests "+v.String(), "guests-"+v.String(), nil), v), 0,
	)
	require.NoError(t, err)
	g, err := group.InsertGroup(
		ctx, s.Store, visible(tree.NewGroup("Stage "+v.String(), "stage-"+v.String(), nil), v), at.Owner.ID,
	)
	require.NoError(t, err)
	in, second := tree.NewProject("play", "play", g.ID), tree.NewProject("second", "second", g.ID)
	in.Visibility = v
	in, err = project.InsertProject(ctx, s.Store, in, at.Owner.ID)
	require.NoError(t, err)
	at.Second, err = project.InsertProject(ctx, s.Store, second, at.Owner.ID)
	require.NoError(t, err)
	at.Group, at.Project = g, in
	member := func(source tree.Source, letter rune, level int) {
		_, err := group.AddMember(ctx, s.Store, group.NewMember(source, c[letter].ID, level))
		require.NoError(t, err)
	}
	for _, letter := range Roles {
		if level := roleOf[letter].level; level > 0 && level < 50 {
			member(tree.InGroup(g), letter, level)
		}
	}
	member(tree.InProject(in), 'j', 30)

	values := part.Values{
		"groups/id": fmt.Sprint(g.ID), "namespaces/id": fmt.Sprint(g.ID), "projects/id": fmt.Sprint(in.ID),
		"users/id": fmt.Sprint(at.Owner.ID), "user_id": fmt.Sprint(at.Owner.ID),
		"projects/user_id": fmt.Sprint(c['j'].ID),
		"group_id":         fmt.Sprint(at.Guests.ID), "project_id": fmt.Sprint(in.ID),
	}
	if p.Specimen == nil {
		return values
	}
	for _, place := range []struct {
		prefix string
		in     db.Container
	}{{"", db.Container{}}, {"groups/", g.Container()}, {"projects/", in.Container()}} {
		at.Container = place.in
		made, err := p.Specimen(ctx, s.Store, at, n)
		require.NoError(t, err, "specimen of %s in the %s", p.Name, place.in.Kind())
		for name, value := range made {
			if !strings.Contains(name, "/") {
				name = place.prefix + name
			}
			values[name] = value
		}
	}
	return values
}

func visible(g tree.Group, v db.Visibility) tree.Group {
	g.Visibility = v
	return g
}

var pathWildcard = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// FillPath replaces the wildcards of a route's path by their values: those for the first segment of
// the path and the one before the wildcard, or else for the first segment, or the name alone.
func FillPath(t testing.TB, pattern string, values part.Values) string {
	segments := strings.Split(pattern, "/")
	first := segments[1]
	return pathWildcard.ReplaceAllStringFunc(pattern, func(w string) string {
		name := pathWildcard.FindStringSubmatch(w)[1]
		before := segments[max(slices.Index(segments, w)-1, 0)]
		for _, key := range []string{first + "/" + before + "/" + name, first + "/" + name, name} {
			if value, ok := values[key]; ok {
				return value
			}
		}
		require.Fail(t, "no value for a wildcard", "%s: the specimen does not say what {%s} stands for; it has %q",
			pattern, name, slices.Sorted(maps.Keys(values)))
		return ""
	})
}
