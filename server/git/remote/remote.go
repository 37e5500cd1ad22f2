// Package remote reads and writes repositories on other hosts by git's protocol in version 0, which
// all hosts speak: over HTTP, SSH and git's own connections.
//
// No git process is involved. So every connection is made by package outbound to an address that it
// has checked, redirects included; there is no program that looks a name up a second time. And
// credentials are neither in arguments, nor in an environment, nor in a file: a private key stays
// in memory.
package remote

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"hew/server/git/pkt"
	"hew/server/outbound"
)

const (
	uploadPack  = "git-upload-pack"  // what one reads from
	receivePack = "git-receive-pack" // what one pushes to
	maxRefs     = 200_000            // branches and tags
)

// refLimits bound an advertisement: hosts show hidden refs too, such as those of merge requests.
var refLimits = pkt.Limits{Lines: 2_000_000, Bytes: 256 << 20}

// Error says why a repository cannot be read or written, for the user who gave the address. It has
// nothing of the address but the host.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }

// MissingError says that a host has no repository at an address. It wraps an Error.
type MissingError struct{ Host string }

// Error implements error.
func (m MissingError) Error() string { return m.Host + " has no repository at this address" }

// Unwrap returns the Error.
func (m MissingError) Unwrap() error { return Error(m.Error()) }

func errorf(format string, values ...any) error { return Error(fmt.Sprintf(format, values...)) }

// Host is how other hosts are reached.
type Host struct {
	Guard  *outbound.Guard
	Policy outbound.Policy
	SSH    SSH
	Field  string   // what users know the address by, for errors: import_url
	Hidden []string // prefixes of refs to read beside branches and tags, such as refs/pull/
}

// Repository is a repository on another host.
type Repository struct {
	Head string    // the branch that its HEAD points to, without refs/heads/; "" if that is not known
	Refs []pkt.Ref // its branches, tags, and the hidden refs that were asked for

	capabilities pkt.Capabilities
	line         transport
}

// transport speaks with a service of a repository. Errors are or wrap an Error, unless the context
// has ended.
type transport interface {
	// advertise returns the advertisement of the service, and the service if that is named in it.
	advertise(ctx context.Context) (body io.ReadCloser, service string, err error)
	// ask sends a request and returns the answer.
	ask(ctx context.Context, request io.Reader) (io.ReadCloser, error)
	close()
}

// Open reads the refs of the repository at an address, which may contain a user name and password.
// Errors are or wrap an Error, unless the context has ended. The caller closes the repository.
func Open(ctx context.Context, h Host, address string) (*Repository, error) {
	r, err := open(ctx, h, address, uploadPack)
	if err != nil {
		return nil, err
	}
	if len(r.Refs) > 0 && !r.capabilities.Has("side-band-64k") {
		r.Close()
		return nil, Error("the host speaks a version of git's protocol that is too old")
	}
	return r, nil
}

func open(ctx context.Context, h Host, address, service string) (*Repository, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, Error("the address is not a valid URL")
	}
	r := &Repository{}
	switch base.Scheme {
	case "ssh":
		r.line, err = dialSSH(ctx, h, base, service)
	case "git":
		r.line = &wire{host: h, at: base, service: service}
	default:
		r.line = &web{host: h, base: base, service: service}
	}
	if err != nil {
		return nil, err
	}
	if err := r.readRefs(ctx, h.Hidden); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close ends the connection, if there is one.
func (r *Repository) Close() { r.line.close() }

func (r *Repository) readRefs(ctx context.Context, hidden []string) error {
	body, service, err := r.line.advertise(ctx)
	if err != nil {
		return err
	}
	defer body.Close()
	prefixes := append([]string{branches, tags}, hidden...)
	a, err := pkt.ReadAdvertisement(pkt.NewReader(body, refLimits), service, prefixes...)
	switch {
	case err != nil:
		return readError(err)
	case a.Capabilities.Value("object-format") == "sha256":
		return Error("the repository uses SHA-256 object ids, which this server does not store")
	case a.Shallow:
		return Error("the repository is shallow: it does not have its whole history")
	case len(a.Refs) > maxRefs:
		return errorf("the repository has more than %d branches and tags", maxRefs)
	}
	r.Refs, r.Head, r.capabilities = a.Refs, headOf(a), a.Capabilities
	return nil
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
