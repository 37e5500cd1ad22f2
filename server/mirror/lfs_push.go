package mirror

import (
	"context"
	"errors"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/lfs"
	"hew/server/outbound"
	"hew/server/tree"
)

// pushLFS sends the large files of a project that the mirror lacks. What its host does wrong is in
// the note and does not end the push (transfer §5); a host without git-lfs does nothing wrong.
func (c courier) pushLFS(
	ctx context.Context, st *db.Store, p tree.Project, address string, policy outbound.Policy,
) (note string, err error) {
	if !p.Settings.LFSEnabled {
		return "", nil
	}
	to, err := lfs.NewHost(c.out, policy, address)
	if err != nil {
		return "", err
	}
	err = offerAll(ctx, st, p, to)
	var ended hostError
	switch {
	case err == nil || ctx.Err() != nil || !errors.As(err, &ended):
		return "", err
	case ended.lacksLFS():
		return "", nil
	}
	return "The files of Git LFS have not been updated: " + ended.Error(), nil
}

// offerAll offers all large files of a project.
func offerAll(ctx context.Context, st *db.Store, p tree.Project, to lfs.Host) error {
	for after := int64(0); ; {
		list, err := code.ListLFSObjects(ctx, st, p.ID, after, lfs.BatchSize)
		if err != nil || len(list) == 0 {
			return err
		}
		after = list[len(list)-1].BlobID
		if err := offer(ctx, st, to, list); err != nil {
			return err
		}
	}
}

// offer sends those of some objects that the other side asks for.
func offer(ctx context.Context, st *db.Store, to lfs.Host, list []code.LFSObject) error {
	references := make([]lfs.Reference, len(list))
	byOID := map[string]code.LFSObject{}
	for i, o := range list {
		references[i] = lfs.Reference{OID: o.OID(), Size: o.Size}
		byOID[o.OID()] = o
	}
	answer, err := to.Batch(ctx, "upload", references)
	if err != nil {
		return hostError{err}
	}
	for _, asked := range answer {
		o, ours := byOID[asked.OID]
		switch {
		case ours && asked.Error != nil:
			return hostError{asked.Error}
		case !ours || asked.Actions.Upload == nil:
			continue
		}
		if err := upload(ctx, st, to, o, *asked.Actions.Upload); err != nil {
			return err
		}
		if v := asked.Actions.Verify; v != nil {
			if err := to.Verify(ctx, *v, asked.Reference); err != nil {
				return hostError{err}
			}
		}
	}
	return nil
}

// upload sends the content of an object.
func upload(ctx context.Context, st *db.Store, to lfs.Host, o code.LFSObject, by lfs.Action) error {
	content, err := code.OpenLFSObject(ctx, st, o)
	if err != nil {
		return err
	}
	defer content.Close()
	watched := &watchedReader{from: content}
	err = to.Upload(ctx, by, watched, o.Size)
	switch {
	case watched.err != nil:
		return watched.err
	case err != nil:
		return hostError{err}
	}
	return nil
}
