// Package remote reads repositories on other hosts by git's protocol over HTTP, in version 0, which
// all hosts speak: which refs there are, and a pack of all that they reach.
//
// No git process is involved. So every connection is made by package outbound, redirects included,
// and credentials are neither in arguments nor in an environment.
package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"strings"

	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/outbound"
)

const (
	service     = "git-upload-pack"
	refsPath    = "/info/refs"
	maxRedirect = 5
	maxRefs     = 200_000 // branches and tags
)

// refLimits bound an advertisement: hosts show hidden refs too, such as those of merge requests.
var refLimits = pkt.Limits{Lines: 2_000_000, Bytes: 256 << 20}

// Error says why a repository cannot be read, for the user who gave the address. It has nothing of
// the address but the host.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }

func errorf(format string, values ...any) error { return Error(fmt.Sprintf(format, values...)) }

// Host is how other hosts are reached.
type Host struct {
	Guard  *outbound.Guard
	Policy outbound.Policy
	Hidden []string // prefixes of refs to read beside branches and tags, such as refs/pull/
}

// Repository is a repository on another host.
type Repository struct {
	Head string    // the branch that its HEAD points to, without refs/heads/; "" if that is not known
	Refs []pkt.Ref // its branches, tags, and the hidden refs that were asked for

	host Host
	base *url.URL // with the credentials
}

// Open reads the refs of the repository at an address, which may contain a user name and password.
// Errors are of type Error, unless the context has ended.
func Open(ctx context.Context, h Host, address string) (*Repository, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, Error("the address is not a valid URL")
	}
	r := &Repository{host: h, base: base}
	stream, err := r.askRefs(ctx)
	if err != nil {
		return nil, err
	}
	defer stream.Body.Close()
	prefixes := append([]string{branches, tags}, h.Hidden...)
	a, err := pkt.ReadAdvertisement(pkt.NewReader(stream.Body, refLimits), service, prefixes...)
	if err != nil {
		return nil, readError(err)
	}
	switch {
	case a.Capabilities.Value("object-format") == "sha256":
		return nil, Error("the repository uses SHA-256 object ids, which this server does not store")
	case a.Shallow:
		return nil, Error("the repository is shallow: it does not have its whole history")
	case len(a.Refs) > maxRefs:
		return nil, errorf("the repository has more than %d branches and tags", maxRefs)
	case len(a.Refs) > 0 && !a.Capabilities.Has("side-band-64k"):
		return nil, Error("the host speaks a version of git's protocol that is too old")
	}
	r.Refs = a.Refs
	r.Head = headOf(a)
	return r, nil
}

const branches, tags = "refs/heads/", "refs/tags/"

// headOf returns the branch that HEAD points to: the one that the host names or, with an old host,
// one that has the same commit.
func headOf(a pkt.Advertisement) string {
	for _, word := range a.Capabilities {
		if target, ok := strings.CutPrefix(word, "symref=HEAD:"+branches); ok {
			return target
		}
	}
	for _, ref := range a.Refs {
		if name, ok := strings.CutPrefix(ref.Name, branches); ok && ref.ID == a.Head {
			return name
		}
	}
	return ""
}

// askRefs asks for the refs. It follows redirects to another address of the repository, which the
// policy must admit too, and sends the credentials to the host of the address only.
func (r *Repository) askRefs(ctx context.Context) (*outbound.Stream, error) {
	for range maxRedirect + 1 {
		stream, err := r.send(ctx, refsPath+"?service="+service, nil)
		if err != nil {
			return nil, err
		}
		if stream.Status < 300 || stream.Status > 399 {
			return stream, r.check(stream, "advertisement")
		}
		_ = stream.Body.Close()
		if err := r.follow(stream.Header.Get("Location")); err != nil {
			return nil, err
		}
	}
	return nil, errorf("%s redirects more than %d times", r.base.Hostname(), maxRedirect)
}

