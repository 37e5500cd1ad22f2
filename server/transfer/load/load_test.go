package load_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/transfer/archive"
	"hew/server/transfer/load"
	"hew/server/tree"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// scene is a project that is being imported.
type scene struct {
	*testing.T
	world   servertest.World
	st      *db.Store
	user    tree.User
	project tree.Project
}

func newScene(t *testing.T) scene {
	w := servertest.NewWorld(t)
	u := w.User("bob")
	p := w.Project("shop", u.NamespaceID, u.ID)
	_, err := project.BeginImport(t.Context(), w.Store, p, project.ImportArchive, "")
	require.NoError(t, err)
	return scene{t, w, w.Store, u, p}
}

// take makes a loader of a new attempt, as after a process was killed.
func (s scene) take(with ...func(*load.Options)) *load.Loader {
	s.Helper()
	require.NoError(s, s.st.Exec(s.Context(), `update project_imports set alive_at = null`, nil))
	task, _, err := project.TakeImport(s.Context(), s.st, s.project.ID)
	require.NoError(s, err)
	o := load.Options{DB: s.st, Task: task, Importer: s.user}
	for _, set := range with {
		set(&o)
	}
	l, err := load.New(s.Context(), o)
	require.NoError(s, err)
	return l
}

func (s scene) count(table string) int {
	s.Helper()
	n, err := db.Value[int](s.Context(), s.st, `select count(*) from `+table, nil)
	require.NoError(s, err)
	return n
}

// issues returns n issues with two notes each, of which every 50th cannot be stored.
func issues(n int, padding string) iter.Seq2[load.Document, error] {
	return func(yield func(load.Document, error) bool) {
		for line := range n {
			author := int64(7)
			i := &archive.Issue{IID: int64(line + 1), Title: fmt.Sprint("Issue ", line), AuthorID: &author,
				Description: &padding, Milestone: &archive.Milestone{IID: 1, Title: "1.0"},
				LabelLinks: []archive.LabelLink{{Label: &archive.Label{Title: fmt.Sprint("l", line%7)}}},
				Notes:      []archive.Note{{Note: "One", AuthorID: &author}, {Note: "Two", AuthorID: &author}}}
			if line%50 == 49 {
				i.IID = 1
			}
			if !yield(load.Document{Line: line, Value: i, Size: len(padding)}, nil) {
				return
			}
		}
	}
}

// An import that is killed anywhere goes on where it was: nothing is stored twice or left out, and
// the process that lost it stores nothing more.
func TestResume(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	killed := fmt.Errorf("killed")
	var before *load.Loader
	for stop := 30; stop < 350; stop += 130 {
		l := s.take()
		err := l.StoreAll(t.Context(), "issues", func(yield func(load.Document, error) bool) {
			for d := range issues(400, "") {
				if d.Line == stop {
					yield(load.Document{}, killed)
					return
				}
				if !yield(d, nil) {
					return
				}
			}
		})
		require.ErrorIs(t, err, killed)
		before = l
	}
	l := s.take()
	require.NoError(t, l.StoreAll(t.Context(), "issues", issues(400, "")))
	require.NoError(t, l.StoreAll(t.Context(), "issues", issues(400, "")))
	require.Equal(t, 392, s.count("issues"))
	require.Equal(t, 784, s.count("notes"))
	require.Equal(t, 7, s.count("labels"))
	failures, err := project.ImportFailures(t.Context(), s.st, s.project.ID)
	require.NoError(t, err)
	require.Len(t, failures, 8)
	require.Equal(t, 49, failures[0].Line)

	err = before.Store(t.Context(), "labels", []load.Document{{Value: &archive.Label{Title: "late"}}})
	require.True(t, load.IsLost(err), "%v", err)
	require.NoError(t, project.EndImport(t.Context(), s.st, project.Import{ProjectID: s.project.ID, Attempts: 4}, ""))
	require.Zero(t, s.count("import_checkpoints"))
}

// A fault of this server, such as a full disk, does not count as a failure of a document: the
// import can go on with it later.
func TestFaultOfTheServer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	require.NoError(t, s.st.Exec(t.Context(), `
		create function no_space() returns trigger language plpgsql as $$
		begin raise exception 'could not extend file' using errcode = '53100'; end $$`, nil))
	require.NoError(t, s.st.Exec(t.Context(), `
		create trigger no_space before insert on issues for each row
		when (new.title = 'Issue 3') execute function no_space()`, nil))
	l := s.take()
	require.ErrorContains(t, l.StoreAll(t.Context(), "issues", issues(8, "")), "could not extend file")
	require.NoError(t, s.st.Exec(t.Context(), `drop trigger no_space on issues`, nil))
	require.NoError(t, s.take().StoreAll(t.Context(), "issues", issues(8, "")))
	require.Equal(t, 8, s.count("issues"))
	require.Zero(t, s.count("import_failures"))
}

