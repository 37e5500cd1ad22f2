package urlmask

import (
	"net/url"
	"strings"

	"hew/schema/pattern"
)

// A URL has secrets in four places: before the host, in the query, after a semicolon, and in the
// path, where chats have the tokens of their webhooks. Nothing in a path tells which part is
// secret. So a part counts as secret if it has a known form or looks random, and the rest of the
// path with it. A parameter counts as secret by its name, or if its value looks random.

var (
	// credentialsPattern matches the user, password or token before a host.
	credentialsPattern = pattern.Lazy(`([A-Za-z][A-Za-z0-9+.-]*://)[^/?#\s]*@`)
	// secretParameter matches a parameter with the name of a secret.
	secretParameter = pattern.Lazy(`(?i)([?&#;](?:key|sig|auth|pass|pwd|code|sid|session|` +
		`[^=&;\s]*(?:token|secret|passw|api_?key|access_?key|private_?key|signature|credential|sess_?id|session_?id)` +
		`[^=&;\s]*)=)[^&;\s]+`)
	// parameter matches a parameter of any name, or without a name.
	parameter = pattern.Lazy(`([?&#;](?:[^=&#;\s]*=)?)([^&#;\s]+)`)
	// knownSecretPath matches paths that end in a secret: Slack, Discord and Zapier, Telegram.
	knownSecretPath = pattern.Lazy(`/(?:services|workflows|triggers)/([ET][0-9A-Z]+/[0-9A-Z]+/\w)|` +
		`/(?:web)?hooks?/(?:catch/)?([0-9]{5,}/\w)|/(bot[0-9]+:\w)`)
	// secretPathPrefix matches parts of a path that a secret usually follows.
	secretPathPrefix = pattern.Lazy(
		`(?i)^((incoming|outgoing)?[_-]?(web)?hooks?(b2|-test)?|integrations?|tokens?|keys?|secrets?)$`)
	// hexPattern matches commits, checksums and the parts of UUIDs.
	hexPattern = pattern.Lazy(`^([0-9a-f]{7,}|[0-9A-F]{7,})$`)
)

// parameterStarts are the characters that parameters begin with.
const parameterStarts = "?&#;"

// HasSecret reports whether a text holds a URL with a secret. Every URL of a plan is asked, several
// times, so no pattern is tried on a text without the characters that it needs.
func HasSecret(s string) bool {
	if !strings.Contains(s, "://") {
		return false
	}
	if strings.Contains(s, "@") && credentialsPattern().MatchString(s) ||
		strings.ContainsAny(s, parameterStarts) && secretParameter().MatchString(s) {
		return true
	}
	for start, end := range urls(s) {
		address := s[start:end]
		if from, _ := findSecretPath(address); from >= 0 || redactParameters(address) != address {
			return true
		}
	}
	return false
}

// findSecretPath returns where the secret in the path of a URL begins, -1 if there is none, and
// where the path ends.
func findSecretPath(address string) (from, end int) {
	host := strings.Index(address, "://") + len("://")
	end = len(address)
	if i := strings.IndexAny(address[host:], "?#"); i >= 0 {
		end = host + i
	}
	at := strings.IndexByte(address[host:end], '/')
	if at < 0 {
		return -1, end
	}
	at += host
	if found := knownSecretPath().FindStringSubmatchIndex(address[at:end]); found != nil {
		return at + max(found[2], found[4], found[6]), end // two of the three are -1
	}
	next := false
	for part := range strings.SplitSeq(address[at+1:end], "/") {
		at++ // the slash
		// A part may have the form of a parameter: token=…
		if looksRandom(part, next) || strings.Contains(part, "=") && startsWithSecretParameter(";"+part) {
			return at, end
		}
		next = next || secretPathPrefix().MatchString(part)
		at += len(part)
	}
	return -1, end
}

func startsWithSecretParameter(s string) bool {
	at := secretParameter().FindStringIndex(s)
	return at != nil && at[0] == 0
}

// A text looks random if it has at least minRandom letters and digits (minExpectedRandom after a
// secretPathPrefix), and if more than one in charsPerChange of them has another class than the one
// before. After a secretPathPrefix, minUnbroken of them in a row with two changes are enough.
const (
	minRandom         = 20
	minExpectedRandom = 8
	charsPerChange    = 5
	minUnbroken       = 16
)

// looksRandom reports whether a part of a path looks like a generated token: letters alternate with
// digits, and lower with upper case, more often than in words, dates, versions and names of these.
// Hexadecimal numbers name commits and files, so they count only where a secret is expected (next).
func looksRandom(part string, next bool) bool {
	if plain, err := url.PathUnescape(part); err == nil {
		part = plain
	}
	least, letters, changes := minRandom, 0, 0
	if next {
		least = minExpectedRandom
	}
	for run := range strings.FieldsFuncSeq(part, func(r rune) bool { return classOf(r) == otherClass }) {
		n, number := countClassChanges(run), hexPattern().MatchString(run)
		if next && n > 0 && (number || n > 1 && len(run) >= minUnbroken) {
			return true
		}
		if !number {
			letters, changes = letters+len(run), changes+n
		}
	}
	return letters >= least && changes*charsPerChange > letters && strings.ContainsAny(part, "0123456789")
}

// countClassChanges counts changes between letters and digits, and from lower to upper case. The
// step from the capital of a word to its second letter does not count.
func countClassChanges(run string) (n int) {
	for i := 1; i < len(run); i++ {
		before, after := classOf(rune(run[i-1])), classOf(rune(run[i]))
		if before != after && !(before == upperClass && after == lowerClass) {
			n++
		}
	}
	return n
}

type class uint8

const (
	otherClass class = iota
	lowerClass
	upperClass
	digitClass
)

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return lowerClass
	case 'A' <= r && r <= 'Z':
		return upperClass
	case '0' <= r && r <= '9':
		return digitClass
	}
	return otherClass
}

// PublicPart returns the host of a URL, and its path up to a secret.
func PublicPart(address string) string {
	if from, _ := findSecretPath(address); from >= 0 {
		address = address[:from]
	}
	_, address, _ = strings.Cut(address, "://")
	if end := strings.IndexAny(address, "?#;"); end >= 0 {
		address = address[:end]
	}
	host, _, _ := strings.Cut(address, "/")
	return address[strings.LastIndex(host, "@")+1:]
}

// Redact returns a URL with … instead of its secrets, so that people can still tell it from
// others.
func Redact(address string) string {
	if from, end := findSecretPath(address); from >= 0 {
		address = address[:from] + "…" + address[end:]
	}
	return redactParameters(secretParameter().ReplaceAllString(credentialsPattern().ReplaceAllString(address, "${1}…@"),
		"${1}…"))
}

// RedactText returns a text with the URLs in it redacted.
func RedactText(text string) string {
	if !HasSecret(text) {
		return text
	}
	return replaceURLs(text, Redact)
}

// Conceal returns a text with … instead of the secrets of the URLs in it, and instead of all their
// parameters, because short secrets look like any other value.
func Conceal(text string) string {
	return replaceURLs(text, func(address string) string {
		return parameter().ReplaceAllString(Redact(address), "${1}…")
	})
}

// redactParameters returns a URL with … instead of parameters that look random.
func redactParameters(address string) string {
	if !strings.ContainsAny(address, parameterStarts) {
		return address
	}
	return parameter().ReplaceAllStringFunc(address, func(p string) string {
		if found := parameter().FindStringSubmatch(p); looksRandom(found[2], false) {
			return found[1] + "…"
		}
		return p
	})
}
