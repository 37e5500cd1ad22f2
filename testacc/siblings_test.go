package testacc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSiblings leads three objects of every kind that has a key through what people do with lists
// and names: elements are taken out and put in, names go from one block to another. Each edit is an
// error of the configuration, or one apply and then an empty plan; an object that stays keeps its
// id. A new kind is tried unasked.
func TestSiblings(t *testing.T) {
	t.Parallel()
	known := kinds(t)
	stage := newStage(t)
	stage.introduce(t, "alice", "bob", "carol", "dora")
	for name, k := range known {
		if len(k.Key) == 0 || k.Holds != "" || k.Element != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &siblings{life: &life{T: t, stage: stage, kind: k, known: known, dir: t.TempDir(),
				proxy: newProxy(t, stage.server)}}
			s.key = s.keyAttribute()
			s.behindCount()
			if name != "user" { // a job frees the usernames of deleted users, sooner or later
				s.inBlocks()
			}
		})
	}
}

// siblings are objects of one kind in one owner, which their key tells apart.
type siblings struct {
	*life
	key attribute
}

// fourth are four values of keys that are no free text.
var fourth = map[string][4]string{
	"user": {`"alice"`, `"bob"`, `"carol"`, `"dora"`},
	"slug": {`"slack"`, `"mattermost"`, `"discord"`, `"unify-circuit"`},
	"deploy_key.key": {
		`"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILzzIIEZjIqcTrN+Og9DISiejcqKql/btK3SEuixEzFd"`,
		`"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBXedGupgbDhZ335b9IEa5Mx0FTUM6j01hOoQWlN057D"`,
		`"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB"`,
		`"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAC"`,
	},
}

// keyAttribute is the attribute that the objects are known by: of a path, its last part.
func (s *siblings) keyAttribute() attribute {
	for _, name := range append([]string{"path"}, s.kind.Key...) {
		i := slices.IndexFunc(s.kind.Attributes,
			func(a attribute) bool { return a.Name == name && a.Mode != "computed" })
		if i >= 0 && !leaves(s.kind.Name+"."+name) {
			return s.kind.Attributes[i]
		}
	}
	require.Fail(s, "nothing tells its objects apart")
	return attribute{}
}

// name is one of four values of the key.
func (s *siblings) name(n int) string {
	for _, at := range []string{s.kind.Name + "." + s.key.Name, s.key.Name} {
		if of, ok := fourth[at]; ok {
			return of[n]
		}
	}
	if s.key.Reference != "" {
		return s.stand(s.key.Reference, fmt.Sprintf("sibling_%d", n))
	}
	text := strings.Trim(s.value(s.key, 0), `"`)
	return fmt.Sprintf("%q", fmt.Sprintf("%s_%c", strings.ReplaceAll(text, "{part}", "part"), 'a'+n))
}

// resource is a block of the kind whose key is an expression.
func (s *siblings) resource(label, key, repeat string) string {
	must := slices.DeleteFunc(s.stating(), func(a attribute) bool {
		return a.Name != s.key.Name && (a.Mode != "required" && !slices.Contains(needed, s.kind.Name+"."+a.Name) ||
			slices.Contains(s.kind.Key, a.Name) && a.Reference == "" && a.Mode != "required")
	})
	text := s.block(must, func(a attribute) string {
		switch {
		case a.Name == s.key.Name:
			return key
		case a.Name == "properties": // that all of the four services take
			return `{ webhook = "https://hooks.example.com/1" }`
		case s.kind.Name == "user" && a.Name == "email":
			return fmt.Sprintf("\"${%s}@example.com\"", key)
		}
		return s.value(a, 0)
	})
	text = strings.Replace(text, `"it" {`, fmt.Sprintf("%q {\n%s", label, repeat), 1)
	if !strings.Contains(text, "lifecycle") {
		text = strings.TrimSuffix(strings.TrimSpace(text), "}") +
			"  lifecycle {\n    allow = [\"unmarked-rename\", \"reassigned-name\"]\n  }\n}\n"
	}
	return text
}

const siblingGuards = "hew {\n  guards {\n    max_deletes = 1000\n    allow_empty = true\n  }\n}\n"

