package github

import (
	"net/url"
	"strings"

	"hew/schema/pattern"
)

var (
	webAddress = pattern.Lazy(`https?://[^\s<>()\[\]"'` + "`" + `\\]+`)
	// The paths of files that users attach to texts: with the number or the user that they are of,
	// below a repository, or in the store of an enterprise server.
	filePath = pattern.Lazy(`^/(?:user-attachments/(?:assets|files)/|[^/]+/[^/]+/(?:assets|files)/[0-9]+/|` +
		`storage/user/[0-9]+/files/)[^?#]+$`)
)

// mediaHosts are where the public host keeps pictures.
var mediaHosts = map[string]bool{
	"user-images.githubusercontent.com": true, "private-user-images.githubusercontent.com": true,
}

// Attachments returns the addresses of files in a text that users of a host have attached to it, in
// their order, each once. The host is that of the repository's pages.
func Attachments(text, host string) (list []string) {
	seen := map[string]bool{}
	for _, address := range webAddress().FindAllString(text, -1) {
		address = strings.TrimRight(address, ".,;:!?*_|")
		if !seen[address] && isAttachment(address, host) {
			seen[address] = true
			list = append(list, address)
		}
	}
	return list
}

func isAttachment(address, host string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	switch at := strings.ToLower(u.Host); {
	case at == strings.ToLower(host):
		return filePath().MatchString(u.Path)
	case at == "media."+strings.ToLower(host):
		return strings.HasPrefix(u.Path, "/user/")
	default:
		return strings.EqualFold(host, "github.com") && mediaHosts[at] && len(u.Path) > 1
	}
}
