package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	gomail "github.com/wneessen/go-mail"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/setting"
)

// maxRecipients limits the recipients of one message.
const maxRecipients = 750

// recipient is who gets a message.
type recipient struct {
	Name    string `db:"name"`
	Address string `db:"email"`
}

// Send enqueues, in the transaction of what it tells of, a message to users. It leaves out those
// who are blocked, are bots, or have not confirmed their address. Nobody gets it if mail is
// disabled in the project or group that it is about, or above it, or if there is no mail server.
func Send(ctx context.Context, st *db.Store, to []int64, m Message) error {
	if !Enabled(st) || len(to) == 0 {
		return nil
	}
	list, err := db.Many[recipient](ctx, st, `
		select u.name, u.email from users u
		where u.id = any(@ids) and u.state = 'active' and not u.bot and u.confirmed_at is not null
		order by u.id limit @most`, pgx.NamedArgs{"ids": to, "most": maxRecipients})
	if err != nil {
		return err
	}
	return enqueue(ctx, st, list, m)
}

// SendTo enqueues a message to addresses, which need not be those of users. It leaves out what is
// not an address.
func SendTo(ctx context.Context, st *db.Store, addresses []string, m Message) error {
	if !Enabled(st) {
		return nil
	}
	var list []recipient
	for _, text := range addresses {
		if a, err := netmail.ParseAddress(text); err == nil && len(list) < maxRecipients {
			list = append(list, recipient{a.Name, a.Address})
		}
	}
	return enqueue(ctx, st, list, m)
}

func enqueue(ctx context.Context, st *db.Store, list []recipient, m Message) error {
	seen := map[string]bool{}
	for i := range list {
		list[i].Address, _ = asciiAddress(list[i].Address)
	}
	list = slices.DeleteFunc(list, func(r recipient) bool {
		if r.Address == "" {
			return true
		}
		key := strings.ToLower(r.Address)
		defer func() { seen[key] = true }()
		return seen[key]
	})
	if len(list) == 0 {
		return nil
	}
	on, err := enabledIn(ctx, st, m.About)
	if err != nil || !on {
		return err
	}
	var args []jobs.Args
	for _, r := range list {
		args = append(args, MailJob{
			ID: newID(), Name: line(r.Name), Address: r.Address, List: listOf(m.About), Message: m.limit(),
		})
	}
	return jobs.Enqueue(ctx, st, args...)
}

// enabledIn reports whether mail is enabled in a project or group and in all groups above it.
func enabledIn(ctx context.Context, st *db.Store, c db.Container) (bool, error) {
	return db.Value[bool](ctx, st, `
		select not exists (
		    select from projects p where p.id = @project and p.settings ->> 'emails_enabled' = 'false')
		  and not exists (
		    select from namespaces n
		    where n.id = any(array(
		        select unnest(a.traversal_ids) from namespaces a
		        where a.id = coalesce(@namespace, (select namespace_id from projects where id = @project))))
		      and n.settings ->> 'emails_enabled' = 'false')`,
		pgx.NamedArgs{"project": c.ProjectID, "namespace": c.NamespaceID})
}

// listOf returns the list that messages about a project or group belong to.
func listOf(c db.Container) string {
	if c.ID() == 0 {
		return "account"
	}
	return c.String()
}

// MailJob sends a message to one recipient.
type MailJob struct {
	jobs.Repeated
	ID      string  `json:"id"` // of the message, the same in all attempts
	Name    string  `json:"name,omitempty"`
	Address string  `json:"address"`
	List    string  `json:"list"` // that the recipient can leave
	Message Message `json:"message"`
}

// Kind returns the name of the job.
func (MailJob) Kind() string { return "send_mail" }

// Jobs are the jobs of mail.
var Jobs = []jobs.Kind{jobs.On(deliver)}

// deliver sends a message, unless the recipient has left the list. It fails, and is tried again, if
// the mail server cannot be reached or cannot accept the message now. If the server refuses the
// message, that is logged and final.
func deliver(ctx context.Context, st *db.Store, j MailJob) error {
	s := attached(st)
	if s == nil {
		return nil
	}
	settings, err := setting.Read(ctx, st)
	if err != nil || settings.SilentMode {
		return err
	}
	if left, err := hasLeft(ctx, st, j.Address, j.List); err != nil || left {
		return err
	}
	m, err := s.compose(st, j)
	if err != nil {
		return err
	}
	err = s.transmit(ctx, m)
	var refused *gomail.SendError
	if errors.As(err, &refused) && !refused.IsTemp() && refused.ErrorCode() >= 500 {
		s.Log.Warn("mail refused", "kind", j.Message.Kind, "code", refused.ErrorCode(), "reason", s.redact(err))
		return nil
	}
	if err != nil {
		return fmt.Errorf("send mail by %s: %s", s.host, s.redact(err))
	}
	return nil
}

// redact returns the text of an error without the password of the mail server.
func (s *Server) redact(err error) string {
	if s.password == "" {
		return err.Error()
	}
	return strings.ReplaceAll(err.Error(), s.password, "[REDACTED]")
}

// compose makes the message of a job.
func (s *Server) compose(st *db.Store, j MailJob) (*gomail.Msg, error) {
	host := hostOf(s.Base)
	leave := s.Base + LeavePath + newTicket(st, j.Address, j.List)
	if strings.HasPrefix(j.Message.URL, "/") {
		j.Message.URL = s.Base + j.Message.URL
	}
	text, html, err := page{j.Message, host, leave}.bodies()
	if err != nil {
		return nil, fmt.Errorf("templates of %s: %w", j.Message.Kind, err)
	}
	m := gomail.NewMsg()
	from := s.from
	if j.Message.Author != "" && j.Message.Kind != Expiring {
		from.Name = j.Message.Author
	}
	m.FromMailAddress(&from)
	m.ToMailAddress(&netmail.Address{Name: j.Name, Address: j.Address})
	m.Subject(cmp.Or(j.Message.Subject, j.Message.Title, host))
	m.SetDate()
	m.SetUserAgent("hewd")
	m.SetMessageIDWithValue(j.ID + "@" + host)
	if j.Message.Thread != "" {
		root := "<" + j.Message.Thread + "@" + host + ">"
		m.SetGenHeaderPreformatted("In-Reply-To", root)
		m.SetGenHeaderPreformatted("References", root)
	}
	m.SetGenHeaderPreformatted("List-Id", "<"+strings.ReplaceAll(j.List, " ", "-")+"."+host+">")
	m.SetGenHeaderPreformatted("List-Unsubscribe", "<"+leave+">")
	m.SetGenHeaderPreformatted("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	m.SetGenHeaderPreformatted("Auto-Submitted", "auto-generated")
	m.SetGenHeaderPreformatted("X-Auto-Response-Suppress", "All")
	m.SetBodyString(gomail.TypeTextPlain, text)
	m.AddAlternativeString(gomail.TypeTextHTML, html)
	return m, nil
}
