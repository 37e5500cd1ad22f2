// Package mapping makes documents of package archive of what other hosts answer. It knows no server
// and no database: callers say who of the other host is a user of this one.
//
// Ids of users in the documents are those of this host. What belongs to somebody who is not a user
// here gets no id, so that it goes to whoever imports, and its text begins with a line that names
// the author.
package mapping

import (
	"strings"
	"unicode/utf8"
)

// maxTitle is how long a title can be, in characters.
const maxTitle = 255

// ghost is the login of accounts that were removed, to which references are null.
const ghost = "ghost"

// Person is a user of this host.
type Person struct {
	ID       int64
	Username string
}

// People are the users of this host, by who they are on the other one: the login in lower case.
type People map[string]Person

// find returns the id of a user, nil if the login is not known here.
func (p People) find(login string) *int64 {
	if person, ok := p[strings.ToLower(login)]; ok {
		return new(person.ID)
	}
	return nil
}

// mention returns a user as texts name them, without effect on somebody who only has the same name.
func (p People) mention(login string) string {
	if person, ok := p[strings.ToLower(login)]; ok {
		return "@" + person.Username
	}
	return "`@" + login + "`"
}

// sign returns a text of a user, with a line that names an author who is not known here.
func (p People) sign(login, text string) string {
	if p.find(login) != nil {
		return text
	}
	line := "*Created by: " + login + "*"
	if text == "" {
		return line
	}
	return line + "\n\n" + text
}

// cutTitle returns a title of a valid length: one of no characters becomes "(no title)".
func cutTitle(title string) string {
	title = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(title, "\uFFFD"), "\x00", ""))
	if title == "" {
		return "(no title)"
	}
	if utf8.RuneCountInString(title) > maxTitle {
		title = string([]rune(title)[:maxTitle])
	}
	return title
}

// optional returns a pointer to a text, nil if it is empty.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
