package tree

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
)

// MaxAvatar is the maximum size of an avatar, in bytes (gaps §4.1, more-2 §8.3).
const MaxAvatar = 200 << 10

// avatarTypes maps types of pictures to the bytes that such files begin with. None of them can hold
// a script.
var avatarTypes = []struct {
	kind  string
	magic *regexp.Regexp
}{
	{"image/png", regexp.MustCompile(`^\x89PNG\r\n\x1a\n`)},
	{"image/jpeg", regexp.MustCompile(`^\xff\xd8\xff`)},
	{"image/gif", regexp.MustCompile(`^GIF8[79]a`)},
	{"image/webp", regexp.MustCompile(`(?s)^RIFF.{4}WEBP`)},
	{"image/bmp", regexp.MustCompile(`^BM`)},
	{"image/tiff", regexp.MustCompile(`^(II\*\x00|MM\x00\*)`)},
	{"image/vnd.microsoft.icon", regexp.MustCompile(`^\x00\x00\x01\x00`)},
}

// AvatarKinds returns the sorted types of pictures that avatars may have.
func AvatarKinds() (kinds []string) {
	for _, p := range avatarTypes {
		kinds = append(kinds, p.kind)
	}
	return kinds
}

// Unsupported returns the message for a picture that has none of these types.
func Unsupported(kinds []string) string {
	return "file format is not supported. Please try one of the following supported formats: " + strings.Join(
		kinds, ", ",
	)
}

// AvatarType returns the type of a picture by its first bytes, "" for one that avatars cannot have.
func AvatarType(content []byte) string {
	// Byte by byte: a regexp reads UTF-8, which a picture is not.
	head := make([]rune, 0, 12)
	for _, b := range content[:min(len(content), cap(head))] {
		head = append(head, rune(b))
	}
	for _, p := range avatarTypes {
		if p.magic.MatchString(string(head)) {
			return p.kind
		}
	}
	return ""
}

var unusual = regexp.MustCompile(`[^a-zA-Z0-9.+_-]`)

// FileName returns the name of an uploaded file with all characters replaced that URLs cannot have.
func FileName(name string) string {
	name = unusual.ReplaceAllString(path.Base(strings.ReplaceAll(name, `\`, "/")), "_")
	if name = strings.TrimLeft(name, "."); name == "" {
		return "avatar"
	}
	return name[max(0, len(name)-100):]
}

// Pictured is what can have an avatar.
type Pictured struct {
	kind PicturedKind
	id   int64
}

// PicturedKind is a segment in the addresses of avatars.
type PicturedKind string

// The kinds of what can have an avatar.
const (
	PicturedGroup   PicturedKind = "group"
	PicturedProject PicturedKind = "project"
	PicturedUser    PicturedKind = "user"
	PicturedTopic   PicturedKind = "projects/topic"
)

// picturedRows are the tables of what can have an avatar, and the columns that name their rows.
var picturedRows = map[PicturedKind]struct{ table, column string }{
	PicturedGroup: {"namespaces", "namespace_id"}, PicturedProject: {"projects", "project_id"},
	PicturedUser: {"users", "user_id"}, PicturedTopic: {"topics", "topic_id"},
}

// NewPictured returns what has the id, of a kind.
func NewPictured(kind PicturedKind, id int64) Pictured { return Pictured{kind, id} }

// PicturedBy returns a group or project as what can have an avatar.
func PicturedBy(c db.Container) Pictured { return Pictured{PicturedKind(c.Kind()), c.ID()} }

// Picture is the content of an avatar, which is kept as a blob.
type Picture struct {
	Name   string `db:"name"` // of the file
	Type   string `db:"type"` // image/png
	BlobID int64  `db:"blob_id"`
}

// NewPicture stores the picture for an avatar, and returns a fault about one that is too large or
// of a type that avatars cannot have. The type is taken from the content, not from the name of the
// file. The store must be bound to the pool, as for blob.Put.
func NewPicture(ctx context.Context, st *db.Store, file string, content []byte) (p Picture, err error) {
	p.Name, p.Type = FileName(file), AvatarType(content)
	switch {
	case len(content) > MaxAvatar:
		return p, fault.Invalid("avatar", "is too big (should be at most 200 KiB)")
	case p.Type == "":
		return p, fault.Invalid("avatar", Unsupported(AvatarKinds()))
	}
	ref, err := blob.Put(ctx, st, bytes.NewReader(content), MaxAvatar)
	p.BlobID = ref.ID
	return p, err
}

// Avatar is the picture of something, whose row has the path to download it from.
type Avatar struct {
	Picture
	CreatedAt time.Time `db:"created_at"`
}

// FindAvatar returns the avatar of something, or a not-found fault.
func FindAvatar(ctx context.Context, s *db.Store, of Pictured) (Avatar, error) {
	return db.One[Avatar](ctx, s, "Avatar", `select a.name, a.type, a.blob_id, a.created_at from avatars a
		where a.`+picturedRows[of.kind].column+` = @id`, pgx.NamedArgs{"id": of.id})
}

// SetAvatar gives something a picture in place of the one it has, and returns the path to download
// it from.
func SetAvatar(ctx context.Context, s *db.Store, of Pictured, p Picture) (path string, err error) {
	path = fmt.Sprintf("uploads/-/system/%s/avatar/%d/%s", of.kind, of.id, p.Name)
	column := picturedRows[of.kind].column
	return path, s.Tx(ctx, func(s *db.Store) error {
		// first: it locks the row that others wait for
		if err := setAvatarPath(ctx, s, of, &path); err != nil {
			return err
		}
		return s.Exec(ctx, `
			insert into avatars (`+column+`, name, type, blob_id) values (@id, @name, @type, @blob)
			on conflict (`+column+`) do update set (name, type, blob_id, created_at) =
			    row(excluded.name, excluded.type, excluded.blob_id, now())`,
			pgx.NamedArgs{"id": of.id, "name": p.Name, "type": p.Type, "blob": p.BlobID})
	})
}

// RemoveAvatar deletes the avatar of something, if there is one.
func RemoveAvatar(ctx context.Context, s *db.Store, of Pictured) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := setAvatarPath(ctx, s, of, nil); err != nil {
			return err
		}
		return s.Exec(ctx, `delete from avatars where `+picturedRows[of.kind].column+` = @id`,
			pgx.NamedArgs{"id": of.id})
	})
}

// setAvatarPath writes the path of the avatar to the row of what has it, nil for none.
func setAvatarPath(ctx context.Context, s *db.Store, of Pictured, path *string) error {
	return s.Exec(ctx, `update `+picturedRows[of.kind].table+` set avatar = @path, updated_at = now() where id = @id`,
		pgx.NamedArgs{"id": of.id, "path": path})
}
