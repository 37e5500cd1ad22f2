package gist_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/gist"
	"hew/server/mail"

	"hew/server/setting"
)

func TestImport(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gisty")
	var many []string
	for n := range 11 {
		many = append(many, fmt.Sprint("f", n))
	}
	long := strings.Repeat("ü", 300)
	sc.list(
		sc.gist("a1", "Two files", true, "b.go", "a.go"), sc.gist("a2", "", false, "only.txt"),
		sc.gist("a3", "Too many", true, many...), sc.gist("a4", "Odd", true, "../x"), sc.gist("a5", "", true),
		sc.gist("a6", long, true, "x"), sc.gist("a7", "NUL \x00 in it", true, "bin"),
	)
	sc.serve = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/bin") {
			_, _ = w.Write([]byte{0, 1, 0xff})
			return
		}
		_, _ = fmt.Fprint(w, r.URL.Path)
	}
	reply := sc.post(sc.host.Token)
	require.Equal(t, 202, reply.Status, string(reply.Body))
	require.Empty(t, reply.Body)
	sc.s.Drain(t)

	want := []string{"Two files 20", "only.txt 0", strings.Repeat("ü", 255) + " 20", "NUL \uFFFD in it 20"}
	require.Equal(t, want, sc.titles())
	var record struct {
		Status  string         `json:"import_status"`
		Count   int            `json:"imported_count"`
		Skipped []gist.Skipped `json:"skipped"`
	}
	sc.s.Do(t, sc.user.Token, "GET", "/import/github/gists", nil).Into(t, &record)
	require.Equal(t, "finished", record.Status)
	require.Equal(t, 4, record.Count)
	require.Equal(t, []gist.Skipped{
		{ID: "a3", Title: "Too many", Reason: "Snippet maximum file count exceeded"},
		{ID: "a4", Title: "Odd", Reason: "the file ../x has a path that git does not allow"},
		{ID: "a5", Title: "a5", Reason: "the gist has no files"},
	}, record.Skipped)
	raw := sc.s.Do(t, sc.user.Token, "GET", "/snippets/1/files/main/b.go/raw", nil)
	require.Equal(t, "/a1/b.go", string(raw.Body))
	raw = sc.s.Do(t, sc.user.Token, "GET", "/snippets/4/raw", nil)
	require.Equal(t, []byte{0, 1, 0xff}, raw.Body)
	shown := string(sc.s.Do(t, sc.user.Token, "GET", "/snippets/1", nil).Body)
	require.Contains(t, shown, `"imported":true,"imported_from":"github"`)
	require.Contains(t, shown, `"created_at":"2020-01-02T03:04:05Z"`)
	require.Empty(t, sc.tokens, "the host of the files is not that of the API")
	require.Nil(t, sc.found().SealedToken)

	// Another import brings what is new, and nothing twice.
	sc.list(sc.gist("a9", "New", false, "n"), sc.gist("a1", "Two files", true, "a.go"))
	require.Equal(t, 202, sc.post(sc.host.Token).Status)
	sc.s.Drain(t)
	require.Equal(t, append(want, "New 0"), sc.titles())
	require.Equal(t, 1, sc.found().Imported)
}

// Settings bound what becomes of gists: their size and their visibility.
func TestSettings(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistsettings")
	reply := sc.s.Do(t, sc.s.RootToken, "PUT", "/application/settings", map[string]any{
		"snippet_size_limit": 20, "restricted_visibility_levels": []string{"public"},
	})
	require.Equal(t, 200, reply.Status, string(reply.Body))
	sc.list(sc.gist("1", "Small", true, "x"), sc.gist("2", "Large", true, "x", "y", "z"),
		sc.gist("3", "Liar", true, "big"))
	sc.serve = func(w http.ResponseWriter, r *http.Request) {
		size := 5
		if strings.HasSuffix(r.URL.Path, "/big") {
			size = 21
		}
		_, _ = fmt.Fprint(w, strings.Repeat("x", size))
	}
	i := sc.attempt()
	require.Equal(t, []string{"Small 0"}, sc.titles())
	const tooLarge = "Snippet repository size exceeded"
	require.Equal(t, []gist.Skipped{{"2", "Large", tooLarge}, {"3", "Liar", tooLarge}}, i.Skipped)
}

// Without a limit of the setting, gists of any usual size are imported.
func TestNoLimit(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistunlimited")
	require.NoError(t, setting.Set(t.Context(), sc.s.Store, "snippet_size_limit", 0))
	sc.list(sc.gist("1", "One", true, "x"))
	require.Empty(t, sc.attempt().Skipped)
	require.Equal(t, []string{"One 20"}, sc.titles())
}

// A mail tells the user which gists were skipped.
func TestMail(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistmail")
	server, err := mail.Open("smtp://127.0.0.1:1?from=hewd@example.com&tls=none")
	require.NoError(t, err)
	mail.Attach(sc.s.Store, server)
	t.Cleanup(func() { mail.Attach(sc.s.Store, nil) })
	letters := func() []string {
		list, err := db.Values[string](t.Context(), sc.s.Store, `
			select (args ->> 'address') || ': ' || (args #>> '{message,text}') from river_job
			where kind = 'send_mail'`, nil)
		require.NoError(t, err)
		return list
	}
	sc.list(sc.gist("1", "Fine", true, "x"))
	require.Equal(t, gist.Finished, sc.attempt().Status)
	require.Empty(t, letters(), "nothing was skipped")
	sc.list(sc.gist("2", "Empty", true), sc.gist("1", "Fine", true, "x"))
	sc.attempt()
	require.Equal(t, []string{"gistmail@example.com: The import of your gists has ended. Imported: 0.\n\n" +
		"Not imported:\n- Empty (2): the gist has no files\n"}, letters())
}

// Of several requests at once, one begins an import.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	sc := newScene(t, "gistonce")
	sc.list(sc.gist("1", "One", true, "x"))
	block := make(chan struct{})
	sc.serve = func(w http.ResponseWriter, _ *http.Request) {
		<-block
		_, _ = fmt.Fprint(w, "x")
	}
	statuses := make([]int, 4)
	var group sync.WaitGroup
	for n := range statuses {
		group.Go(func() { statuses[n] = sc.post(sc.host.Token).Status })
	}
	group.Wait()
	close(block)
	slices.Sort(statuses)
	require.Equal(t, []int{202, 422, 422, 422}, statuses)
	sc.s.Drain(t)
	require.Equal(t, []string{"One 20"}, sc.titles())
}
