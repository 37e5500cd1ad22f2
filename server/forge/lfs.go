package forge

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/forge/hostapi"
	"hew/server/git/lfs"
	"hew/server/outbound"
)

const (
	// maxSmallFiles is how many files of the size of a pointer are looked at for pointers.
	maxSmallFiles = 1_000_000
	// lfsStep is how many objects of Git LFS one step brings.
	lfsStep = 20
)

// kindLFSObject are the objects of Git LFS. Their keys are the oids.
const kindLFSObject = "lfs_object"

// lfsStages are the stages that bring the objects of Git LFS which the repository refers to. A host
// without them is a failure of the import, which does not end it.
func lfsStages() []stage {
	off := func(r *run) bool { return !r.p.Settings.LFSEnabled }
	return []stage{
		{name: "lfs_pointers", do: findLFSObjects, skips: off},
		{name: "lfs_objects", do: bringLFSObjects, skips: off, lenient: true},
	}
}

// pointer is what a repository says of an object of Git LFS.
type pointer struct {
	Size int64 `json:"size"`
}

// findLFSObjects notes down which objects of Git LFS the files of the repository stand for.
func findLFSObjects(ctx context.Context, r *run) (s step, err error) {
	g, err := code.Open(ctx, r.st, r.p)
	if err != nil {
		return s, err
	}
	sizes, all, err := g.LFSPointers(ctx, maxSmallFiles)
	if err != nil {
		return s, err
	}
	if !all {
		s.fail(r, kindLFSObject, 0, fmt.Errorf("only %d small files were looked at for pointers", maxSmallFiles))
	}
	for oid, size := range sizes {
		if _, err := hex.DecodeString(oid); err == nil {
			s.documents = append(s.documents, document{Kind: kindLFSObject, Key: oid, Value: pointer{size}})
		}
	}
	return s, nil
}

// bringLFSObjects stores the next objects. The cursor is the oid of the last one.
func bringLFSObjects(ctx context.Context, r *run) (s step, err error) {
	list, err := r.nextOf(ctx, kindLFSObject, r.Cursor, lfsStep)
	if err != nil || len(list) == 0 {
		return s, err
	}
	oids := make([]string, len(list))
	for i, d := range list {
		oids[i] = d.Key
	}
	here, err := code.LFSObjects(ctx, r.st, r.ProjectID, oids)
	if err != nil {
		return s, err
	}
	wanted := map[string]lfs.Reference{}
	var references []lfs.Reference
	for _, d := range list {
		if _, ok := here[d.Key]; !ok { // an attempt that was killed has brought the others
			wanted[d.Key] = lfs.Reference{OID: d.Key, Size: decode[pointer](d).Size}
			references = append(references, wanted[d.Key])
		}
	}
	if len(references) > 0 {
		if err := r.bringLFS(ctx, &s, references, wanted); err != nil {
			return step{}, err
		}
	}
	s.stage, s.cursor = "lfs_objects", oids[len(oids)-1]
	return s, nil
}

// bringLFS asks the host for objects and stores them. What it cannot have is a failure of the step;
// an error is what the import waits for, or what ends the stage.
func (r *run) bringLFS(ctx context.Context, s *step, list []lfs.Reference, wanted map[string]lfs.Reference) error {
	address, err := r.source.withCredentials(r.source.CloneURL)
	if err != nil {
		return err
	}
	host, err := lfs.NewHost(r.Out, r.policy, address)
	if err != nil {
		return err
	}
	objects, err := hostapi.Retry(ctx, r.Pause, func() ([]lfs.Object, error) {
		objects, err := host.Batch(ctx, "download", list)
		return objects, r.lfsError(ctx, err)
	})
	if err != nil {
		return err
	}
	for _, o := range objects {
		reference, ok := wanted[o.OID]
		if !ok {
			continue
		}
		delete(wanted, o.OID)
		if err := r.storeLFS(ctx, host, reference, o); err != nil {
			var wait *hostapi.LimitError
			if errors.As(err, &wait) || errors.As(err, new(ownError)) || ctx.Err() != nil {
				return err
			}
			s.fail(r, kindLFSObject, 0, fmt.Errorf("%s: %w", reference.OID, err))
		}
	}
	for oid := range wanted {
		s.fail(r, kindLFSObject, 0, fmt.Errorf("%s: the host says nothing of the object", oid))
	}
	return nil
}

// storeLFS stores an object that the host has named an address for.
func (r *run) storeLFS(ctx context.Context, host lfs.Host, o lfs.Reference, said lfs.Object) error {
	switch {
	case said.Error != nil:
		return said.Error
	case said.Actions.Download == nil:
		return errors.New("the host names no address to download the object from")
	}
	if refused, err := code.RefuseLFS(ctx, r.st, r.ProjectID, o.Size); err != nil || refused != "" {
		if err == nil {
			err = errors.New("the setting repository_size_limit does not admit the object")
		}
		return err
	}
	_, err := hostapi.Retry(ctx, r.Pause, func() (none struct{}, err error) {
		return none, r.lfsError(ctx, host.Download(ctx, *said.Actions.Download, func(content io.Reader) error {
			return fromHost(content, func(content io.Reader) error {
				err := code.StoreLFSObject(ctx, r.st, r.ProjectID, o.OID, o.Size, content)
				if fault.CodeOf(err) == fault.CodeInvalid {
					err = &hostapi.StatusError{Message: "the content is not the one that its name says"}
				}
				return err
			})
		}))
	})
	return err
}

// lfsError returns an error of package lfs as one of package hostapi. A host that does not admit
// requests of Git LFS has no word on the token.
func (r *run) lfsError(ctx context.Context, err error) error {
	var status *lfs.StatusError
	var refused *hostapi.StatusError
	var blocked *outbound.RefusedError
	switch {
	case err == nil, ctx.Err() != nil, errors.As(err, &refused), errors.As(err, new(ownError)):
		return err
	case errors.As(err, &blocked):
		return &hostapi.StatusError{Message: blocked.Error()}
	case !errors.As(err, &status):
		return &hostapi.UnavailableError{Reason: err.Error()}
	case status.Status == 429:
		return &hostapi.LimitError{Until: hostapi.RetryAt(r.now(), status.Header)}
	case status.Status >= 500 && status.Status != 501:
		return &hostapi.UnavailableError{Reason: status.Error()}
	}
	return &hostapi.StatusError{Message: status.Error()}
}