// counted declares the siblings by a list behind count.
func (s *siblings) counted(names ...int) {
	values := make([]string, len(names))
	for i, n := range names {
		values[i] = s.name(n)
	}
	list := "[" + strings.Join(values, ", ") + "]"
	s.declare(siblingGuards + s.resource("l", list+"[count.index]", fmt.Sprintf("  count = %d\n", len(names))))
}

// behindCount takes elements out of a list and puts them in.
func (s *siblings) behindCount() {
	s.counted(0, 1, 2)
	s.apply()
	first := s.ids(0, 1, 2)

	s.counted(1, 2) // the first goes, and everything after it moves up
	gone := slices.DeleteFunc(s.apply(), func(r request) bool { return !r.writes() })
	s.stay(first, s.ids(1, 2), 1, 2)
	for _, r := range gone {
		require.True(s, r.ends(), "only the first has to go: %s", r)
	}

	s.counted(3, 1, 2) // another comes first, and everything after it moves down
	s.apply()
	s.stay(first, s.ids(3, 1, 2), 1, 2)

	s.counted(2, 1, 3)
	for _, r := range s.apply() {
		require.False(s, r.writes(), "an order is not written: %s", r)
	}
	s.stay(first, s.ids(2, 1, 3), 1, 2)

	s.counted(1, 1)
	code, said, _ := s.try("plan")
	if code == 0 {
		repeats := []string{"project_hook", "group_hook", "system_hook"}
		require.Contains(s, repeats, s.kind.Name, "two of one name: %s", said)
	}
	s.declare(siblingGuards + s.gone("l"))
	s.apply()
}

// inBlocks passes names on between blocks.
func (s *siblings) inBlocks() {
	names := func(one, two, three int) string {
		text := siblingGuards
		for i, n := range []int{one, two, three} {
			if n >= 0 {
				text += s.resource(fmt.Sprintf("s%d", i), s.name(n), "")
			} else {
				text += s.gone(fmt.Sprintf("s%d", i))
			}
		}
		return text
	}
	soft := s.kind.Name == "group" || s.kind.Name == "project"
	s.declare(names(0, 1, 2))
	if !s.once() {
		require.True(s, soft)
		return
	}
	s.declare(names(1, 2, 3)) // a chain
	require.True(s, s.once(), "a chain of names")
	s.declare(names(2, 1, 3)) // a swap
	s.once()
	s.declare(names(1, 2, 3))
	s.once()
	s.declare(names(3, 2, -1)) // the name of one that goes
	require.True(s, s.once() != soft, "the name of a deleted object")
	s.declare(siblingGuards + s.gone("s0") + s.gone("s1") + s.gone("s2"))
	require.True(s, s.once())
}

// gone lets a block go where a guard would stop that.
func (s *siblings) gone(label string) string {
	return strings.ReplaceAll(s.lifted(), s.kind.Name+".it", s.kind.Name+"."+label)
}

// once applies what is declared in one run, with an empty plan after it, or insists that the plan
// has errors. It tells which.
func (s *siblings) once() bool {
	if code, _, _ := s.try("plan"); code != 0 {
		return false
	}
	s.apply()
	return true
}

// stay insists that objects have the ids that they had. ids are by name.
func (s *siblings) stay(ids, now map[int]string, names ...int) {
	for _, n := range names {
		require.NotEmpty(s, ids[n], "%s of %v", s.name(n), ids)
		require.Equal(s, ids[n], now[n], s.name(n))
	}
}

// ids are those that the ledger has of the instances behind count, which have these names.
func (s *siblings) ids(names ...int) map[int]string {
	data, err := os.ReadFile(filepath.Join(s.dir, ".hew", "ledger.json"))
	require.NoError(s, err)
	ids := map[int]string{}
	for line := range strings.Lines(string(data)) {
		var l struct {
			Addr  string
			Entry struct{ ID string }
		}
		require.NoError(s, json.Unmarshal([]byte(line), &l))
		for i, n := range names {
			if l.Addr == fmt.Sprintf("%s.l[%d]", s.kind.Name, i) {
				ids[n] = l.Entry.ID
			}
		}
	}
	return ids
}
