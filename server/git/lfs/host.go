// Package lfs speaks to the Git LFS servers of other hosts: it asks for objects in batches, and
// sends and reads their content. It knows no server of ours.
//
// Credentials are in the address of the repository. They go to that host alone: what an action
// names at another one gets only the header of the action.
package lfs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"hew/server/outbound"
)

const (
	// BatchSize is how many objects one request asks for (transfer §5).
	BatchSize = 100

	mediaType    = "application/vnd.git-lfs+json"
	maxAnswer    = 4 << 20 // bytes
	maxRedirects = 3
)

// Reference names an object.
type Reference struct {
	OID  string `json:"oid"`  // SHA-256 in hexadecimal digits
	Size int64  `json:"size"` // bytes
}

// Action is a request that the host asks for.
type Action struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header"`
}

// Object is what the host says of an object.
type Object struct {
	Reference
	Actions struct{ Download, Upload, Verify *Action } `json:"actions"`
	Error   *ObjectError                               `json:"error"`
}

// ObjectError is why the host does not give or take an object.
type ObjectError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error implements error.
func (e *ObjectError) Error() string {
	return fmt.Sprintf("the host refuses the object: %s (%d)", outbound.FirstLine(e.Message, 200), e.Code)
}

// StatusError is an answer of HTTP other than success.
type StatusError struct {
	What   string // a request, an upload, a download
	Status int
	Header http.Header
}

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the host answers %s of Git LFS with status %d", e.What, e.Status)
}

// Host is the Git LFS server of a repository.
type Host struct {
	out     *outbound.Guard
	options outbound.Options
	base    *url.URL // of its API, with credentials
}

// NewHost returns the server of the repository at an address, which may have credentials.
func NewHost(out *outbound.Guard, policy outbound.Policy, address string) (Host, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Host == "" {
		return Host{}, errors.New("the address of the repository is not a valid URL")
	}
	if !strings.HasSuffix(base.Path, ".git") {
		base.Path, base.RawPath = base.Path+".git", ""
	}
	return Host{out, outbound.Options{Policy: policy}, base.JoinPath("info/lfs")}, nil
}

// Batch asks for an operation, upload or download, on objects. The answer can have fewer, or
// others.
func (h Host) Batch(ctx context.Context, operation string, list []Reference) ([]Object, error) {
	request := struct {
		Operation string      `json:"operation"`
		Transfers []string    `json:"transfers"`
		Objects   []Reference `json:"objects"`
		HashAlgo  string      `json:"hash_algo"`
	}{operation, []string{"basic"}, list, "sha256"}
	var answer struct {
		Objects []Object `json:"objects"`
	}
	err := h.post(ctx, Action{Href: h.base.JoinPath("objects/batch").String()}, request, &answer)
	return answer.Objects, err
}

// Verify tells the host that an object was sent.
func (h Host) Verify(ctx context.Context, to Action, o Reference) error {
	return h.post(ctx, to, o, nil)
}

// Upload sends the content of an object.
func (h Host) Upload(ctx context.Context, to Action, content io.Reader, size int64) error {
	r := outbound.Request{Method: "PUT", Content: content, Length: size, Header: []outbound.Field{
		{Name: "Content-Type", Value: "application/octet-stream"},
	}}
	h.prepare(&r, to)
	answer, err := h.out.Stream(ctx, h.options, r, outbound.DefaultIdle)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer))
	if answer.Status > 299 {
		return &StatusError{"an upload", answer.Status, answer.Header}
	}
	return nil
}

// Download calls read with the content of an object, which the caller checks.
func (h Host) Download(ctx context.Context, from Action, read func(io.Reader) error) error {
	for range maxRedirects + 1 {
		r := outbound.Request{Method: "GET"}
		h.prepare(&r, from)
		answer, err := h.out.Stream(ctx, h.options, r, outbound.DefaultIdle)
		if err != nil {
			return err
		}
		if answer.Status == http.StatusOK {
			err = read(answer.Body)
			_ = answer.Body.Close()
			return err
		}
		_ = answer.Body.Close() // nothing of it is read
		if answer.Status < 300 || answer.Status > 399 {
			return &StatusError{"a download", answer.Status, answer.Header}
		}
		to, err := redirected(from.Href, answer.Header.Get("Location"))
		if err != nil {
			return err
		}
		from = Action{Href: to} // the header of the action is for its own address
	}
	return fmt.Errorf("the host redirects a download of Git LFS more than %d times", maxRedirects)
}

// redirected returns the address that a redirect leads to.
func redirected(from, location string) (string, error) {
	at, err := url.Parse(from)
	if err == nil && location != "" {
		if at, err = at.Parse(location); err == nil && at.User == nil {
			return at.String(), nil
		}
	}
	return "", errors.New("a redirect of a download of Git LFS has no valid Location")
}

// sign adds the credentials to an address on the host that they are for.
func (h Host) sign(href string) string {
	u, err := url.Parse(href)
	if err == nil && u.User == nil && u.Scheme == h.base.Scheme && u.Host == h.base.Host {
		u.User = h.base.User
		return u.String()
	}
	return href
}

// prepare gives a request the address and header of an action. An Authorization there takes the
// place of the credentials.
func (h Host) prepare(r *outbound.Request, a Action) {
	r.URL = h.sign(a.Href)
	for name, value := range a.Header {
		if strings.EqualFold(name, "Authorization") {
			r.URL = a.Href
		}
		r.Header = append(r.Header, outbound.Field{Name: name, Value: value})
	}
}

// post sends JSON and reads the answer into result, unless that is nil.
func (h Host) post(ctx context.Context, to Action, value, result any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	r := outbound.Request{Body: body, MaxAnswer: maxAnswer, Header: []outbound.Field{
		{Name: "Accept", Value: mediaType}, {Name: "Content-Type", Value: mediaType},
	}}
	h.prepare(&r, to)
	answer, err := h.out.Post(ctx, h.options, r)
	switch {
	case err != nil:
		return err
	case answer.Status != http.StatusOK:
		return &StatusError{"a request", answer.Status, answer.Header}
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(answer.Body, result); err != nil {
		return errors.New("the host answers a request of Git LFS with what is not JSON of it")
	}
	return nil
}
