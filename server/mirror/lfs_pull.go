package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/lfs"
	"hew/server/git/object"
	"hew/server/outbound"
	"hew/server/tree"
)

// lfsPull asks for the large files of commits that were pulled.
type lfsPull struct {
	project tree.Project
	moved   []object.ID // where refs are now
	haves   []object.ID // commits from before
	all     bool        // look at all commits: those of earlier pulls may lack some
	address string
	policy  outbound.Policy
}

// lfsFailure is why large files have not come.
type lfsFailure struct {
	text  string
	count int  // of those that have not come; 0: not known
	final bool // the next pull need not try again
}

// pullLFS brings the large files that the project lacks, from hosts that are reached over HTTP
// (transfer §5). The note says why some have not come. What may come later, the next pull asks for.
func (c courier) pullLFS(ctx context.Context, st *db.Store, r Run, l lfsPull) (note string, err error) {
	at, err := url.Parse(l.address)
	web := err == nil && outbound.Web[at.Scheme] != ""
	if !web || !l.project.Settings.LFSEnabled || !l.all && len(l.moved) == 0 {
		return "", nil
	}
	failure, err := c.bringLFS(ctx, st, l)
	if err != nil {
		return "", err
	}
	if failure.final || failure.text == "" {
		if err := r.change(ctx, st, `lfs_due = false`, nil); err != nil {
			return "", err
		}
	}
	switch {
	case failure.text == "":
		return "", nil
	case failure.count == 0:
		return "The files of Git LFS have not been updated: " + failure.text, nil
	}
	return fmt.Sprintf("%d files of Git LFS have not been updated: %s", failure.count, failure.text), nil
}

// bringLFS downloads large files. Errors are those of this server.
func (c courier) bringLFS(ctx context.Context, st *db.Store, l lfsPull) (f lfsFailure, err error) {
	from, err := lfs.NewHost(c.out, l.policy, l.address)
	if err != nil {
		return f, err
	}
	g, err := code.Open(ctx, st, l.project) // with what was pulled
	if err != nil {
		return f, err
	}
	wants, haves := l.moved, l.haves
	if l.all {
		refs, err := g.Refs(ctx, st, code.Heads, code.Tags)
		if err != nil {
			return f, err
		}
		wants, haves = nil, nil
		for _, ref := range refs {
			wants = append(wants, ref.ID)
		}
	}
	f.final = true
	err = g.MissingLFSObjects(ctx, st, wants, haves, func(list []code.LFSPointer) error {
		return fetch(ctx, st, l.project, from, list, &f)
	})
	var ended hostError
	if errors.As(err, &ended) && ctx.Err() == nil {
		return lfsFailure{text: ended.Error(), final: ended.lacksLFS()}, nil
	}
	return f, err
}

// hostError is an error of the other host that ends the exchange of large files.
type hostError struct{ error }

// lacksLFS reports whether the host has answered as one without git-lfs.
func (e hostError) lacksLFS() bool {
	var status *lfs.StatusError
	return errors.As(e.error, &status) && (status.Status == 404 || status.Status == 501)
}

// fetch downloads those of some objects that the other side has, and notes what does not come.
func fetch(
	ctx context.Context, st *db.Store, p tree.Project, from lfs.Host, list []code.LFSPointer, f *lfsFailure,
) error {
	references := make([]lfs.Reference, len(list))
	for i, o := range list {
		references[i] = lfs.Reference{OID: o.OID, Size: o.Size}
	}
	answers, err := from.Batch(ctx, "download", references)
	if err != nil {
		return hostError{err}
	}
	byOID := map[string]lfs.Object{}
	for _, a := range answers {
		byOID[a.OID] = a
	}
	for _, o := range list {
		a, answered := byOID[o.OID]
		switch {
		case answered && a.Actions.Download != nil:
			err = download(ctx, st, p, from, o, *a.Actions.Download)
		case answered && a.Error != nil:
			err = hostError{a.Error}
		default:
			err = hostError{errors.New("the host does not have them")}
		}
		var said hostError
		if err != nil && (!errors.As(err, &said) || ctx.Err() != nil) {
			return err
		}
		if err != nil {
			f.count++
			f.text = said.Error()
			f.final = f.final && a.Actions.Download == nil
		}
	}
	return nil
}

// download stores an object. What the host does wrong is a hostError.
func download(
	ctx context.Context, st *db.Store, p tree.Project, from lfs.Host, o code.LFSPointer, by lfs.Action,
) error {
	refusal, err := code.RefuseLFS(ctx, st, p.ID, o.Size)
	if err != nil {
		return err
	}
	if refusal != "" {
		return hostError{errors.New("the project would exceed repository_size_limit")}
	}
	var stored error // of this server
	err = from.Download(ctx, by, func(content io.Reader) error {
		body := &watchedReader{from: content}
		stored = code.StoreLFSObject(ctx, st, p.ID, o.OID, o.Size, body)
		switch {
		case body.err != nil:
			stored = hostError{body.err}
		case errors.Is(stored, code.ErrLFSMismatch):
			stored = hostError{errors.New("the host sends other content than the commit names")}
		}
		return stored
	})
	if stored != nil || err == nil {
		return stored
	}
	return hostError{err}
}

// watchedReader keeps the error of what is read, to tell it from those of what takes it.
type watchedReader struct {
	from io.Reader
	err  error
}

// Read implements io.Reader.
func (w *watchedReader) Read(b []byte) (int, error) {
	n, err := w.from.Read(b)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}
