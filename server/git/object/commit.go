package object

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Commit is a commit.
type Commit struct {
	Tree              ID
	Parents           []ID
	Author, Committer Signature
	Encoding          string   // of the message, such as "ISO-8859-1"; empty is UTF-8
	Signature         string   // the armored signature, with its last line feed if it has one
	Extra             []Header // other headers, such as mergetag, in their order
	Message           string

	// raw is what was parsed, more than the fields say; the strings above are parts of it.
	raw string
}

// signatureKey is the header of the signature. Headers that begin with it hold signatures by other
// hashes and are never signed.
const signatureKey = "gpgsig"

// ParseCommit reads a commit. It fails if the tree or a parent is missing or malformed; broken
// identities and missing headers of other kinds it accepts as git does.
func ParseCommit(data []byte) (*Commit, error) {
	c, err := parseCommit(string(data))
	if err != nil {
		return nil, fmt.Errorf("parse commit: %w", err)
	}
	return c, nil
}

func parseCommit(text string) (*Commit, error) {
	headers, message, err := cutHeaders(text)
	if err != nil {
		return nil, err
	}
	if len(headers) == 0 || headers[0].Key != "tree" {
		return nil, errors.New("the commit does not begin with a tree")
	}
	c := &Commit{Message: message, raw: text}
	if c.Tree, err = ParseID(headers[0].Value); err != nil {
		return nil, err
	}
	headers = headers[1:]
	for ; len(headers) > 0 && headers[0].Key == "parent"; headers = headers[1:] {
		parent, err := ParseID(headers[0].Value)
		if err != nil {
			return nil, err
		}
		c.Parents = append(c.Parents, parent)
	}
	for _, h := range headers {
		switch h.Key {
		case "author":
			c.Author = ParseSignature(h.Value)
		case "committer":
			c.Committer = ParseSignature(h.Value)
		case "encoding":
			c.Encoding = h.Value
		case signatureKey:
			c.Signature = h.Value
		default:
			c.Extra = append(c.Extra, h)
		}
	}
	return c, nil
}

// Encode returns the content of the object. If c was parsed and not changed since, these are the
// bytes that were parsed.
func (c *Commit) Encode() []byte {
	if c.unchanged() {
		return []byte(c.raw)
	}
	return c.encode(true)
}

// unchanged reports whether raw is set and still says what the fields say.
func (c *Commit) unchanged() bool {
	if c.raw == "" {
		return false
	}
	parsed, err := parseCommit(c.raw)
	return err == nil && reflect.DeepEqual(parsed, c)
}

// encode writes the headers in the order in which git writes them.
func (c *Commit) encode(signed bool) []byte {
	dst := make([]byte, 0, 256+len(c.Message)+len(c.Signature)+50*len(c.Parents))
	dst = appendHeader(dst, "tree", c.Tree.String())
	for _, parent := range c.Parents {
		dst = appendHeader(dst, "parent", parent.String())
	}
	dst = append(c.Author.append(append(dst, "author "...)), '\n')
	dst = append(c.Committer.append(append(dst, "committer "...)), '\n')
	if c.Encoding != "" {
		dst = appendHeader(dst, "encoding", c.Encoding)
	}
	for _, h := range c.Extra {
		if signed || !strings.HasPrefix(h.Key, signatureKey) {
			dst = appendHeader(dst, h.Key, h.Value)
		}
	}
	if signed && c.Signature != "" {
		dst = appendHeader(dst, signatureKey, c.Signature)
	}
	dst = append(dst, '\n')
	return append(dst, c.Message...)
}

// SignedPayload returns what the signature signs: the commit without its signature headers.
func (c *Commit) SignedPayload() []byte {
	if !c.unchanged() {
		return c.encode(false)
	}
	headers := c.raw
	if end := strings.Index(c.raw, "\n\n"); end >= 0 {
		headers = c.raw[:end+1]
	}
	payload := make([]byte, 0, len(c.raw))
	omit := false
	for line := range strings.Lines(headers) {
		if omit = strings.HasPrefix(line, signatureKey) || omit && line[0] == ' '; !omit {
			payload = append(payload, line...)
		}
	}
	return append(payload, c.raw[len(headers):]...)
}

// Title returns the first paragraph of the message on one line, as git log --format=%s does.
func (c *Commit) Title() string { return Title(c.Message) }

// Title returns the first paragraph of a message on one line.
func Title(message string) string {
	var title []string
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, spaces)
		if line == "" && len(title) == 0 {
			continue
		}
		if line == "" {
			break
		}
		title = append(title, line)
	}
	return strings.Join(title, " ")
}
