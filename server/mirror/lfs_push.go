package mirror

import (
	"context"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/lfs"
	"hew/server/outbound"
	"hew/server/tree"
)

// pushLFS sends the large files of a project that the mirror lacks. Its errors do not end the push
// (transfer §5): many hosts have no git-lfs.
func (c courier) pushLFS(
	ctx context.Context, st *db.Store, p tree.Project, address string, policy outbound.Policy,
) error {
	if !p.Settings.LFSEnabled {
		return nil
	}
	to, err := lfs.NewHost(c.out, policy, address)
	if err != nil {
		return err
	}
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
		return err
	}
	for _, asked := range answer {
		o, ours := byOID[asked.OID]
		if !ours || asked.Actions.Upload == nil {
			continue
		}
		if err := upload(ctx, st, to, o, *asked.Actions.Upload); err != nil {
			return err
		}
		if v := asked.Actions.Verify; v != nil {
			if err := to.Verify(ctx, *v, asked.Reference); err != nil {
				return err
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
	return to.Upload(ctx, by, content, o.Size)
}
