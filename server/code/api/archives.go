package api

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"

	"hew/server/code"
	"hew/server/deadline"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// archives serves the files of a commit as one file (gaps §9.2).
type archives struct{ log *slog.Logger }

func (a archives) routes() []rest.Route {
	read := scope.ForProject(policy.ReadCode, "read_repository")
	const base = "/projects/{id}/repository/"
	return []rest.Route{
		rest.Get(base+"archive", read, a.send).Timeout(transferTimeout),
		rest.Get(base+"{archive}", read, a.sendNamed).Timeout(transferTimeout),
	}
}

type archive struct {
	SHA     string   `param:"sha" default:"HEAD"`
	Path    string   `param:"path"`
	Format  string   `param:"format" default:"tar.gz"`
	LFS     bool     `param:"include_lfs_blobs" default:"true"`
	Exclude []string `param:"exclude_paths,comma"`
}

type archiveNamed struct {
	archive
	Name string `param:"archive"`
}

func (a archives) sendNamed(ctx context.Context, s scope.InProject, in archiveNamed) (rest.Raw, error) {
	format, ok := strings.CutPrefix(in.Name, "archive.")
	if !ok {
		return nil, fault.NotFound("404 Not Found").In(fault.Parameter)
	}
	in.Format = format
	return a.send(ctx, s, in.archive)
}

// send answers with an archive in the format that the request asks for.
func (a archives) send(ctx context.Context, s scope.InProject, in archive) (rest.Raw, error) {
	g, c, err := commitSHA{in.SHA}.find(ctx, s)
	if err != nil {
		return nil, asFile(err)
	}
	revision := strings.ReplaceAll(in.SHA, "/", "-")
	if in.SHA == "HEAD" {
		revision = g.Head
	}
	name := strings.Join([]string{s.Project.Path, revision, c.ID.String()}, "-")
	in.Path = strings.Trim(in.Path, "/")
	if in.Path != "" {
		name += "-" + strings.ReplaceAll(path.Clean(in.Path), "/", "-")
	}
	write, err := g.OpenArchive(ctx, code.Archive{
		Commit: c, Format: in.Format, Prefix: name, Path: in.Path, Exclude: in.Exclude,
		LFS: in.LFS && s.Project.Settings.LFSEnabled,
	})
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", disposition("attachment", name+"."+in.Format))
		if r.Method == http.MethodHead {
			return
		}
		if err := write(r.Context(), deadline.NewWriter(r.Context(), w)); err != nil {
			a.log.WarnContext(r.Context(), "archive not sent", "project", s.Project.FullPath, "error", err)
			panic(http.ErrAbortHandler) // or the client takes a part for the whole
		}
	}), nil
}

// asFile returns the fault for a revision without an archive.
func asFile(err error) error {
	if fault.CodeOf(err) == fault.CodeNotFound {
		return fault.NotFound("File")
	}
	return err
}
