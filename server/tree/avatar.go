package tree

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// MaxAvatar is how large the picture of a group or project may be, in bytes (gaps §4.1).
const MaxAvatar = 200 << 10

// SetAvatar gives a group or project a picture, and returns the path that it is to be had at. What
// kind of picture it is says its content, whatever the file is called.
func SetAvatar(ctx context.Context, st *db.Store, c db.Container, file string, content []byte) (string, error) {
	kind := AvatarType(content)
	switch {
	case len(content) > MaxAvatar:
		return "", fault.Invalid("avatar", "is too big (should be at most 200 KiB)")
	case kind == "":
		return "", fault.Invalid("avatar", Unsupported(AvatarKinds()))
	}
	a := Avatar{Container: c, Name: FileName(file), Type: kind, Content: content}
	at := fmt.Sprintf("uploads/-/system/%s/avatar/%d/%s", c.Kind(), c.ID(), a.Name)
	return at, PutAvatar(ctx, st, a, at)
}

// avatarTypes are how files begin, by what they are. None of them can hold a script.
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

func AvatarKinds() (kinds []string) {
	for _, p := range avatarTypes {
		kinds = append(kinds, p.kind)
	}
	return kinds
}

func Unsupported(kinds []string) string {
	return "file format is not supported. Please try one of the following supported formats: " + strings.Join(
		kinds, ", ",
	)
}

// AvatarType is what kind of picture a file is, by how it begins; empty for none.
func AvatarType(content []byte) string {
	// Byte by byte: a regexp reads UTF-8, and a picture is none.
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

// FileName makes the name of an uploaded file one that fits into an address.
func FileName(name string) string {
	name = unusual.ReplaceAllString(path.Base(strings.ReplaceAll(name, `\`, "/")), "_")
	if name = strings.TrimLeft(name, "."); name == "" {
		return "avatar"
	}
	return name[max(0, len(name)-100):]
}

// Avatar is the picture of a group or project. Where it is to be had is in the row of that.
type Avatar struct {
	ID int64 `db:"id,auto"`
	db.Container
	Name      string    `db:"name"` // of the file
	Type      string    `db:"type"` // image/png
	Content   []byte    `db:"content"`
	CreatedAt time.Time `db:"created_at,auto"`
}

// FindAvatar is the picture of a group or project.
func FindAvatar(ctx context.Context, s *db.Store, c db.Container) (Avatar, error) {
	w := db.NewWhere(nil)
	c.Within(w, "a")
	return db.One[Avatar](ctx, s, "Avatar", `select a.* from avatars a`+w.String(), w.Args)
}

// PutAvatar gives a group or project a picture, in place of the one that it has, and says where it
// is to be had.
func PutAvatar(ctx context.Context, s *db.Store, a Avatar, path string) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := point(ctx, s, a.Container, &path); err != nil { // first: it locks the row that others wait for
			return err
		}
		if err := dropAvatar(ctx, s, a.Container); err != nil {
			return err
		}
		_, err := s.Insert(ctx, "avatars", a)
		return err
	})
}

// RemoveAvatar takes the picture of a group or project away, if it has one.
func RemoveAvatar(ctx context.Context, s *db.Store, c db.Container) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := point(ctx, s, c, nil); err != nil {
			return err
		}
		return dropAvatar(ctx, s, c)
	})
}

func dropAvatar(ctx context.Context, s *db.Store, c db.Container) error {
	w := db.NewWhere(nil)
	c.Within(w, "a")
	return s.Exec(ctx, `delete from avatars a`+w.String(), w.Args)
}

// point says in the row of a group or project where its picture is to be had; nil: it has none.
func point(ctx context.Context, s *db.Store, c db.Container, path *string) error {
	table := map[string]string{"group": "namespaces", "project": "projects"}[c.Kind()]
	return s.Exec(ctx, `update `+table+` set avatar = @path, updated_at = now() where id = @id`,
		pgx.NamedArgs{"id": c.ID(), "path": path})
}
