package mail

import (
	"embed"
	htmltemplate "html/template"
	"strings"
	texttemplate "text/template"
	"unicode"

	"hew/server/db"
)

// Message is what a mail says. Its kind decides what the other fields mean.
type Message struct {
	Kind    Kind   `json:"kind"`
	Subject string `json:"subject"`
	Title   string `json:"title,omitempty"`  // of what it is about
	URL     string `json:"url,omitempty"`    // of its page; a path is on this instance
	Author  string `json:"author,omitempty"` // the name of the user who caused it
	Text    string `json:"text,omitempty"`

	// About is the project or group that it is about: if mail is disabled there, nothing is sent.
	// Empty: it is about the account of the recipient.
	About db.Container `json:"-"`

	// Thread is what the messages of a conversation have in common: "issue/7/5". Empty: none.
	Thread string `json:"thread,omitempty"`
}

// Kind is a kind of message, with templates of its name.
type Kind string

// The kinds.
const (
	Mentioned Kind = "mentioned" // the author mentions the recipient in Title with Text
	Assigned  Kind = "assigned"  // the author assigns Title to the recipient
	// the author asks the recipient to review Title
	ReviewRequested Kind = "review_requested"
	Invited         Kind = "invited"  // the author invites the recipient to Title with the role Text
	Expiring        Kind = "expiring" // the token Title of Author expires on the day Text
	Notice          Kind = "notice"   // Text
)

// Limits of messages, in bytes.
const (
	maxSubject = 200
	maxText    = 64 << 10
)

// limit returns the message with texts of limited length, and without control characters where
// headers are made of them.
func (m Message) limit() Message {
	m.Subject, m.Title, m.Author = line(m.Subject), line(m.Title), line(m.Author)
	m.Text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(m.Text[:min(len(m.Text), maxText+1)], ""))
	if m.Thread != "" {
		m.Thread = threadID(m.Thread)
	}
	if len(m.Text) > maxText {
		m.Text = strings.ToValidUTF8(m.Text[:maxText], "") + "\n…\n"
	}
	return m
}

// line returns a text as one line of limited length.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxSubject {
		s = strings.ToValidUTF8(s[:maxSubject], "") + "…"
	}
	return s
}

//go:embed template/*
var templates embed.FS

var (
	texts = texttemplate.Must(texttemplate.ParseFS(templates, "template/*.txt"))
	htmls = htmltemplate.Must(htmltemplate.ParseFS(templates, "template/*.html"))
)

// page is what templates show.
type page struct {
	Message
	Host        string // the name of this instance
	Unsubscribe string // the address that ends mail of the list
}

// bodies returns the message as text and as HTML.
func (p page) bodies() (text, html string, err error) {
	var t, h strings.Builder
	if err = texts.ExecuteTemplate(&t, string(p.Kind)+".txt", p); err == nil {
		err = texts.ExecuteTemplate(&t, "foot.txt", p)
	}
	if err == nil {
		err = htmls.ExecuteTemplate(&h, string(p.Kind)+".html", p)
	}
	if err == nil {
		err = htmls.ExecuteTemplate(&h, "foot.html", p)
	}
	return t.String(), h.String(), err
}
