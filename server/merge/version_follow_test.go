package merge_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/servertest"
	"hew/server/tree"
)

// scene is a project in a database of its own with a merge request from topic to main.
type scene struct {
	servertest.World
	t       *testing.T
	by      code.Author
	project tree.Project
}

func newScene(t *testing.T) scene {
	t.Helper()
	w := servertest.Fresh(t).World(t)
	u := w.User("alice")
	by := code.Author{Pusher: protect.Pusher{Who: policy.Who{ID: u.ID, Level: policy.Owner}}, User: u, Web: true}
	return scene{w, t, by, w.Project("site", u.NamespaceID, u.ID)}
}

// write makes a commit on a branch that gives files their texts; "" deletes one, "from>to" moves
// it.
func (s scene) write(branch, start string, files map[string]string) object.ID {
	s.t.Helper()
	n := code.NewCommit{Project: s.project, By: s.by, Branch: branch, StartBranch: start, Message: "Write to " + branch}
	g, err := code.Open(s.t.Context(), s.Store, s.project)
	require.NoError(s.t, err)
	for path, text := range files {
		a := code.Action{Do: "create", Path: path, Content: &text}
		if from, to, ok := strings.Cut(path, ">"); ok {
			a = code.Action{Do: "move", Path: to, PreviousPath: from, Content: &text}
		} else if _, err := g.FindFile(s.t.Context(), code.Heads+cmp.Or(start, branch), path); err == nil {
			a.Do = "update"
		}
		if text == "" {
			a = code.Action{Do: "delete", Path: path}
		}
		n.Actions = append(n.Actions, a)
	}
	c, err := code.CreateCommit(s.t.Context(), s.Store, n)
	require.NoError(s.t, err)
	return c.ID
}

func (s scene) open() merge.Request {
	s.t.Helper()
	from, into := merge.Branch{Project: s.project, Name: "topic"}, merge.Branch{Project: s.project, Name: "main"}
	r, err := merge.Create(s.t.Context(), s.Store, from, into, s.by.User,
		func(_ *db.Store, r *merge.Request) error { r.Title = "Change"; return nil })
	require.NoError(s.t, err)
	return r
}

func (s scene) refresh(r merge.Request) merge.Request {
	s.t.Helper()
	require.NoError(s.t, merge.Refresh(s.t.Context(), s.Store, r.ID, s.by.User))
	r, err := merge.Requests(s.Store, s.project.ID).One(s.t.Context(), db.ByID(r.ID))
	require.NoError(s.t, err)
	return r
}

// note writes a note on a line: 0 for none.
func (s scene) note(r merge.Request, body, path, kind string, oldLine, newLine int) note.Note {
	s.t.Helper()
	p := note.Position{
		BaseSHA: new(r.Base.String()), StartSHA: new(r.Start.String()), HeadSHA: r.Head.String(), PositionType: kind,
		OldPath: path, NewPath: path,
	}
	if oldLine > 0 {
		p.OldLine = &oldLine
	}
	if newLine > 0 {
		p.NewLine = &newLine
	}
	g, err := code.Open(s.t.Context(), s.Store, s.project)
	require.NoError(s.t, err)
	placed, err := merge.PlaceNote(s.t.Context(), s.Store, g, r, &p, "")
	require.NoError(s.t, err, "%s %d %d", path, oldLine, newLine)
	n, err := note.Create(s.t.Context(), s.Store, r.Target(), note.New{By: s.by.User, Body: body, Position: placed.Now})
	require.NoError(s.t, err)
	return n
}

// where says where a note is now: "outdated", or the path with the old and the new line.
func (s scene) where(r merge.Request, id int64) string {
	s.t.Helper()
	text, err := db.Value[json.RawMessage](s.t.Context(), s.Store, `select position from notes where id = @id`,
		pgx.NamedArgs{"id": id})
	require.NoError(s.t, err)
	var p note.Position
	require.NoError(s.t, json.Unmarshal(text, &p))
	if p.HeadSHA != r.Head.String() || *p.BaseSHA != r.Base.String() {
		return "outdated"
	}
	line := func(n *int) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	return fmt.Sprintf("%s %s %s", p.NewPath, line(p.OldLine), line(p.NewLine))
}

func (s scene) texts(r merge.Request) []string {
	list, err := db.Values[string](s.t.Context(), s.Store,
		`select body from notes where merge_request_id = @id and system order by id`, pgx.NamedArgs{"id": r.ID})
	require.NoError(s.t, err)
	return list
}

const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"

