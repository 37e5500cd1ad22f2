package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"hew/server/code"
	"hew/server/outbound"
)

const (
	lfsBatch     = 100 // objects of one request (transfer §5)
	lfsType      = "application/vnd.git-lfs+json"
	maxLFSAnswer = 4 << 20
)

// lfsHost is the API of git-lfs of a repository on another host.
type lfsHost struct {
	out     *outbound.Guard
	options outbound.Options
	base    *url.URL // with credentials
}

// lfsHostOf returns the API of the repository at an address, which is a web address.
func (c courier) lfsHostOf(address string, policy outbound.Policy) (lfsHost, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return lfsHost{}, err
	}
	if !strings.HasSuffix(base.Path, ".git") {
		base.Path, base.RawPath = base.Path+".git", ""
	}
	return lfsHost{c.out, outbound.Options{Policy: policy}, base.JoinPath("info/lfs")}, nil
}

// lfsStatusError is the status with which a host refuses a request of git-lfs.
type lfsStatusError int

// Error implements error.
func (status lfsStatusError) Error() string {
	return fmt.Sprintf("the host answers a request of git-lfs with status %d", int(status))
}

// lfsAction is a request that the other side asks for.
type lfsAction struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header"`
}

// lfsAnswer is what a host says of an object.
type lfsAnswer struct {
	code.LFSPointer
	Actions struct{ Download, Upload, Verify *lfsAction } `json:"actions"`
	Error   *struct{ Message string }                     `json:"error"`
}

// batch asks a host what to do about objects: for upload or download.
func (h lfsHost) batch(ctx context.Context, operation string, objects []code.LFSPointer) ([]lfsAnswer, error) {
	request := struct {
		Operation string            `json:"operation"`
		Transfers []string          `json:"transfers"`
		Objects   []code.LFSPointer `json:"objects"`
		HashAlgo  string            `json:"hash_algo"`
	}{operation, []string{"basic"}, objects, "sha256"}
	var answer struct {
		Objects []lfsAnswer `json:"objects"`
	}
	err := h.send(ctx, h.base.JoinPath("objects/batch").String(), nil, request, &answer)
	return answer.Objects, err
}

// sign adds the credentials to an address on the host that they are for.
func (h lfsHost) sign(href string) string {
	u, err := url.Parse(href)
	if err == nil && u.User == nil && u.Scheme == h.base.Scheme && u.Host == h.base.Host {
		u.User = h.base.User
		return u.String()
	}
	return href
}

// prepare gives a request the address and header of an action. An Authorization there takes the
// place of the credentials.
func (h lfsHost) prepare(r *outbound.Request, href string, header map[string]string) {
	r.URL = h.sign(href)
	for name, value := range header {
		if strings.EqualFold(name, "Authorization") {
			r.URL = href
		}
		r.Header = append(r.Header, outbound.Field{Name: name, Value: value})
	}
}

// send posts JSON of git-lfs and reads the answer into result, unless that is nil.
func (h lfsHost) send(ctx context.Context, href string, header map[string]string, value, result any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	r := outbound.Request{Body: body, MaxAnswer: maxLFSAnswer, Header: []outbound.Field{
		{Name: "Accept", Value: lfsType}, {Name: "Content-Type", Value: lfsType},
	}}
	h.prepare(&r, href, header)
	answer, err := h.out.Post(ctx, h.options, r)
	switch {
	case err != nil:
		return err
	case answer.Status != 200:
		return lfsStatusError(answer.Status)
	case result == nil:
		return nil
	}
	return json.Unmarshal(answer.Body, result)
}

// do carries out an action that moves the content of an object. The caller closes the body of the
// answer.
func (h lfsHost) do(ctx context.Context, r outbound.Request, a lfsAction) (*outbound.Stream, error) {
	h.prepare(&r, a.Href, a.Header)
	answer, err := h.out.Stream(ctx, h.options, r, outbound.DefaultIdle)
	if err == nil && answer.Status > 299 {
		_ = answer.Body.Close() // nothing is read of it
		return nil, lfsStatusError(answer.Status)
	}
	return answer, err
}
