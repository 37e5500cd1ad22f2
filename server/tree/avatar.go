package tree

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"hew/server/db"
	"hew/server/fault"
)

// MaxAvatar is how large the picture of a group or project may be, in bytes (gaps §4.1).
const MaxAvatar = 200 << 10

// SetAvatar gives a group or project a picture, and returns the path that it is to be had at. What kind of picture it is
// says its content, whatever the file is called.
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
	return "file format is not supported. Please try one of the following supported formats: " + strings.Join(kinds, ", ")
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
