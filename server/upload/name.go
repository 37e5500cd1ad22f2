package upload

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// maxName is how long the name of a file may be, in bytes.
const maxName = 255

var unsafeName = regexp.MustCompile(`[^\pL\pN._-]+`)

// FileName returns the name of a file that needs no escaping in a link.
func FileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Trim(unsafeName.ReplaceAllString(name, "_"), ".")
	ext := path.Ext(name)
	if bare := strings.TrimSuffix(name, ext); len(name) > maxName && len(ext) < 20 {
		name = strings.ToValidUTF8(bare[:maxName-len(ext)], "") + ext
	}
	if name = strings.ToValidUTF8(name[:min(len(name), maxName)], ""); name == "" {
		return "file"
	}
	return name
}

// embedded are the extensions of files that a page shows instead of a link.
var embedded = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|bmp|tiff?|ico|webp|svg|mp4|m4v|mov|webm|ogv|mp3|oga|ogg|spx|wav)$`)

// Alt returns the text of a link to a file.
func Alt(name string) string {
	if embedded.MatchString(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// Markdown returns a link to a file, or what shows it where a page can.
func Markdown(name, url string) string {
	link := fmt.Sprintf("[%s](%s)", Alt(name), url)
	if embedded.MatchString(name) {
		return "!" + link
	}
	return link
}