// The rows of the table of more §2.1: where notes are after a push.
func TestNotesFollowVersions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name             string
		topic            string // a.txt of the first version
		kind             string
		oldLine, newLine int
		pushed           map[string]string // to topic
		main             map[string]string // to main, merged by the push: the new base
		want             string
	}{
		{"added, moved down", "zero\n" + before, "text", 0, 1, map[string]string{"a.txt": "new\nzero\n" + before}, nil, "a.txt - 2"},
		{"added, gone", "zero\n" + before, "text", 0, 1, map[string]string{"a.txt": "other\n" + before}, nil, "outdated"},
		{"added, renamed", "zero\n" + before, "text", 0, 1, map[string]string{"a.txt>b.txt": "zero\n" + before}, nil, "b.txt - 1"},
		{"removed, still", before[4:], "text", 1, 0, map[string]string{"a.txt": before[4:] + "end\n"}, nil, "a.txt 1 -"},
		{"removed, back again", before[4:], "text", 1, 0, map[string]string{"a.txt": before + "end\n"}, nil, "outdated"},
		{"unchanged, shown", "zero\n" + before, "text", 1, 2, map[string]string{"a.txt": "new\nzero\n" + before}, nil, "a.txt 1 3"},
		{"unchanged, not shown", "zero\n" + before, "text", 1, 2, map[string]string{"a.txt": before + "end\n"}, nil, "outdated"},
		{
			"unchanged, removed now", "zero\n" + before, "text", 1, 2,
			map[string]string{"a.txt": "zero\n" + before[4:]}, nil, "outdated",
		},
		{"file, other", "zero\n" + before, "file", 0, 0, map[string]string{"c.txt": "c\n"}, nil, "a.txt - -"},
		{"file, changed", "zero\n" + before, "file", 0, 0, map[string]string{"a.txt": "changed\n" + before}, nil, "outdated"},
		{"image, other", "zero\n" + before, "image", 0, 0, map[string]string{"c.txt": "c\n"}, nil, "a.txt - -"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.write("main", "", map[string]string{"a.txt": before})
			s.write("topic", "main", map[string]string{"a.txt": test.topic})
			r := s.open()
			n := s.note(r, "Why?", "a.txt", test.kind, test.oldLine, test.newLine)
			s.write("topic", "", test.pushed)
			r = s.refresh(r)
			require.Equal(t, test.want, s.where(r, n.ID))
			texts := s.texts(r)
			require.Contains(t, texts[0], "added 1 commit\n\n<ul><li>"+r.Head.Short(8)+" - Write to topic</li></ul>")
			if test.want != "outdated" {
				require.Len(t, texts, 1)
				return
			}
			what := "this line"
			if test.kind != "text" {
				what = "this file"
			}
			require.Len(t, texts, 2)
			require.Regexp(t, "^changed "+what+
				` in \[version 2 of the diff\]\(/alice/site/-/merge_requests/1/diffs\?diff_id=`, texts[1])
			s.write("topic", "", map[string]string{"d.txt": "d\n"})
			require.Len(t, s.texts(s.refresh(r)), 3, "outdated once")
		})
	}
}

// Lines whose texts are all different are where their texts are, after any edits and renames.
func TestNotesFollowRandomEdits(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20, 20))
	for round := range 6 {
		s := newScene(t)
		base := lines("base", 12)
		s.write("main", "", map[string]string{"a.txt": strings.Join(base, "")})
		topic := edited(random, base, fmt.Sprint("a", round))
		s.write("topic", "main", map[string]string{"a.txt": strings.Join(append(topic, "end\n"), "")})
		r := s.open()
		notes := map[int64]string{} // the text of the added line that it is on
		for i, line := range append(topic, "end\n") {
			if at(base, line) == 0 {
				notes[s.note(r, "Why?", "a.txt", "text", 0, i+1).ID] = line
			}
		}
		for push := range 2 {
			topic = edited(random, topic, fmt.Sprint("b", push))
			s.write("topic", "", map[string]string{"a.txt": strings.Join(append(topic, "more\n"), "")})
			r = s.refresh(r)
			for id, line := range notes {
				want := "outdated"
				if n := at(topic, line); n > 0 {
					want = fmt.Sprintf("a.txt - %d", n)
				} else {
					delete(notes, id)
				}
				require.Equal(t, want, s.where(r, id), "%q in %q", line, topic)
			}
		}
	}
}

func lines(name string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s %d\n", name, i))
	}
	return list
}

// at returns the number of a line, 0 if it is not there.
func at(list []string, line string) int {
	for i, other := range list {
		if other == line {
			return i + 1
		}
	}
	return 0
}

func edited(random *rand.Rand, list []string, name string) (now []string) {
	for i, line := range list {
		if random.IntN(4) == 0 {
			now = append(now, fmt.Sprintf("%s %d\n", name, i))
		}
		if random.IntN(5) > 0 {
			now = append(now, line)
		}
	}
	return now
}

// A project can have outdated threads resolved by the push.
func TestOutdatedThreadsResolve(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	err := s.Store.Exec(context.Background(), `
		update projects set settings = settings || '{"resolve_outdated_diff_discussions": true}' where id = @id`,
		pgx.NamedArgs{"id": s.project.ID})
	require.NoError(t, err)
	s.write("main", "", map[string]string{"a.txt": before})
	s.write("topic", "main", map[string]string{"a.txt": "zero\n" + before})
	r := s.open()
	n := s.note(r, "Better:\n```suggestion\nnull\n```", "a.txt", "text", 0, 1)
	require.Len(t, n.Suggestions, 1)
	require.True(t, n.Suggestions[0].Appliable)
	s.write("topic", "", map[string]string{"a.txt": "other\n" + before})
	r = s.refresh(r)
	n, err = note.Notes(s.Store, r.Target(), note.Reader{Internal: true}).One(t.Context(), db.ByID(n.ID))
	require.NoError(t, err)
	require.NotNil(t, n.ResolvedAt)
	require.False(t, n.Suggestions[0].Appliable)
	require.Contains(t, s.texts(r), "resolved all threads")
}
