package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"

	"hew/server/outbound"
)

const (
	refsPath    = "/info/refs"
	maxRedirect = 5
	postBuffer  = 1 << 20
)

// web speaks over HTTP, with a request each time.
type web struct {
	host    Host
	base    *url.URL // with the credentials
	service string
}

func (w *web) close() {}

// advertise asks for the refs. It follows redirects to another address of the repository, which the
// policy must admit too, and sends the credentials to the host of the address only.
func (w *web) advertise(ctx context.Context) (io.ReadCloser, string, error) {
	for range maxRedirect + 1 {
		stream, err := w.send(ctx, refsPath+"?service="+w.service, nil, nil)
		if err != nil {
			return nil, "", err
		}
		if stream.Status < 300 || stream.Status > 399 {
			return stream.Body, w.service, w.check(stream, "advertisement")
		}
		_ = stream.Body.Close()
		if err := w.follow(stream.Header.Get("Location")); err != nil {
			return nil, "", err
		}
	}
	return nil, "", errorf("%s redirects more than %d times", w.base.Hostname(), maxRedirect)
}

// follow makes the target of a redirect the address of the repository.
func (w *web) follow(location string) error {
	from := *w.base
	from.Path, from.RawPath = w.base.Path+refsPath, ""
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
	w.base = to
	return nil
}

func (w *web) ask(ctx context.Context, request io.Reader) (io.ReadCloser, error) {
	// What is small goes with its length, as git sends it: some hosts take nothing else.
	start := make([]byte, postBuffer+1)
	n, err := io.ReadFull(request, start)
	var small []byte
	switch {
	case err == nil:
		request = io.MultiReader(bytes.NewReader(start), request)
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		small = start[:n]
	default:
		return nil, err
	}
	stream, err := w.send(ctx, "/"+w.service, small, request)
	if err != nil {
		return nil, err
	}
	return stream.Body, w.check(stream, "result")
}

// send sends a request to a path below the address: a POST if it has a body, which is one that is
// small or one that is read.
func (w *web) send(ctx context.Context, path string, small []byte, body io.Reader) (*outbound.Stream, error) {
	request := outbound.Request{URL: w.base.String() + path, Header: []outbound.Field{
		{Name: "User-Agent", Value: "git/hewd"},
		{Name: "Accept", Value: "application/x-" + w.service + "-advertisement, application/x-" + w.service + "-result"},
	}}
	idle := outbound.DefaultIdle
	if body != nil {
		idle = idleTimeout
		if request.Body = small; small == nil {
			request.Content = body
		}
		request.Header = append(request.Header,
			outbound.Field{Name: "Content-Type", Value: "application/x-" + w.service + "-request"})
	}
	stream, err := w.host.Guard.Stream(ctx, outbound.Options{Policy: w.host.Policy}, request, idle)
	if err == nil || ctx.Err() != nil {
		return stream, err
	}
	return nil, unreachable(w.base, err)
}

// unreachable returns why there is no connection to a host, without addresses, which users must not
// learn.
func unreachable(at *url.URL, err error) error {
	var name *net.DNSError
	var network *net.OpError
	var web *outbound.ConnectError
	switch {
	case errors.As(err, &name):
		err = outbound.LookupError(name)
	case errors.As(err, &network):
		err = network.Err
	case errors.As(err, &web):
		err = web.Err
	}
	reason := fmt.Sprintf("%s cannot be reached: %v", at.Hostname(), err)
	if errors.As(err, new(*outbound.RefusedError)) {
		return Error(reason)
	}
	return UnavailableError{Reason: reason}
}

// check closes an answer that is not one of git's, and returns why.
func (w *web) check(s *outbound.Stream, kind string) error {
	host, why := w.base.Hostname(), ""
	switch {
	case s.Status == 401 && w.base.User == nil:
		why = host + " asks for a user name and a password; put them into " + w.host.Field
	case s.Status == 401:
		why = host + " does not accept the user name and password of " + w.host.Field
	case s.Status == 403 && w.service == receivePack:
		why = host + " does not let this user push to the repository"
	case s.Status == 403:
		why = host + " does not let this user read the repository"
	case s.Status == 404:
		_ = s.Body.Close()
		return MissingError{Host: host}
	case s.Status == 429 || s.Status >= 500:
		_ = s.Body.Close()
		why = fmt.Sprintf("%s answers with status %d", host, s.Status)
		return UnavailableError{Reason: why, Status: s.Status, Retry: s.Header.Get("Retry-After")}
	case s.Status != 200:
		why = fmt.Sprintf("%s answers with status %d", host, s.Status)
	case s.Header.Get("Content-Type") != "application/x-"+w.service+"-"+kind:
		why = host + " does not answer as a git repository; " + w.host.Field +
			" must be the address that git clone takes"
	default:
		return nil
	}
	_ = s.Body.Close()
	return Error(why)
}
