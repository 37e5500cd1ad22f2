package mail_test

import (
	"mime"
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/mail"
	"hew/server/servertest"
)

// A mail server need not take anything but ASCII: names and subjects are encoded words (RFC 2047),
// host names of addresses are IDNA, and bodies are quoted-printable. An address whose name of the
// mailbox is not ASCII gets no mail.
func TestMailIsASCII(t *testing.T) {
	t.Parallel()
	s, p := servertest.Fresh(t), newPost(t, nil)
	p.attach(t, s)
	w := s.World(t)
	to := []int64{w.User("bob").ID, w.User("carol").ID, w.User("dave").ID}
	for name, address := range map[string]string{
		"bob": "bob@example.com", "carol": "carol@müller.example", "dave": "dävé@example.com",
	} {
		require.NoError(t, s.Store.Exec(t.Context(), `update users set name = 'Ünal 😀, Çelik', email = @email
			where username = @name`, pgx.NamedArgs{"name": name, "email": address}))
	}
	const subject = "Größe „falsch“ 😀, sehr sehr sehr lang, damit der Betreff über eine Zeile hinausgeht"
	require.NoError(t, mail.Send(t.Context(), s.Store, to, mail.Message{
		Kind: mail.Assigned, Subject: subject, Title: subject, Author: "Ünal Çelik", Text: "Schöne Grüße 😀", URL: "/acme",
	}))
	s.Drain(t)
	var at []string
	for _, l := range p.take() {
		at = append(at, l.to...)
		require.False(t, strings.ContainsFunc(l.raw, func(r rune) bool { return r > 126 }), "%s", l.raw)
		require.Equal(t, subject, l.subject(t))
		require.Contains(t, l.text, "Schöne Grüße 😀")
		require.Contains(t, l.html, "Schöne Grüße 😀")
		require.Equal(t, 2, strings.Count(l.raw, "Content-Transfer-Encoding: quoted-printable"))
		require.Equal(t, 2, strings.Count(l.raw, "charset=UTF-8"))
		parser := netmail.AddressParser{WordDecoder: new(mime.WordDecoder)}
		address, err := parser.Parse(l.header.Get("To"))
		require.NoError(t, err)
		require.Equal(t, "Ünal 😀, Çelik", address.Name)
		require.Equal(t, l.to[0], address.Address)
		from, err := parser.Parse(l.header.Get("From"))
		require.NoError(t, err)
		require.Equal(t, "Ünal Çelik", from.Name)
	}
	require.ElementsMatch(t, []string{"bob@example.com", "carol@xn--mller-kva.example"}, at)
}
