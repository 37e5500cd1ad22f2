package markdown

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a name or a reference in a passage.
type token struct {
	start, end int
	mention    string // the name after an at sign; otherwise reference counts
	reference  Reference
}

// kinds of references by their marks.
var kinds = map[byte]Kind{'#': Issue, '!': MergeRequest, '&': Epic}

var (
	// path is the longest path at the beginning of a text.
	path = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_.][A-Za-z0-9_.-]*)*`)
	sha  = regexp.MustCompile(`^[0-9A-Fa-f]{7,40}$`)
)

// scan returns the tokens of a text. It reads each byte a few times at most, which one regular
// expression for all tokens would not.
func scan(text string) (found []token) {
	for at := 0; at < len(text); {
		t, next := scanAt(text, at)
		if t.end > 0 {
			found = append(found, t)
		}
		at = next
	}
	return found
}

// scanAt returns the token whose word begins at a byte, if there is one (its end is not zero then),
// and where to go on.
func scanAt(text string, at int) (t token, next int) {
	end := wordEnd(text, at)
	word, before := text[at:end], lastRune(text[:at])
	if strings.HasPrefix(text[end:], "://") {
		return scanURL(text, at, end)
	}
	if end == len(text) {
		return scanSHA(text, at, end)
	}
	if kind, marks := kinds[text[end]]; marks {
		if n, numberEnd := number(text, end+1); n > 0 {
			place, valid := pathBefore(word, before)
			if !valid {
				return token{}, numberEnd
			}
			return token{at, numberEnd, "", Reference{Kind: kind, Path: place, Number: n}}, numberEnd
		}
		if t, _ := scanSHA(text, at, end); t.end > 0 {
			return t, end
		}
		return token{}, end + 1
	}
	if text[end] == '@' {
		return scanAtSign(text, at, end)
	}
	if word == "" {
		return token{}, end + 1
	}
	return scanSHA(text, at, end)
}

// maxURL is the length of the longest URL that is a reference, in bytes.
const maxURL = 300

// scanURL reads a URL whose scheme ends at a byte.
func scanURL(text string, at, schemeEnd int) (token, int) {
	start := max(schemeEnd-len("https"), at)
	if !strings.EqualFold(text[start:schemeEnd], "https") {
		start = max(schemeEnd-len("http"), at)
	}
	end := len(text)
	if i := strings.IndexAny(text[schemeEnd:], " \t\n\r\x00<>\""); i >= 0 {
		end = schemeEnd + i
	}
	found := strings.TrimRight(text[start:end], "?!.,:;)'*_")
	if !webAddress.MatchString(found) || len(found) > maxURL {
		return token{}, end
	}
	return token{start, start + len(found), "", Reference{Kind: URL, URL: found}}, end
}

// scanAtSign reads what is around an at sign: a mention, a commit of a project, or an address.
func scanAtSign(text string, at, sign int) (token, int) {
	word, end := text[at:sign], wordEnd(text, sign+1)
	if isWord(lastRune(text[:sign])) {
		place, valid := pathBefore(word, lastRune(text[:at]))
		if hex := text[sign+1 : end]; valid && sha.MatchString(hex) && !isWord(firstRune(text[end:])) {
			return token{at, end, "", Reference{Kind: Commit, Path: place, SHA: strings.ToLower(hex)}}, end
		}
		return token{}, end
	}
	name := strings.TrimRight(path.FindString(text[sign+1:end]), ".")
	nameEnd := sign + 1 + len(name)
	before, after := lastRune(text[:sign]), firstRune(text[nameEnd:])
	if name == "" || before == '\\' || before == '@' || after == '@' || isWord(after) {
		return token{}, end
	}
	return token{sign, nameEnd, name, Reference{}}, end
}

// scanSHA reads a word that is the name of a commit. A full stop may follow.
func scanSHA(text string, at, end int) (token, int) {
	word := strings.TrimRight(text[at:end], ".")
	before, after := lastRune(text[:at]), firstRune(text[at+len(word):])
	if !sha.MatchString(word) || isWord(before) || strings.ContainsRune(`\#!&@%=`, before) || isWord(after) {
		return token{}, max(end, at+1)
	}
	return token{at, at + len(word), "", Reference{Kind: Commit, SHA: strings.ToLower(word)}}, end
}

// pathBefore returns the path that a word before a mark is; valid is false if the mark cannot begin
// a reference after this word, which follows a rune.
func pathBefore(word string, before rune) (found string, valid bool) {
	if isWord(before) || strings.ContainsRune(`\#!&@%$`, before) {
		return "", false
	}
	found = strings.TrimLeft(word, "-/")
	if strings.Trim(found, ".") == "" {
		return "", !strings.HasSuffix(word, "/")
	}
	return found, path.FindString(found) == found
}

// number returns the number at a byte and where it ends; 0 if there is none, or one within a word.
func number(text string, at int) (n int64, end int) {
	for end = at; end < len(text) && '0' <= text[end] && text[end] <= '9'; {
		end++
	}
	if isWord(firstRune(text[end:])) {
		return 0, end
	}
	n, err := strconv.ParseInt(text[at:end], 10, 64)
	if err != nil {
		return 0, end
	}
	return n, end
}

// wordEnd returns where the letters, digits and punctuation of paths end.
func wordEnd(text string, at int) int {
	for at < len(text) && inPath(text[at]) {
		at++
	}
	return at
}

func inPath(c byte) bool {
	return c < utf8.RuneSelf && (isWord(rune(c)) || c == '.' || c == '/' || c == '-')
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// firstRune returns the first rune of a text, and a blank for an empty one.
func firstRune(text string) rune {
	if text == "" {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// lastRune returns the last rune of a text, and a blank for an empty one.
func lastRune(text string) rune {
	if text == "" {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}
