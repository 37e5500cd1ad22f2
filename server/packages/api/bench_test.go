package api_test

import (
	"archive/zip"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// The bars of the benchmarks of packages: the memory of the server, clients included, during a
// transfer of one GiB, and the time of Postgres for an answer about one of 10,000 packages.
const (
	transferMiB   = 64
	mostOfPackage = 10
)

// benchProject creates a project of a group in a fresh server that takes files of any size.
func benchProject(b *testing.B) (s *servertest.Server, group, project servertest.Made) {
	s = servertest.Fresh(b)
	s.Do(b, s.RootToken, "POST", "/groups", map[string]any{"name": "bench", "path": "bench"}).Into(b, &group)
	in := map[string]any{"name": "bench", "namespace_id": group.ID}
	s.Do(b, s.RootToken, "POST", "/projects", in).Into(b, &project)
	r := s.Do(b, s.RootToken, "PUT", "/application/plan_limits", map[string]any{
		"plan_name": "default", "nuget_max_file_size": 4 << 30, "generic_packages_max_file_size": 4 << 30,
	})
	require.Equal(b, http.StatusOK, r.Status, "%s", r.Body)
	return s, group, project
}

// BenchmarkTransfers uploads and downloads a generic and a NuGet package, of one GiB each, or
// of 64 MiB with go test -short.
func BenchmarkTransfers(b *testing.B) {
	size := int64(1 << 30)
	if testing.Short() {
		size >>= 4
	}
	s, _, project := benchProject(b)
	at := fmt.Sprintf("%s/projects/%d/packages", s.URL, project.ID)
	for _, c := range []struct {
		name, put, get string
		write          func(io.Writer) (kind string, write func() error)
	}{
		{"generic", at + "/generic/large/1.0.0/content", at + "/generic/large/1.0.0/content",
			func(w io.Writer) (string, func() error) {
				return "application/octet-stream", func() error { return writeZeros(w, size) }
			}},
		{"nuget", at + "/nuget", at + "/nuget/download/large/1.0.0/large.1.0.0.nupkg",
			func(w io.Writer) (string, func() error) {
				form := multipart.NewWriter(w)
				return form.FormDataContentType(), func() error { return writePackage(form, size) }
			}},
	} {
		transfer := func(way, method, path, kind string, body io.Reader, want int) {
			r, err := http.NewRequestWithContext(b.Context(), method, path, body)
			require.NoError(b, err)
			r.Header.Set("Private-Token", s.RootToken)
			r.Header.Set("Content-Type", kind)
			var got int64
			took, heap := measureHeap(func() {
				resp, err := http.DefaultClient.Do(r)
				require.NoError(b, err)
				defer resp.Body.Close()
				require.Equal(b, want, resp.StatusCode)
				got, err = io.Copy(io.Discard, resp.Body)
				require.NoError(b, err)
			})
			fmt.Fprintf(b.Output(), "%s %s: %d MiB in %.1f s, %d MiB of heap (at most %d)\n", c.name, way, size>>20,
				took.Seconds(), heap>>20, transferMiB)
			b.ReportMetric(float64(heap)/(1<<20), c.name+"-"+way+"-MiB")
			if heap>>20 > transferMiB {
				b.Errorf("%s, %s: the bar is missed", c.name, way)
			}
			require.True(b, method == "PUT" || got >= size, "%d bytes", got)
		}
		reader, writer := io.Pipe()
		kind, write := c.write(writer)
		go func() { writer.CloseWithError(write()) }()
		transfer("upload", "PUT", c.put, kind, reader, http.StatusCreated)
		transfer("download", "GET", c.get, "", http.NoBody, http.StatusOK)
	}
}

func writeZeros(w io.Writer, size int64) error {
	block := make([]byte, 1<<16)
	for ; size > 0; size -= int64(len(block)) {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// writePackage writes a form with a package that has a large file, as it is.
func writePackage(form *multipart.Writer, size int64) error {
	part, err := form.CreateFormFile("package", "package")
	if err != nil {
		return err
	}
	archive := zip.NewWriter(part)
	manifest, err := archive.Create("large.nuspec")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(manifest, stockManifest, "Large", "1.0.0", alone); err != nil {
		return err
	}
	file, err := archive.CreateHeader(&zip.FileHeader{Name: "content/large.bin", Method: zip.Store})
	if err != nil {
		return err
	}
	if err := writeZeros(file, size); err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return form.Close()
}

// measureHeap returns how long do took, and by how much the heap grew while it ran, at most.
func measureHeap(do func()) (took time.Duration, growth int64) {
	runtime.GC()
	now := func() int64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	stop, most, before := make(chan struct{}), make(chan int64), now()
	go func() {
		poll := time.NewTicker(5 * time.Millisecond)
		defer poll.Stop()
		var peak int64
		for {
			peak = max(peak, now())
			select {
			case <-poll.C:
			case <-stop:
				most <- peak
				return
			}
		}
	}()
	start := time.Now()
	do()
	took = time.Since(start)
	close(stop)
	return took, <-most - before
}

// manyPackages are the statements that store 20 versions of each of 10,000 packages, with two
// dependencies.
var manyPackages = []string{
	`insert into packages (project_id, type, name, version, name_key, version_key, sort_key, prerelease)
	 select @project, 'nuget', 'Acme.Package' || i, v || '.0.0', 'acme.package' || i, lpad(v::text, 8, '0'),
	        lpad(v::text, 8, '0'), v = 20
	 from generate_series(1, 10000) i, generate_series(1, 20) v`,
	`insert into nuget_metadata (package_id, authors, description, tags)
	 select id, 'Ada', repeat('What it is for. ', 10), 'acme' from packages`,
	`insert into nuget_dependencies (package_id, place, framework, name, range)
	 select id, d, 'net8.0', 'Acme.Log' || d, '2.0.0' from packages, generate_series(1, 2) d`,
	`vacuum analyze`,
}

// BenchmarkPackages measures what searches and metadata of the feeds of a project and its group
// with 10,000 packages of twenty versions cost Postgres.
func BenchmarkPackages(b *testing.B) {
	s, group, project := benchProject(b)
	for _, sql := range manyPackages {
		_, err := s.Store.DB().Exec(b.Context(), sql, pgx.NamedArgs{"project": project.ID})
		require.NoError(b, err, sql)
	}
	member := s.User(b, "bench-member") // an administrator would skip the question of access
	r := s.Do(b, s.RootToken, "POST", fmt.Sprintf("/groups/%d/members", group.ID),
		map[string]any{"user_id": member.ID, "access_level": 20})
	require.Equal(b, http.StatusCreated, r.Status, "%s", r.Body)
	for _, path := range []string{
		"query?q=package77", "query", "query?q=package&skip=5000&take=30", "query?q=package77&prerelease=false",
		"query?q=none", "metadata/Acme.Package7700/index.json", "download/acme.package7700/index.json",
	} {
		for name, prefix := range map[string]string{
			"project": fmt.Sprintf("/projects/%d/packages/nuget/", project.ID),
			"group":   fmt.Sprintf("/groups/%d/-/packages/nuget/", group.ID),
		} {
			b.Run(name+"/"+path, func(b *testing.B) { s.HoldToBar(b, member.Token, prefix+path, mostOfPackage) })
		}
	}
}
