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

// MaxAvatar is the maximum size of the avatar of a group or project, in bytes (gaps §4.1).
const MaxAvatar = 200 << 10

// SetAvatar stores the avatar of a group or project and returns the path to download it from. The
// type of the picture is taken from its content, not from the name of the file.
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

// Avatar is the picture of a group or project, whose row has the path to download it from.
type Avatar struct {
	ID int64 `db:"id,auto"`
	db.Container
	Name      string    `db:"name"` // of the file
	Type      string    `db:"type"` // image/png
	Content   []byte    `db:"content"`
	CreatedAt time.Time `db:"created_at,auto"`
}

// FindAvatar returns the avatar of a group or project, or a not-found fault.
func FindAvatar(ctx context.Context, s *db.Store, c db.Container) (Avatar, error) {
	w := db.NewWhere(nil)
	c.Within(w, "a")
	return db.One[Avatar](ctx, s, "Avatar", `select a.* from avatars a`+w.String(), w.Args)
}

// PutAvatar stores or replaces the avatar of a group or project and writes the path to its row.
func PutAvatar(ctx context.Context, s *db.Store, a Avatar, path string) error {
	return s.Tx(ctx, func(s *db.Store) error {
		// first: it locks the row that others wait for
		if err := setAvatarPath(ctx, s, a.Container, &path); err != nil {
			return err
		}
		if err := dropAvatar(ctx, s, a.Container); err != nil {
			return err
		}
		_, err := s.Insert(ctx, "avatars", a)
		return err
	})
}

// RemoveAvatar deletes the avatar of a group or project, if there is one.
func RemoveAvatar(ctx context.Context, s *db.Store, c db.Container) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := setAvatarPath(ctx, s, c, nil); err != nil {
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

// setAvatarPath writes the path of the avatar to the row of a group or project, nil for none.
func setAvatarPath(ctx context.Context, s *db.Store, c db.Container, path *string) error {
	table := map[string]string{"group": "namespaces", "project": "projects"}[c.Kind()]
	return s.Exec(ctx, `update `+table+` set avatar = @path, updated_at = now() where id = @id`,
		pgx.NamedArgs{"id": c.ID(), "path": path})
}
