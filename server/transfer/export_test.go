package transfer

import (
	"context"
	"io"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// WriteArchive writes the archive of a project for an administrator.
func WriteArchive(ctx context.Context, st *db.Store, p tree.Project, dir string, out io.Writer) error {
	w := exportWriter{Store: st, project: p, by: tree.Standing{Admin: true}, dir: dir}
	return w.write(ctx, out, archive.Info{})
}

// Send sends a blob to a target.
func (x Exporter) Send(ctx context.Context, st *db.Store, ref blob.Ref, t ExportTarget) error {
	return x.send(ctx, st, Export{BlobID: &ref.ID}, t)
}

// ArchiveName is archiveName.
var ArchiveName = archiveName

// SendPauses are the times between the tries to send an archive.
var SendPauses = sendPauses
