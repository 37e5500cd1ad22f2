package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/outbound"
	"hew/server/tree"
)

const (
	lfsBatch     = 100 // objects of one request (transfer §5)
	lfsType      = "application/vnd.git-lfs+json"
	maxLFSAnswer = 4 << 20
)

// lfsReference names an object of git-lfs.
type lfsReference struct {
	OID  string `json:"oid"`
	Size int64  `json:"size"`
}

// lfsAction is a request that the other side asks for.
type lfsAction struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header"`
}

// lfsTarget is where the large files of a mirror go.
type lfsTarget struct {
	out     *outbound.Guard
	options outbound.Options
	base    *url.URL // of the API of git-lfs, with credentials
}

// pushLFS sends the large files of a project that the mirror lacks. Its errors do not end the push
// (transfer §5): many hosts have no git-lfs.
func (c courier) pushLFS(
	ctx context.Context, st *db.Store, p tree.Project, address string, policy outbound.Policy,
) error {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || !p.Settings.LFSEnabled {
		return err
	}
	if !strings.HasSuffix(base.Path, ".git") {
		base.Path, base.RawPath = base.Path+".git", ""
	}
	to := lfsTarget{c.out, outbound.Options{Policy: policy}, base.JoinPath("info/lfs")}
	for after := int64(0); ; {
		list, err := code.ListLFSObjects(ctx, st, p.ID, after, lfsBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		after = list[len(list)-1].BlobID
		if err := to.offer(ctx, st, list); err != nil {
			return err
		}
	}
}

// offer sends those of some objects that the other side asks for.
func (t lfsTarget) offer(ctx context.Context, st *db.Store, list []code.LFSObject) error {
	request := struct {
		Operation string         `json:"operation"`
		Transfers []string       `json:"transfers"`
		Objects   []lfsReference `json:"objects"`
		HashAlgo  string         `json:"hash_algo"`
	}{Operation: "upload", Transfers: []string{"basic"}, HashAlgo: "sha256"}
	byOID := map[string]code.LFSObject{}
	for _, o := range list {
		request.Objects = append(request.Objects, lfsReference{o.OID(), o.Size})
		byOID[o.OID()] = o
	}
	var answer struct {
		Objects []struct {
			lfsReference
			Actions struct{ Upload, Verify *lfsAction } `json:"actions"`
		} `json:"objects"`
	}
	if err := t.send(ctx, t.base.JoinPath("objects/batch").String(), nil, request, &answer); err != nil {
		return err
	}
	for _, asked := range answer.Objects {
		o, ours := byOID[asked.OID]
		if !ours || asked.Actions.Upload == nil {
			continue
		}
		if err := t.upload(ctx, st, o, *asked.Actions.Upload); err != nil {
			return err
		}
		if v := asked.Actions.Verify; v != nil {
			if err := t.send(ctx, v.Href, v.Header, asked.lfsReference, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// sign adds the credentials to an address on the host that they are for.
func (t lfsTarget) sign(href string) string {
	u, err := url.Parse(href)
	if err == nil && u.User == nil && u.Scheme == t.base.Scheme && u.Host == t.base.Host {
		u.User = t.base.User
		return u.String()
	}
	return href
}

// prepare gives a request the address and header of an action. An Authorization there takes the
// place of the credentials.
func (t lfsTarget) prepare(r *outbound.Request, href string, header map[string]string) {
	r.URL = t.sign(href)
	for name, value := range header {
		if strings.EqualFold(name, "Authorization") {
			r.URL = href
		}
		r.Header = append(r.Header, outbound.Field{Name: name, Value: value})
	}
}

// send posts JSON of git-lfs and reads the answer into result, unless that is nil.
func (t lfsTarget) send(ctx context.Context, href string, header map[string]string, value, result any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	r := outbound.Request{Body: body, MaxAnswer: maxLFSAnswer, Header: []outbound.Field{
		{Name: "Accept", Value: lfsType}, {Name: "Content-Type", Value: lfsType},
	}}
	t.prepare(&r, href, header)
	answer, err := t.out.Post(ctx, t.options, r)
	switch {
	case err != nil:
		return err
	case answer.Status != 200:
		return fmt.Errorf("the host answers a request of git-lfs with status %d", answer.Status)
	case result == nil:
		return nil
	}
	return json.Unmarshal(answer.Body, result)
}

// upload sends the content of an object.
func (t lfsTarget) upload(ctx context.Context, st *db.Store, o code.LFSObject, to lfsAction) error {
	content, err := code.OpenLFSObject(ctx, st, o)
	if err != nil {
		return err
	}
	defer content.Close()
	r := outbound.Request{Method: "PUT", Content: content, Length: o.Size, Header: []outbound.Field{
		{Name: "Content-Type", Value: "application/octet-stream"},
	}}
	t.prepare(&r, to.Href, to.Header)
	answer, err := t.out.Stream(ctx, t.options, r, outbound.DefaultIdle)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxLFSAnswer))
	if answer.Status > 299 {
		return fmt.Errorf("the host answers an upload of git-lfs with status %d", answer.Status)
	}
	return nil
}
