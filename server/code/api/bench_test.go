package api_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// rounds is how often each measure is taken, in turns; the median counts.
const rounds = 5

// BenchmarkGit pushes, clones and pushes single commits with the git client, to hewd and to the git
// program that serves a directory on the same disk, in turns. It fails where hewd takes longer than
// its bar.
func BenchmarkGit(b *testing.B) {
	shapes := []struct {
		name string
		gittest.Shape
	}{
		{"20,000 objects", gittest.Shape{Commits: 2000, Merges: 100, Files: 3000}},
		{"40,000 objects, 1,000 merges", gittest.Shape{Commits: 4000, Merges: 1000, Files: 3000}},
	}
	if testing.Short() {
		shapes = shapes[:1]
		shapes[0].Shape = gittest.Shape{Commits: 200, Merges: 10, Files: 300}
	}
	on, t := servertest.Machine(), &gitTable{}
	defer func() { fmt.Fprintf(b.Output(), "\n%s\n%s\n", on, t) }()
	s := servertest.Start(b)
	alice := s.User(b, "benchgit")
	for i, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			from := gittest.Large(b, shape.Shape)
			from.Git("", "repack", "-adfq", "--threads=1")
			objects := strings.Fields(from.Git("", "count-objects", "-v"))
			ours, disk := &remote{name: "hewd"}, newDisk(b)
			ours.make = func(n int) string {
				var p servertest.Made
				name := fmt.Sprintf("bench-%d-%d", i, n)
				s.Do(b, alice.Token, "POST", "/projects", map[string]any{"name": name}).Into(b, &p)
				return address(s, p.Path, alice.Token)
			}
			for n := range rounds {
				for _, r := range []*remote{disk, ours} {
					r.measure(b, from, n)
				}
			}
			for k, what := range []struct {
				name string
				most float64
			}{{"push", 1.7}, {"clone", 1.2}, {"push of one commit", 1.1}} {
				t.bar(b, shape.name+": "+what.name, median(ours.took[k]), median(disk.took[k]), what.most)
			}
			t.note(shape.name + ": " + strings.Join(objects[4:6], " "))
		})
	}
}

// remote is a server that git clients use.
type remote struct {
	name string
	make func(n int) (url string) // a new repository
	took [3][]time.Duration       // for a push, a clone and a push of one commit
}

// measure takes each measure once.
func (r *remote) measure(b *testing.B, from gittest.Repo, n int) {
	b.Helper()
	url := r.make(n)
	at := gittest.ClientIn(b, from.Dir)
	timed := func(k int, do func()) {
		begun := time.Now()
		do()
		r.took[k] = append(r.took[k], time.Since(begun))
	}
	timed(0, func() { at.Git("push", "-q", url, "main") })
	dir := filepath.Join(b.TempDir(), "clone")
	timed(1, func() { at.Git("clone", "-q", "--bare", url, dir) })
	work := gittest.NewClient(b)
	work.Git("clone", "-q", "--depth=1", url, ".")
	for i := range 5 {
		work.Commit("one.txt", fmt.Sprint(n, i))
		timed(2, func() { work.Git("push", "-q", url, "HEAD:refs/heads/one") })
	}
	require.NoError(b, os.RemoveAll(dir))
	require.NoError(b, os.RemoveAll(work.Dir))
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// newDisk returns the git program behind a CGI that keeps each body in a file first: it wants to
// know the length.
func newDisk(b *testing.B) *remote {
	root := b.TempDir()
	program, err := exec.LookPath("git")
	require.NoError(b, err)
	h := &cgi.Handler{Path: program, Args: []string{"http-backend"}, InheritEnv: []string{"PATH"}, Env: []string{
		"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=bench",
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, err := os.CreateTemp(root, "body-")
		if err == nil {
			defer os.Remove(f.Name())
			defer f.Close()
			r.ContentLength, err = io.Copy(f, r.Body)
		}
		if err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		r.Body, r.TransferEncoding = f, nil
		r.Header.Set("Git-Protocol", r.Header.Get("Git-Protocol"))
		h.ServeHTTP(w, r)
	}))
	b.Cleanup(server.Close)
	return &remote{name: "git on disk", make: func(n int) string {
		name := fmt.Sprintf("r%d.git", n)
		at := gittest.ClientIn(b, root)
		at.Git("init", "-q", "--bare", "-b", "main", name)
		at.Git("-C", name, "config", "http.receivepack", "true")
		return server.URL + "/" + name
	}}
}

// gitTable collects what is printed at the end.
type gitTable struct{ rows []string }

func (t *gitTable) note(text string) { t.rows = append(t.rows, text+"\t\t\t\t") }

// bar holds a time to that of git on disk.
func (t *gitTable) bar(b *testing.B, what string, ours, disk time.Duration, most float64) {
	b.Helper()
	ratio, verdict := float64(ours)/float64(disk), "holds"
	if ratio > most {
		verdict = "MISSED"
		b.Errorf("%s: %.2f times as long as git on disk, and the bar is %.2f", what, ratio, most)
	}
	t.rows = append(t.rows, fmt.Sprintf("%s\t%d\t%d\t%.2f of %.2f\t%s",
		what, ours.Milliseconds(), disk.Milliseconds(), ratio, most, verdict))
}

func (t *gitTable) String() string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "median of %d\thewd ms\tgit on disk ms\tratio\t\n%s\n", rounds, strings.Join(t.rows, "\n"))
	_ = w.Flush() // into memory
	return out.String()
}
