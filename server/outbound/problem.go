package outbound

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// masked stands for a name or password in an address that is shown.
const masked = "*****"

// MaskCredentials returns an address as it may be shown: https://*****:*****@host/. The name is
// masked as well (gaps §12.4).
func MaskCredentials(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		return address
	}
	mask := masked
	if strings.Contains(rest[:at], ":") {
		mask += ":" + masked
	}
	return scheme + "://" + mask + rest[at:]
}

// Scrub returns a text without the credentials of an address, which another host may repeat as they
// are or encoded.
func Scrub(text, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return text
	}
	password, _ := u.User.Password()
	forms := strings.SplitN(u.User.String(), ":", 2)
	if name, _, ok := strings.Cut(address, "@"); ok { // as the user wrote them
		_, name, _ = strings.Cut(name, "://")
		forms = append(forms, strings.SplitN(name, ":", 2)...)
	}
	for _, secret := range []string{password, u.User.Username()} {
		forms = append(forms, secret, url.QueryEscape(secret), url.PathEscape(secret))
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) }) // a part of one must not hide it
	for _, secret := range forms {
		if len(secret) >= 3 {
			text = strings.ReplaceAll(text, secret, masked)
		}
	}
	return text
}

// FirstLine returns the first line of a text of another host, with printable characters only and at
// most so many of them.
func FirstLine(text string, most int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), "\n")
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// FindProblem returns why the policy does not admit the address of a repository, in the words of
// the public service; "" if it does.
func (p Policy) FindProblem(ports Ports, address string) string {
	scheme, _, _ := strings.Cut(address, "://")
	shown := MaskCredentials(address)
	switch {
	case strings.ContainsAny(address, "\r\n"):
		return "is blocked: URI is invalid, it has line breaks"
	case ports[strings.ToLower(scheme)] == "":
		return "is blocked: Only allowed schemes are " + ports.schemes()
	case strings.Contains(shown, masked) && shown == address: // as answers show it
		return "is blocked: " + masked + " stands for credentials, and is none"
	case p.AdmitsBy(ports, address):
		return ""
	case (Policy{Local: true}).AdmitsBy(ports, address):
		return "is blocked: Requests to the local network are not allowed"
	}
	return "is blocked: URI is invalid"
}

// schemes returns the schemes for a message.
func (p Ports) schemes() string {
	var names []string
	for _, name := range []string{"ssh", "git", "http", "https"} {
		if p[name] != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
