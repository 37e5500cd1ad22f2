package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"hew/server/auth"
	"hew/server/code"
	"hew/server/db"
	"hew/server/deadline"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
)

// smartHTTP serves git clients by git's protocol over HTTP: code at <path>.git, wikis at
// <path>.wiki.git.
type smartHTTP struct{ log *slog.Logger }

// transferTimeout limits a clone or a push as a whole.
const transferTimeout = 3 * time.Hour

func (a smartHTTP) routes() []rest.Route {
	return slices.Concat(a.routesAt("/git/{repository}", a.guard), a.routesAt("/git-wiki/{repository}", a.wikiGuard))
}

// routesAt returns the routes of the repositories at an address.
func (a smartHTTP) routesAt(at string, guard func(func(*http.Request) string) rest.Guard[client]) []rest.Route {
	return []rest.Route{
		rest.Get(at+"/info/refs", guard(serviceOfQuery), a.listRefs),
		rest.Post(at+"/git-upload-pack", guard(always(uploadPack)), a.upload).
			WithoutTransaction().Status(http.StatusOK).Limit(maxFetch).Timeout(transferTimeout),
		rest.Post(at+"/git-receive-pack", guard(always(receivePack)), a.receive).
			WithoutTransaction().Status(http.StatusOK).Limit(maxPush).Timeout(transferTimeout),
	}
}

const (
	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"

	maxFetch = 64 << 20 // bytes of the request of a fetch, also when it is unzipped
	maxPush  = 1 << 40  // bytes of a push; the setting receive_max_input_size can lower it
)

// The addresses of git clients; the page of a project is one, too. Those of wikis end in .wiki.git,
// and only they can be in a group.
var (
	wikiAddress = regexp.MustCompile(`^/(.+)\.wiki\.git/(info/refs|git-upload-pack|git-receive-pack)$`)
	gitAddress  = regexp.MustCompile(`^/(.+?/.+?)(?:\.git)?/` +
		`(info/refs|git-upload-pack|git-receive-pack|info/lfs/[a-z]+(?:/[0-9a-z/]+)?|` +
		`gitlab-lfs/objects/[0-9a-f]{64}(?:/\d+)?)$`)
)

// gitRoute returns the route that an address of a git client stands for.
func gitRoute(path string) (string, bool) {
	if strings.HasPrefix(path, "/api/") || snippetAddress.MatchString(path) {
		return "", false
	}
	base, m := "/api/v4/git-wiki/", wikiAddress.FindStringSubmatch(path)
	if m == nil {
		base, m = "/api/v4/git/", gitAddress.FindStringSubmatch(path)
	}
	if m == nil {
		return "", false
	}
	return base + url.PathEscape(m[1]) + "/" + m[2], true
}

func serviceOfQuery(r *http.Request) string { return r.URL.Query().Get("service") }

func always(service string) func(*http.Request) string {
	return func(*http.Request) string { return service }
}

// client is the scope of a git client at a repository.
type client struct {
	scope.InProject // the zero value at the wiki of a group
	At              code.Place
	By              code.Author
	Path            string // full path of the project or group
	Service         string
	Version         int // of the protocol
}

// newClient returns what a request says of its client.
func newClient(ctx context.Context, r *http.Request, service string) client {
	c := client{Service: service}
	if strings.Contains(r.Header.Get("Git-Protocol"), "version=2") {
		c.Version = 2
	}
	c.Anyone = scope.Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
	return c
}

// guard admits callers who may fetch from or push to the project, whichever the request wants.
// Callers without a token are asked for one, whether the project exists or not.
func (a smartHTTP) guard(serviceOf func(*http.Request) string) rest.Guard[client] {
	return clientGuard(serviceOf, client.ofProject)
}

