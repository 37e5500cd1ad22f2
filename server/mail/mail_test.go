package mail_test

import (
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/hook"
	"hew/server/jobs"
	"hew/server/mail"
	"hew/server/people"
	"hew/server/servertest"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"smtp://mail.example.com?from=hewd@example.com", "smtps://ann:s3cret@mail.example.com:465/?from=hewd@example.com",
		"smtp://ann:s3cret@10.0.0.1:25?from=Our+hewd+%3Chewd%40example.com%3E&tls=none",
	} {
		s, err := mail.Open(address)
		require.NoError(t, err, address)
		require.NotNil(t, s)
	}
	s, err := mail.Open("")
	require.NoError(t, err)
	require.Nil(t, s)
	for _, address := range []string{
		"mail.example.com", "http://s3cret@mail.example.com?from=a@example.com", "smtp://ann:s3cret@:25?from=a@example.com",
		"smtp://ann:s3cret@mail.example.com", "smtp://ann:s3cret@mail.example.com?from=nobody",
		"smtp://ann:s3cret@mail.example.com?from=a@example.com&tls=off",
		"smtps://ann:s3cret@mail.example.com?from=a@example.com&tls=none",
		"smtp://ann:s3cret@mail.example.com:70000?from=a@example.com", "smtp://ann:s3cret@[?from=a@example.com",
		"smtp://ann:s3cret@mail.example.com/path?from=a@example.com",
		"smtp://ann:s3cret@mail.example.com?from=a@example.com%0d%0aBcc:b@example.com",
	} {
		_, err := mail.Open(address)
		require.ErrorContains(t, err, "HEWD_SMTP_URL", address)
		require.NotContains(t, err.Error(), "s3cret", address)
	}
}

// bodies.txt is each kind of message as text and as HTML, with text that has to be escaped.
func TestBodies(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, kind := range []mail.Kind{
		mail.Mentioned, mail.Assigned, mail.ReviewRequested, mail.Invited, mail.Expiring, mail.Notice,
	} {
		text, html, err := mail.Bodies(mail.Message{
			Kind: kind, Title: "acme/web#5 <b>", URL: "https://git.example.com/acme/web/-/issues/5", Author: "Ann & Bob",
			Text: "2026-12-05 <script>",
		})
		require.NoError(t, err)
		fmt.Fprintf(&all, "# %s\n%s\n%s\n", kind, text, html)
	}
	servertest.Golden(t, "testdata/bodies.txt", all.String())
}

