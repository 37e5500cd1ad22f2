package pull

import (
	"net/url"
	"regexp"
	"strings"
)

// Addresses have secrets in four places: before the host, in parameters, after a
// semicolon, and in the path, where chats have those of their incoming webhooks.
// Nothing in a path says which part of it is secret. It is one that has a shape which
// is known, or that looks as if nobody had made it up (random); the rest of the path
// goes along with it. A parameter is secret by its name, or as a part of a path is.

var (
	// addressed is an address, to the next space.
	addressed = regexp.MustCompile(`[A-Za-z0-9+.-]*://\S*`)
	// signedIn is an address with a password in it, or with a token for a user.
	signedIn = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^/?#\s]*@`)
	// secretWord is an address with a parameter whose name says that it is secret.
	secretWord = regexp.MustCompile(`(?i)([?&#;](?:key|sig|auth|pass|pwd|code|sid|session|` +
		`[^=&;\s]*(?:token|secret|passw|api_?key|access_?key|private_?key|signature|credential|sess_?id|session_?id)[^=&;\s]*)=)[^&;\s]+`)
	// parameter is one of any name, or without one.
	parameter = regexp.MustCompile(`([?&#;](?:[^=&#;\s]*=)?)([^&#;\s]+)`)
	// wellKnown are paths that end in a secret, whatever it looks like: of Slack, of
	// Discord and Zapier, of Telegram.
	wellKnown = regexp.MustCompile(`/(?:services|workflows|triggers)/([ET][0-9A-Z]+/[0-9A-Z]+/\w)|` +
		`/(?:web)?hooks?/(?:catch/)?([0-9]{5,}/\w)|/(bot[0-9]+:\w)`)
	// secretNext are the parts of a path that say that a secret comes next.
	secretNext = regexp.MustCompile(`(?i)^((incoming|outgoing)?[_-]?(web)?hooks?(b2|-test)?|integrations?|tokens?|keys?|secrets?)$`)
	// hexadecimal is what commits, checksums and UUIDs are made of.
	hexadecimal = regexp.MustCompile(`^([0-9a-f]{7,}|[0-9A-F]{7,})$`)
)

// secretText tells whether a text has something in it that is not to be in a
// file.
func secretText(s string) bool {
	if !strings.Contains(s, "://") {
		return false
	}
	if signedIn.MatchString(s) || secretWord.MatchString(s) {
		return true
	}
	for _, address := range addressed.FindAllString(s, -1) {
		if from, _ := secretPath(address); from >= 0 || withoutRandom(address) != address {
			return true
		}
	}
	return false
}

// secretPath is where in an address the secret in its path begins, and where the
// path ends; from is -1 if there is none.
func secretPath(address string) (from, end int) {
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
	if found := wellKnown.FindStringSubmatchIndex(address[at:end]); found != nil {
		return at + max(found[2], found[4], found[6]), end // -1 but for one of them
	}
	next := false
	for part := range strings.SplitSeq(address[at+1:end], "/") {
		at++ // the slash
		// A part may be a parameter itself: token=…
		named := secretWord.FindStringIndex(";" + part)
		if random(part, next) || named != nil && named[0] == 0 {
			return at, end
		}
		next = next || secretNext.MatchString(part)
		at += len(part)
	}
	return -1, end
}

// What is random has as many letters and digits as this, and fewer of them where a
// secret is to be expected, of which more than every fifth is of another class than
// the one before. Where one is to be expected, that many without anything between
// them are enough, if they are no word with a number.
const (
	randomLetters = 20
	secretLetters = 8
	mixed         = 5
	unbroken      = 16
)

// random tells whether a part of a path looks as if a machine had made it up to be
// guessed by nobody: letters change with digits, and small ones with capitals, more
// often than in words, dates, versions and names made of these. Hexadecimal numbers
// are the names of commits, files and other things that are no secret, but where one
// is to be expected (next).
func random(part string, next bool) bool {
	if plain, err := url.PathUnescape(part); err == nil {
		part = plain
	}
	least, letters, changes := randomLetters, 0, 0
	if next {
		least = secretLetters
	}
	for run := range strings.FieldsFuncSeq(part, func(r rune) bool { return classOf(r) == other }) {
		n, number := changesIn(run), hexadecimal.MatchString(run)
		if next && n > 0 && (number || n > 1 && len(run) >= unbroken) {
			return true
		}
		if !number {
			letters, changes = letters+len(run), changes+n
		}
	}
	return letters >= least && changes*mixed > letters && strings.ContainsAny(part, "0123456789")
}

// changesIn counts where a letter follows a digit, a digit a letter, or a capital a
// small letter. A word with a capital has no change at its beginning.
func changesIn(run string) (n int) {
	for i := 1; i < len(run); i++ {
		before, after := classOf(rune(run[i-1])), classOf(rune(run[i]))
		if before != after && !(before == capital && after == small) {
			n++
		}
	}
	return n
}

type class uint8

const (
	other class = iota
	small
	capital
	digit
)

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return small
	case 'A' <= r && r <= 'Z':
		return capital
	case '0' <= r && r <= '9':
		return digit
	}
	return other
}

// public is what everybody may see of an address: its host, and its path as far as
// that is no secret.
func public(address string) string {
	if from, _ := secretPath(address); from >= 0 {
		address = address[:from]
	}
	_, address, _ = strings.Cut(address, "://")
	if end := strings.IndexAny(address, "?#;"); end >= 0 {
		address = address[:end]
	}
	host, _, _ := strings.Cut(address, "/")
	return address[strings.LastIndex(host, "@")+1:]
}

// blurred is an address with … in the place of what is secret in it, by which people
// tell it from others.
func blurred(address string) string {
	if from, end := secretPath(address); from >= 0 {
		address = address[:from] + "…" + address[end:]
	}
	return withoutRandom(secretWord.ReplaceAllString(signedIn.ReplaceAllString(address, "${1}…@"), "${1}…"))
}

// withoutRandom is an address with … in the place of parameters that look as if a
// machine had made them up.
func withoutRandom(address string) string {
	return parameter.ReplaceAllStringFunc(address, func(p string) string {
		if found := parameter.FindStringSubmatch(p); random(found[2], false) {
			return found[1] + "…"
		}
		return p
	})
}
