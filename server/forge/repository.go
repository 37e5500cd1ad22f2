package forge

import (
	"context"
	"errors"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/forge/hostapi"
	"hew/server/git/remote"
	"hew/server/project"
)

// stages returns the stages of the import, in their order.
func (r *run) stages() []stage {
	all := []stage{{name: "repository", end: fillRepository, vital: true}, {
		name: "wiki", end: fillWiki, skips: func(r *run) bool { return !r.source.HasWiki },
	}}
	all = append(all, lfsStages()...)
	if r.source.Kind == GitHub {
		all = append(all, gitHubStages(r.Options)...)
		return append(all, gitHubStores()...)
	}
	return append(all, bitbucketStages()...)
}

// connect makes the clients of the host.
func (r *run) connect() (err error) {
	reach := Reach{Out: r.Out, Policy: r.policy, Now: r.Now, Pause: r.Pause}
	if r.source.Kind == GitHub {
		clients, err := reach.GitHubClients(r.source, r.Options.PageSize)
		r.host = gitHub{clients: clients, path: r.source.path()}
		return err
	}
	r.host, err = reach.BitbucketServerClient(r.source)
	return err
}

// hidden are the refs of pull requests: what they begin with, and how those of heads end.
var hidden = map[string]struct{ prefix, suffix string }{
	GitHub:          {"refs/pull/", "/head"},
	BitbucketServer: {"refs/pull-requests/", "/from"},
}

// fillRepository stores the branches and tags of the repository, and the heads of pull requests. A
// repository that cannot be read ends the import; a host that limits or does not answer is asked
// again.
func fillRepository(ctx context.Context, r *run, move func(context.Context, *db.Store) error) error {
	address, err := r.source.withCredentials(r.source.CloneURL)
	if err != nil {
		return endedError(err.Error())
	}
	pulls := hidden[r.source.Kind]
	err = code.ImportRemote(ctx, r.st, r.Out, code.RemoteImport{
		At: code.SourceOf(r.p), URL: address, DefaultBranch: r.source.Branch,
		Hidden: []string{pulls.prefix},
		Rename: func(ref string) string {
			n, isHead := strings.CutSuffix(strings.TrimPrefix(ref, pulls.prefix), pulls.suffix)
			if !isHead || n == "" || len(n) > 9 || strings.Trim(n, "0123456789") != "" {
				return ""
			}
			return n
		},
		End: r.keeping(move),
	})
	var busy remote.UnavailableError
	if errors.As(err, &busy) && busy.Status != 429 && ctx.Err() == nil {
		return &hostapi.UnavailableError{Reason: busy.Reason}
	}
	return r.explainGit(ctx, err)
}

// fillWiki stores the wiki, if there is one: hosts say that there is before it has pages.
func fillWiki(ctx context.Context, r *run, move func(context.Context, *db.Store) error) error {
	address, err := r.source.withCredentials(strings.TrimSuffix(r.source.CloneURL, ".git") + ".wiki.git")
	if err != nil {
		return endedError(err.Error())
	}
	err = code.ImportRemote(ctx, r.st, r.Out, code.RemoteImport{
		At: code.WikiOfProject(r.p), URL: address, End: r.keeping(move),
	})
	if errors.As(err, new(remote.MissingError)) {
		return r.st.Tx(ctx, func(st *db.Store) error { return r.keeping(move)(ctx, st) })
	}
	if err = r.explainGit(ctx, err); err == nil || !errors.As(err, new(endedError)) {
		return err
	}
	failure := r.failure("wiki", 0, err)
	return r.st.Tx(ctx, func(st *db.Store) error {
		if err := r.keeping(move)(ctx, st); err != nil {
			return err
		}
		return project.AddImportFailure(ctx, st, failure)
	})
}

// keeping returns move, which fails if another process has the import.
func (r *run) keeping(move func(context.Context, *db.Store) error) func(context.Context, *db.Store) error {
	return func(ctx context.Context, st *db.Store) error {
		if err := r.keep(ctx, st); err != nil {
			return err
		}
		return move(ctx, st)
	}
}

// explainGit returns what ends the import if the repository cannot be read or stored, or until when
// it waits for the rate limit of the host.
func (r *run) explainGit(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	var busy remote.UnavailableError
	if errors.As(err, &busy) && busy.Status == 429 {
		return &hostapi.LimitError{Until: hostapi.RetryAfter(r.now(), busy.Retry)}
	}
	if text, internal := code.ImportText(err); !internal {
		return endedError(text)
	}
	return err
}