// An invitation is mailed, and its recipient can leave the list: by opening the address and
// pressing the button, or by a program in one request.
func TestInvitations(t *testing.T) {
	t.Parallel()
	s, p := servertest.Fresh(t), newPost(t, nil)
	alice := s.User(t, "alice")
	var g servertest.Made
	s.Do(t, alice.Token, "POST", "/groups", map[string]any{"name": "acme", "path": "acme"}).Into(t, &g)
	invite := func(email string) {
		t.Helper()
		r := s.Do(t, alice.Token, "POST", fmt.Sprintf("/groups/%d/invitations", g.ID), map[string]any{
			"email": email, "access_level": 30,
		})
		require.Equal(t, 201, r.Status, "%s", r.Body)
		s.Drain(t)
	}
	invite("early@example.com")
	p.attach(t, s)
	invite("carol@example.com,dave@example.com")
	got := p.take()
	require.Len(t, got, 2)
	l := got[0]
	if l.to[0] != "carol@example.com" {
		l = got[1]
	}
	require.Equal(t, []string{"carol@example.com"}, l.to)
	require.Equal(t, "Alice invites you to acme", l.subject(t))
	require.Equal(t, `"Alice" <hewd@example.com>`, l.header.Get("From"))
	require.Equal(t, "auto-generated", l.header.Get("Auto-Submitted"))
	require.Equal(t, "List-Unsubscribe=One-Click", l.header.Get("List-Unsubscribe-Post"))
	require.Regexp(t, `^<[A-Z0-9]+@127\.0\.0\.1>$`, l.header.Get("Message-Id"))
	require.Contains(t, l.text, "with the role Developer")
	require.Contains(t, l.html, `<a href="`+site(s)+`/acme">acme</a>`)

	call := func(method, path string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, site(s)+path, strings.NewReader("List-Unsubscribe=One-Click"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		reply, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer reply.Body.Close()
		body, err := io.ReadAll(reply.Body)
		require.NoError(t, err)
		return reply.StatusCode, string(body)
	}
	again := func() []letter {
		s.Do(t, alice.Token, "DELETE", fmt.Sprintf("/groups/%d/invitations/carol@example.com", g.ID), nil)
		invite("carol@example.com")
		return p.take()
	}
	status, page := call("GET", l.leave(t))
	require.Equal(t, 200, status)
	require.Contains(t, page, "<button>Unsubscribe</button>")
	require.Len(t, again(), 1, "opening the page changes nothing")
	for range 2 {
		status, _ = call("POST", l.leave(t))
		require.Equal(t, 200, status)
	}
	require.Empty(t, again())
	invite("erin@example.com")
	require.Len(t, p.take(), 1)
	status, _ = call("POST", mail.LeavePath+"guess")
	require.Equal(t, 404, status)
	status, _ = call("GET", l.leave(t)[:len(l.leave(t))-2]+"AA")
	require.Equal(t, 404, status)

	s.Do(t, alice.Token, "PUT", fmt.Sprintf("/groups/%d", g.ID), map[string]any{"emails_enabled": false})
	invite("frank@example.com")
	require.Empty(t, p.take())
}

// Users who are blocked, are bots or have not confirmed their address get no mail.
func TestSend(t *testing.T) {
	t.Parallel()
	s, p := servertest.Fresh(t), newPost(t, nil)
	w := s.World(t)
	bob, blocked, bot, waiting := w.User("bob"), w.User("blocked"), w.User("bot"), w.User("waiting")
	for _, sql := range []string{
		`update users set state = 'blocked' where username = 'blocked'`, `update users set bot = true where username = 'bot'`,
		`update users set confirmed_at = null where username = 'waiting'`,
	} {
		require.NoError(t, s.Store.Exec(t.Context(), sql, nil))
	}
	all := []int64{bob.ID, blocked.ID, bot.ID, waiting.ID, bob.ID}
	m := mail.Message{
		Kind: mail.Mentioned, Subject: "acme/web | Broken (#5)", Title: "#5", URL: "/acme/web/-/issues/5", Author: "Ann",
		Text: "@bob, look.", Thread: "issue/7/5",
	}
	require.NoError(t, mail.Send(t.Context(), s.Store, all, m))
	n, err := db.Value[int](t.Context(), s.Store, `select count(*) from river_job where kind = 'send_mail'`, nil)
	require.NoError(t, err)
	require.Zero(t, n, "without a mail server nothing is enqueued")

	p.attach(t, s)
	require.NoError(t, mail.Send(t.Context(), s.Store, all, m))
	require.NoError(t, mail.Send(t.Context(), s.Store, all, m))
	s.Drain(t)
	got := p.take()
	require.Len(t, got, 2)
	require.Equal(t, []string{"bob@example.com"}, got[0].to)
	require.Contains(t, got[0].text, site(s)+"/acme/web/-/issues/5")
	require.Equal(t, got[0].header.Get("In-Reply-To"), got[1].header.Get("In-Reply-To"))
	require.NotEmpty(t, got[0].header.Get("In-Reply-To"))
	require.NotEqual(t, got[0].header.Get("Message-Id"), got[1].header.Get("Message-Id"))
}

// Names and titles with line breaks add no headers, and huge texts are cut off.
func TestHostileText(t *testing.T) {
	t.Parallel()
	s, p := servertest.Fresh(t), newPost(t, nil)
	p.attach(t, s)
	evil := "x\r\nBcc: victim@example.com\r\n\r\nHello\x00"
	bob := s.World(t).User("bob")
	require.NoError(t, s.Store.Exec(t.Context(), `update users set name = E'Bob\r\nBcc: victim@example.com'
		where username = 'bob'`, nil))
	require.NoError(t, mail.Send(t.Context(), s.Store, []int64{bob.ID}, mail.Message{
		Kind: mail.Assigned, Subject: evil, Title: evil, Author: evil, Text: evil + strings.Repeat("long line ", 1<<20),
		URL: "javascript:alert(1)", Thread: evil,
	}))
	require.NoError(t, mail.SendTo(t.Context(), s.Store, []string{
		"carol@example.com\r\nBcc: victim@example.com", "no address", "", "<dave@example.com>", "dave@example.com",
	}, mail.Message{Kind: mail.Notice, Text: "one"}))
	s.Drain(t)
	got := p.take()
	require.Len(t, got, 2)
	for _, l := range got {
		require.Len(t, l.to, 1)
		require.NotContains(t, l.to[0], "victim")
		require.Empty(t, l.header.Get("Bcc"))
		require.Less(t, len(l.raw), 300<<10)
		require.NotContains(t, l.html, "javascript:alert")
		for line := range strings.SplitSeq(l.raw, "\r\n") {
			require.LessOrEqual(t, len(line), 998)
		}
	}
}

// A mail server that cannot accept a message now is asked again; its refusal is final.
func TestAnswers(t *testing.T) {
	t.Parallel()
	s, p := servertest.Fresh(t), newPost(t, nil)
	m := p.attach(t, s)
	log := &strings.Builder{}
	m.Log = slog.New(slog.NewTextHandler(log, nil))
	job := mail.MailJob{ID: "ONE", Address: "bob@example.com", List: "account", Message: mail.Message{Kind: mail.Notice}}
	p.answer = func() error { return &smtp.SMTPError{Code: 451, Message: "later"} }
	require.ErrorContains(t, mail.Deliver(t.Context(), s.Store, job), "later")
	p.answer = func() error { return &smtp.SMTPError{Code: 550, Message: "no such user"} }
	require.NoError(t, mail.Deliver(t.Context(), s.Store, job))
	require.Contains(t, log.String(), "no such user")
	p.answer = nil
	require.NoError(t, mail.Deliver(t.Context(), s.Store, job))
	require.Len(t, p.take(), 1)
}

// With STARTTLS, which is the default, the certificate is verified and the password is sent
// encrypted; a server without it gets nothing.
func TestEncryption(t *testing.T) {
	t.Parallel()
	web := httptest.NewTLSServer(http.NotFoundHandler()) // for its certificate
	t.Cleanup(web.Close)
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	secure := newPost(t, encrypted(web.TLS.Certificates[0], "ann:s3cret"))
	plain := newPost(t, func(p *post, _ *smtp.Server) { p.insecure, p.user = true, "ann:s3cret" })
	s := servertest.Fresh(t)
	t.Cleanup(func() { mail.Attach(s.Store, nil) })
	job := mail.MailJob{ID: "ONE", Address: "bob@example.com", List: "account", Message: mail.Message{Kind: mail.Notice}}
	send := func(address, user, more string, trusted *x509.CertPool) error {
		m, err := mail.Open("smtp://" + user + "@" + address + "?from=hewd@example.com" + more)
		require.NoError(t, err)
		m.Base, m.Log, m.Roots = site(s), slog.New(slog.DiscardHandler), trusted
		mail.Attach(s.Store, m)
		err = mail.Deliver(t.Context(), s.Store, job)
		if err != nil {
			require.NotContains(t, err.Error(), "s3cret")
		}
		return err
	}
	require.NoError(t, send(secure.address, "ann:s3cret", "", roots))
	require.Len(t, secure.take(), 1)
	require.Error(t, send(secure.address, "ann:s3cret", "", nil), "an unknown authority")
	require.Error(t, send(secure.address, "ann:wrong", "", roots))
	require.Error(t, send(plain.address, "ann:s3cret", "", roots), "no STARTTLS")
	require.NoError(t, send(plain.address, "ann:s3cret", "&tls=none", roots))
	require.Len(t, plain.take(), 1)
	require.Empty(t, secure.take())

	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	require.Error(t, send(gone.Addr().String(), "ann:s3cret", "", roots))
}

// Access tokens that expire within a week are mailed once: personal ones to their user, those of a
// project to its maintainers.
func TestExpiringTokens(t *testing.T) {
	t.Parallel()
	s, p := servertest.Fresh(t), newPost(t, nil)
	p.attach(t, s)
	alice := s.User(t, "alice")
	var project servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &project)
	soon := time.Now().UTC().AddDate(0, 0, 5).Format(time.DateOnly)
	later := time.Now().UTC().AddDate(0, 0, 30).Format(time.DateOnly)
	for name, day := range map[string]string{"mine": soon, "later": later} {
		r := s.Do(t, s.RootToken, "POST", fmt.Sprintf("/users/%d/personal_access_tokens", alice.ID), map[string]any{
			"name": name, "scopes": []string{"api"}, "expires_at": day,
		})
		require.Equal(t, 201, r.Status, "%s", r.Body)
	}
	r := s.Do(t, alice.Token, "POST", fmt.Sprintf("/projects/%d/access_tokens", project.ID), map[string]any{
		"name": "deploy", "scopes": []string{"api"}, "expires_at": soon,
	})
	require.Equal(t, 201, r.Status, "%s", r.Body)
	for range 2 {
		require.NoError(t, jobs.Enqueue(t.Context(), s.Store, people.ExpiryJob{}, hook.ExpiryJob{}))
		s.Drain(t)
	}
	var subjects []string
	for _, l := range p.take() {
		require.Equal(t, []string{"alice@example.com"}, l.to)
		require.Contains(t, l.text, soon)
		subjects = append(subjects, l.subject(t))
	}
	require.ElementsMatch(t, []string{"Access token mine expires soon", "Access token deploy expires soon"}, subjects)
}
