// Package upload keeps the files that texts of a group or project link to (more-2 §8.3), and has
// the names and links of such files.
//
// An upload is found by its secret and its name, and read by all who may see the group or project.
// Its content is a blob, which the sweep removes once no upload has it.
package upload

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"time"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/tree"
)

// Upload is a file of a group or project.
type Upload struct {
	ID int64 `db:"id,auto"`
	db.Container
	Secret     string       `db:"secret"` // 32 hexadecimal digits
	Name       string       `db:"name"`
	Type       string       `db:"type"` // of a picture that browsers show; empty: the file is only saved
	Size       int64        `db:"size"` // bytes
	BlobID     int64        `db:"blob_id"`
	UploaderID *int64       `db:"uploader_id"`
	Uploader   *tree.Person `db:"uploader,auto"`
	CreatedAt  time.Time    `db:"created_at,auto"`
	UpdatedAt  time.Time    `db:"updated_at,auto"`
}

// Uploads returns the uploads of a group or project.
func Uploads(st *db.Store, c db.Container) db.Held[Upload] {
	held := db.NewHeld[Upload](st, c, "uploads")
	held.What = "Upload"
	held.Select = `select t.*, ` + tree.PersonColumn("t.uploader_id") + ` as uploader from uploads t`
	return held
}

// BySecret returns the condition of the upload with a secret and a name.
func BySecret(secret, name string) db.Condition {
	return func(w *db.Where) {
		w.And(`t.secret = @secret`, secret)
		w.And(`t.name = @name`, name)
	}
}

// NewSecret returns the secret of an upload, which nobody can guess.
func NewSecret() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// File is a file as a client sends it.
type File struct {
	Name    string // as the client calls it
	Content io.Reader
}

// head is the beginning of a file, which decides the type of a picture.
type head []byte

// Write implements io.Writer: it keeps the first bytes.
func (h *head) Write(p []byte) (int, error) {
	*h = append(*h, p[:min(len(p), max(0, 16-len(*h)))]...)
	return len(p), nil
}

// RaiseLimit is what to do about a file that is too large.
const RaiseLimit = "send a smaller file, or have an administrator raise the setting max_attachment_size"

// Create stores a file, which the user with the id has sent, as an upload of a group or project.
// More bytes than the setting max_attachment_size allows are a too-large fault. The type is taken
// from the content. The store must be bound to the pool, as for blob.Put.
func Create(ctx context.Context, st *db.Store, c db.Container, f File, uploaderID int64) (u Upload, err error) {
	limit, err := Limit(ctx, st)
	if err != nil {
		return u, err
	}
	var start head
	ref, err := blob.Put(ctx, st, io.TeeReader(f.Content, &start), limit)
	if err != nil {
		if fault.CodeOf(err) == fault.CodeTooLarge {
			err = fault.BodyTooLarge(limit, RaiseLimit)
		}
		return u, err
	}
	u = Upload{
		Container: c, Secret: NewSecret(), Name: FileName(f.Name), Type: tree.AvatarType(start), Size: ref.Size,
		BlobID: ref.ID, UploaderID: &uploaderID,
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := st.Locked(ctx); err != nil {
			return err
		}
		u, err = Uploads(st, c).Create(ctx, u)
		return err
	})
	return u, err
}

// Limit returns how many bytes an upload may have.
func Limit(ctx context.Context, st *db.Store) (int64, error) {
	settings, err := setting.Read(ctx, st)
	return int64(settings.MaxAttachmentSize) << 20, err
}

// Restore stores a file of an import with the secret that it had, so that links to it keep working.
// One that is there stays. The store must be bound to the pool.
func Restore(ctx context.Context, st *db.Store, c db.Container, secret string, f File, uploaderID int64) error {
	var head head
	ref, err := blob.Put(ctx, st, io.TeeReader(f.Content, &head), blob.NoLimit)
	if err != nil {
		return err
	}
	held := Uploads(st, c)
	n, err := held.Count(ctx, BySecret(secret, FileName(f.Name)))
	if err != nil || n > 0 {
		return err
	}
	_, err = held.Create(ctx, Upload{
		Container: c, Secret: secret, Name: FileName(f.Name), Type: tree.AvatarType(head), Size: ref.Size,
		BlobID: ref.ID, UploaderID: &uploaderID,
	})
	return err
}
