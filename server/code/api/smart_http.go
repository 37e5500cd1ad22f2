package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"hew/server/auth"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
)

// smartHTTP serves git clients at <path>.git, by git's protocol over HTTP.
type smartHTTP struct{ log *slog.Logger }

// transferTimeout limits a clone or a push as a whole.
const transferTimeout = 3 * time.Hour

func (a smartHTTP) routes() []rest.Route {
	const git = "/git/{id}"
	return []rest.Route{
		rest.Get(git+"/info/refs", a.guard(serviceOfQuery), a.listRefs),
		rest.Post(git+"/git-upload-pack", a.guard(always(uploadPack)), a.upload).
			WithoutTransaction().Status(http.StatusOK).Limit(maxFetch).Timeout(transferTimeout),
		rest.Post(git+"/git-receive-pack", a.guard(always(receivePack)), a.receive).
			WithoutTransaction().Status(http.StatusOK).Limit(maxPush).Timeout(transferTimeout),
	}
}

const (
	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"

	maxFetch = 64 << 20 // bytes of the request of a fetch
	maxPush  = 1 << 40  // bytes; the setting receive_max_input_size is the limit that matters
)

var gitAddress = regexp.MustCompile(`^/(.+?/.+?)\.git/` +
	`(info/refs|git-upload-pack|git-receive-pack|info/lfs/[a-z]+(?:/[0-9a-z/]+)?|gitlab-lfs/objects/[0-9a-f]{64}(?:/\d+)?)$`)

// gitRoute returns the route that an address of a git client stands for.
func gitRoute(path string) (string, bool) {
	m := gitAddress.FindStringSubmatch(path)
	if m == nil || strings.HasPrefix(path, "/api/") {
		return "", false
	}
	return "/api/v4/git/" + url.PathEscape(m[1]) + "/" + m[2], true
}

func serviceOfQuery(r *http.Request) string { return r.URL.Query().Get("service") }

func always(service string) func(*http.Request) string {
	return func(*http.Request) string { return service }
}

// client is the scope of a git client in a project.
type client struct {
	scope.InProject
	Service string
	Version int // of the protocol
}

// guard admits callers who may fetch from or push to the project, whichever the request wants.
// Callers without a token are asked for one, whether the project exists or not.
func (a smartHTTP) guard(serviceOf func(*http.Request) string) rest.Guard[client] {
	return rest.Guard[client]{Need: "git", Open: func(ctx context.Context, r *http.Request) (client, error) {
		c := client{Service: serviceOf(r)}
		if strings.Contains(r.Header.Get("Git-Protocol"), "version=2") {
			c.Version = 2
		}
		c.Anyone = scope.Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
		var err error
		if c.Project, err = tree.ProjectFor(ctx, c.Store, r.PathValue("id"), c.Caller.ID()); err != nil {
			return c, hideFromNobody(c.Caller, err)
		}
		return c, c.admit()
	}}
}

// hideFromNobody returns 401 in place of a not-found fault for callers without a token.
func hideFromNobody(caller auth.Caller, err error) error {
	if !caller.Signed() && fault.CodeOf(err) == fault.CodeNotFound {
		return fault.Unauthorized()
	}
	return err
}

// admit returns why the caller may not do what the client asks for.
func (c client) admit() error {
	if c.Service != uploadPack && c.Service != receivePack {
		return fault.Forbidden("This server speaks git's smart protocol only. Use a newer git.")
	}
	need, scopes, verb := policy.ReadCode, []string{"read_repository", "write_repository"}, "download code from"
	if c.Service == receivePack {
		need, scopes, verb = policy.PushCode, scopes[1:], "push code to"
	}
	seen := c.Can(policy.ReadProject)
	switch {
	case !c.Caller.Signed() && (c.Service == receivePack || !c.Can(need)):
		return fault.Unauthorized()
	case !seen:
		return fault.NotFound("Project")
	case c.Caller.Need(scopes...) != nil:
		return fault.Forbidden(fmt.Sprintf("The token has none of the scopes api, %s.", strings.Join(scopes, ", ")))
	case c.Project.Archived && c.Service == receivePack:
		return fault.Forbidden("You cannot push to " + c.Project.FullPath + ": the project is archived.")
	case !c.Can(need):
		return fault.Forbidden("You are not allowed to " + verb + " this project.")
	}
	return nil
}

type gitRefs struct {
	Service string `param:"service"`
}

// listRefs answers what a client asks first: which refs there are.
func (a smartHTTP) listRefs(ctx context.Context, c client, _ gitRefs) (rest.Raw, error) {
	g, err := code.Open(ctx, c.Store, c.Project.Project)
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
	return a.stream(c, in, func(ctx context.Context, body io.Reader, w io.Writer) error {
		return code.Upload(ctx, c.Store, c.Project.Project, c.Version, body, w)
	})
}

// receive serves a push.
func (a smartHTTP) receive(ctx context.Context, c client, in gitBody) (rest.Raw, error) {
	settings, err := setting.Read(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	by := AuthorOf(c.InProject)
	by.Web = false
	limit := int64(settings.ReceiveMaxInputSize) << 20
	return a.stream(c, in, func(ctx context.Context, body io.Reader, w io.Writer) error {
		return code.Receive(ctx, c.Store, c.Project.Project, by, limit, body, w)
	})
}

// stream answers with what serve writes. What fails after the first byte ends the connection, so
// that the client does not take a part for the whole.
func (a smartHTTP) stream(
	c client, in gitBody, serve func(context.Context, io.Reader, io.Writer) error,
) (rest.Raw, error) {
	idle := &patientReader{from: in.Reader}
	var body io.Reader = idle
	if in.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return nil, fault.BadRequest("the body is not gzip")
		}
		body = io.LimitReader(unzipped, maxPush)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		idle.control = control
		w.Header().Set("Content-Type", "application/x-"+c.Service+"-result")
		w.Header().Set("Cache-Control", "no-cache, max-age=0, must-revalidate")
		if err := serve(r.Context(), body, flusher{patientWriter{w, control}}); err != nil {
			a.log.WarnContext(r.Context(), "git client not served", "project", c.Project.FullPath,
				"service", c.Service, "request_id", rest.RequestID(r.Context()), "error", err)
			var answered code.Answered
			if !errors.As(err, &answered) {
				panic(http.ErrAbortHandler)
			}
		}
	}), nil
}