// ofProject admits the client to the code of a project.
func (c client) ofProject(ctx context.Context, path string) (_ client, err error) {
	if c.Project, err = tree.ProjectFor(ctx, c.Store, path, c.Caller.ID()); err != nil {
		return c, hideMissingFromAnonymous(c.Caller, err)
	}
	if t := c.Caller.DeployToken; t != nil && t.Reaches(c.Project.Project) {
		c.Project.Level = int(policy.Reporter) // as a member who reads
	}
	if err := c.limitJob(ctx); err != nil {
		return c, err
	}
	if c.Service == receivePack && c.Caller.JobToken == nil {
		if c.InProject, err = withCollaboration(ctx, c.InProject); err != nil {
			return c, err
		}
	}
	c.At, c.Path, c.By = code.SourceOf(c.Project.Project), c.Project.FullPath, AuthorOf(c.InProject)
	c.By.Job = c.Caller.JobToken != nil
	c.By.Web = false
	return c, c.admit(admission{
		what: "Project", path: c.Path, seen: c.Can(policy.ReadProject), can: c.Can, archived: c.Project.Archived,
		pending: c.Project.Pending,
		fetch:   policy.ReadCode, push: policy.PushBranch,
		noFetch: "You are not allowed to download code from this project.",
		noPush:  "You are not allowed to push code to this project.",
	})
}

// hideMissingFromAnonymous returns 401 in place of a not-found fault for callers without a token,
// and a text for the terminal for others.
func hideMissingFromAnonymous(caller auth.Caller, err error) error {
	switch {
	case fault.CodeOf(err) != fault.CodeNotFound:
		return err
	case !caller.Known():
		return fault.Unauthorized()
	}
	return missing("Project")
}

// missing returns the fault of what does not exist or must not be seen, for the terminal.
func missing(what string) error {
	return fault.NotFound(what + " not found, or the token may not see it.")
}

type gitRefs struct {
	Service string `param:"service"` // documented here; the guard has read it, into client.Service
}

// listRefs answers what a client asks first: which refs there are.
func (a smartHTTP) listRefs(ctx context.Context, c client, _ gitRefs) (rest.Raw, error) {
	g, err := c.At.Open(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if c.Service == receivePack {
		err = g.WriteReceiveRefs(ctx, &text)
	} else {
		err = g.WriteUploadRefs(ctx, &text, c.Version)
	}
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-"+c.Service+"-advertisement")
		w.Header().Set("Cache-Control", "no-cache, max-age=0, must-revalidate")
		_, _ = w.Write(text.Bytes()) // fails only if the client has gone
	}), nil
}

type gitBody struct{ rest.Body }

// upload serves a clone or a fetch.
func (a smartHTTP) upload(_ context.Context, c client, in gitBody) (rest.Raw, error) {
	return a.stream(c, in, maxFetch, func(ctx context.Context, body io.Reader, w io.Writer) error {
		return code.Upload(ctx, c.Store, c.At, c.Version, body, w)
	})
}

// receive serves a push.
func (a smartHTTP) receive(ctx context.Context, c client, in gitBody) (rest.Raw, error) {
	settings, err := setting.Read(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	limit := int64(settings.ReceiveMaxInputSize) << 20
	return a.stream(c, in, maxPush, func(ctx context.Context, body io.Reader, w io.Writer) error {
		return code.Receive(ctx, c.Store, c.At, c.By, limit, body, w)
	})
}

// stream answers with what serve writes; a zipped body may have limit bytes when it is unzipped. A
// fault is answered in words. What fails after the first byte ends the connection, so that the
// client does not take a part for the whole.
func (a smartHTTP) stream(
	c client, in gitBody, limit int64, serve func(context.Context, io.Reader, io.Writer) error,
) (rest.Raw, error) {
	idle := deadline.Begin(in.Reader)
	var body io.Reader = idle
	if in.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return nil, fault.BadRequest("the body is not gzip")
		}
		body = io.LimitReader(unzipped, limit)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := deadline.NewWriter(r.Context(), w)
		idle.Answer(out)
		w.Header().Set("Content-Type", "application/x-"+c.Service+"-result")
		w.Header().Set("Cache-Control", "no-cache, max-age=0, must-revalidate")
		answer := &deadline.Flusher{Writer: out}
		if err := serve(r.Context(), body, answer); err != nil {
			a.log.WarnContext(r.Context(), "git client not served", "of", c.At.String(),
				"service", c.Service, "request_id", rest.RequestID(r.Context()), "error", err)
			var answered code.Answered
			switch f, ok := fault.From(err); {
			case errors.As(err, &answered):
			case ok && !answer.Begun:
				rest.Fail(w, f)
			default:
				panic(http.ErrAbortHandler)
			}
		}
	}), nil
}
