package mirror

import (
	"context"
	"io"

	"hew/server/code"
	"hew/server/db"
	"hew/server/outbound"
	"hew/server/tree"
)

// pushLFS sends the large files of a project that the mirror lacks. Its errors do not end the push
// (transfer §5): many hosts have no git-lfs.
func (c courier) pushLFS(
	ctx context.Context, st *db.Store, p tree.Project, address string, policy outbound.Policy,
) error {
	to, err := c.lfsHostOf(address, policy)
	if err != nil || !p.Settings.LFSEnabled {
		return err
	}
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
func (h lfsHost) offer(ctx context.Context, st *db.Store, list []code.LFSObject) error {
	var objects []code.LFSPointer
	byOID := map[string]code.LFSObject{}
	for _, o := range list {
		objects = append(objects, code.LFSPointer{OID: o.OID(), Size: o.Size})
		byOID[o.OID()] = o
	}
	answers, err := h.batch(ctx, "upload", objects)
	if err != nil {
		return err
	}
	for _, asked := range answers {
		o, ours := byOID[asked.OID]
		if !ours || asked.Actions.Upload == nil {
			continue
		}
		if err := h.upload(ctx, st, o, *asked.Actions.Upload); err != nil {
			return err
		}
		if v := asked.Actions.Verify; v != nil {
			if err := h.send(ctx, v.Href, v.Header, asked.LFSPointer, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// upload sends the content of an object.
func (h lfsHost) upload(ctx context.Context, st *db.Store, o code.LFSObject, to lfsAction) error {
	content, err := code.OpenLFSObject(ctx, st, o)
	if err != nil {
		return err
	}
	defer content.Close()
	answer, err := h.do(ctx, outbound.Request{Method: "PUT", Content: content, Length: o.Size, Header: []outbound.Field{
		{Name: "Content-Type", Value: "application/octet-stream"},
	}}, to)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxLFSAnswer))
	return nil
}