// follow makes the target of a redirect the address of the repository.
func (r *Repository) follow(location string) error {
	from := *r.base
	from.Path, from.RawPath = r.base.Path+refsPath, ""
	to, err := from.Parse(location)
	if err != nil || location == "" || !strings.HasSuffix(to.Path, refsPath) {
		return errorf("%s redirects to an address that is not that of a git repository", from.Hostname())
	}
	if from.Scheme == "https" && to.Scheme != "https" {
		return errorf("%s redirects from https to %s, which is not followed", from.Hostname(), to.Scheme)
	}
	to.User = nil
	if to.Scheme == from.Scheme && to.Host == from.Host {
		to.User = from.User
	}
	to.Path, to.RawPath, to.RawQuery, to.Fragment = strings.TrimSuffix(to.Path, refsPath), "", "", ""
	r.base = to
	return nil
}

// Fetch returns a pack of all that some objects reach. The caller closes it. Errors, also of reads,
// are of type Error, unless the context has ended.
func (r *Repository) Fetch(ctx context.Context, wants []object.ID) (io.ReadCloser, error) {
	var body bytes.Buffer
	w, words := pkt.NewWriter(&body), " side-band-64k ofs-delta agent=hewd"
	for _, id := range wants {
		_ = w.Linef("want %s%s", id, words) // a buffer takes everything
		words = ""
	}
	_ = w.Flush()
	_ = w.Line("done")
	stream, err := r.send(ctx, "/"+service, body.Bytes())
	if err != nil {
		return nil, err
	}
	if err := r.check(stream, "result"); err != nil {
		return nil, err
	}
	in := pkt.NewReader(stream.Body, pkt.Limits{Lines: math.MaxInt, Bytes: math.MaxInt64})
	_, line, err := in.Line()
	if text, ok := strings.CutPrefix(line, "ERR "); err == nil && ok {
		err = pkt.RemoteError(text)
	} else if err == nil && line != "NAK" {
		err = errors.New("a NAK is missing before the pack")
	}
	if err != nil {
		_ = stream.Body.Close()
		return nil, readError(err)
	}
	return packBody{pkt.NewBandReader(in), stream.Body}, nil
}

type packBody struct {
	io.Reader
	io.Closer
}

// Read implements io.Reader.
func (p packBody) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = readError(err)
	}
	return n, err
}

// send sends a request to a path below the address: a POST if it has a body.
func (r *Repository) send(ctx context.Context, path string, body []byte) (*outbound.Stream, error) {
	request := outbound.Request{URL: r.base.String() + path, Body: body, Header: []outbound.Field{
		{Name: "User-Agent", Value: "git/hewd"},
		{Name: "Accept", Value: "application/x-" + service + "-advertisement, application/x-" + service + "-result"},
	}}
	if body != nil {
		request.Header = append(request.Header,
			outbound.Field{Name: "Content-Type", Value: "application/x-" + service + "-request"})
	}
	stream, err := r.host.Guard.Stream(ctx, outbound.Options{Policy: r.host.Policy}, request, outbound.DefaultIdle)
	if err == nil || ctx.Err() != nil {
		return stream, err
	}
	var network *net.OpError
	if errors.As(err, &network) { // without addresses, which users must not learn
		err = network.Err
	}
	return nil, errorf("%s cannot be reached: %v", r.base.Hostname(), err)
}

// check closes an answer that is not one of git's, and returns why.
func (r *Repository) check(s *outbound.Stream, kind string) error {
	host, why := r.base.Hostname(), ""
	switch {
	case s.Status == 401 && r.base.User == nil:
		why = host + " asks for a user name and a password; put them into import_url"
	case s.Status == 401:
		why = host + " does not accept the user name and password of import_url"
	case s.Status == 403:
		why = host + " does not let this user read the repository"
	case s.Status == 404:
		why = host + " has no repository at this address"
	case s.Status != 200:
		why = fmt.Sprintf("%s answers with status %d", host, s.Status)
	case s.Header.Get("Content-Type") != "application/x-"+service+"-"+kind:
		why = host + " does not answer as a git repository; import_url must be the address that git clone takes"
	default:
		return nil
	}
	_ = s.Body.Close()
	return Error(why)
}