// A batch of many documents takes as many statements as one of a few.
func TestStatementsOfABatch(t *testing.T) {
	t.Parallel()
	server := servertest.Fresh(t)
	w := server.World(t)
	u := w.User("bob")
	p := w.Project("shop", u.NamespaceID, u.ID)
	_, err := project.BeginImport(t.Context(), w.Store, p, project.ImportArchive, "")
	require.NoError(t, err)
	counted := server.Counted(t)
	task, _, err := project.TakeImport(t.Context(), w.Store, p.ID)
	require.NoError(t, err)
	l, err := load.New(t.Context(), load.Options{DB: counted.Store, Task: task, Importer: u})
	require.NoError(t, err)
	during := func(from, to int) (n int) {
		for _, times := range counted.During(t, func() {
			var batch []load.Document
			for d := range issues(to, "") {
				if d.Line >= from {
					batch = append(batch, d)
				}
			}
			require.NoError(t, l.Store(t.Context(), "issues", batch))
		}) {
			n += times
		}
		return n
	}
	during(0, 5)
	few, many := during(5, 7), during(7, 47)
	require.LessOrEqual(t, many, few)
}

// Memory does not grow with the number of documents.
func TestManyIssues(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	l := s.take()
	padding := strings.Repeat("words and more words ", 100)
	var most uint64
	require.NoError(t, l.StoreAll(t.Context(), "issues", func(yield func(load.Document, error) bool) {
		for d := range issues(3000, padding) {
			if d.Line%500 == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				if d.Line > 0 {
					most = max(most, m.HeapAlloc)
				}
			}
			if !yield(d, nil) {
				return
			}
		}
	}))
	require.Less(t, most, uint64(200<<20))
	n, err := db.Value[int](context.Background(), s.st, `select count(*) from issues where project_id = @id`,
		pgx.NamedArgs{"id": s.project.ID})
	require.NoError(t, err)
	require.Equal(t, 2940, n)
}

// store stores documents of a relation in one batch.
func (s scene) store(l *load.Loader, relation string, values ...any) {
	s.Helper()
	documents := make([]load.Document, len(values))
	for line, v := range values {
		documents[line] = load.Document{Line: line, Value: v}
	}
	require.NoError(s, l.Store(s.Context(), relation, documents))
}

// A pipeline without a number does not take the one of another pipeline.
func TestPipelineNumbers(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ref, sha := "main", strings.Repeat("1", 40)
	pipeline := func(iid *int64) any { return &archive.Pipeline{IID: iid, Ref: &ref, SHA: sha} }
	s.store(s.take(), "ci_pipelines", pipeline(nil), pipeline(new(int64(1))), pipeline(nil), pipeline(new(int64(2))))
	require.Zero(t, s.count("import_failures"))
	iids, err := db.Values[int](t.Context(), s.st, `select iid from pipelines order by id`, nil)
	require.NoError(t, err)
	require.Equal(t, []int{3, 1, 4, 2}, iids)
}

// Members get the level that they had at the source, up to the highest that the import allows.
func TestMemberLevels(t *testing.T) {
	t.Parallel()
	for most, want := range map[policy.Level][]int{0: {30, 40}, policy.Owner: {30, 50}} {
		s := newScene(t)
		dev, boss := s.world.User("dev").ID, s.world.User("boss").ID
		l := s.take(func(o *load.Options) { o.MaxLevel, o.Users = most, everybody{} })
		s.store(l, "project_members", &archive.Member{UserID: &dev, AccessLevel: 30},
			&archive.Member{UserID: &boss, AccessLevel: 50})
		levels, err := db.Values[int](t.Context(), s.st, `
			select access_level from members where project_id = @id and user_id = any(@users) order by access_level`,
			pgx.NamedArgs{"id": s.project.ID, "users": []int64{dev, boss}})
		require.NoError(t, err)
		require.Equal(t, want, levels)
	}
}

// everybody is known here by the same id.
type everybody struct{}

func (everybody) Local(id int64) (int64, bool) { return id, true }
func (everybody) Name(int64) string            { return "" }
