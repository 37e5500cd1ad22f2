package integration

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/hook"
	"hew/server/integration/send"
	"hew/server/mail"
	"hew/server/outbound"
)

// caller sends the requests of one event, and records them.
type caller struct {
	*Sender
	outcome
	store  *db.Store
	policy outbound.Policy
	redact *hook.Redactor
	row    Delivery // what all requests have in common
	about  db.Container
	broken error // this server's own failure, the first one
}

// Limits of the record of a request, in bytes.
const (
	maxLoggedRequest  = 16 << 10
	maxLoggedResponse = 8 << 10
)

// call sends a request unless an earlier attempt delivered it.
func (c *caller) call(ctx context.Context, q send.Request) (outbound.Answer, error) {
	row := c.row
	row.Method, row.URL = c.describe(q)
	row.RequestData = c.clean(string(q.Body), maxLoggedRequest)
	row.Digest = digest(row.Method, row.URL, c.redact.Replace(string(q.Body)))
	c.requests++
	row, skip, err := BeginDelivery(ctx, c.store, row)
	if err != nil || skip && !q.Reads {
		return outbound.Answer{}, c.breaks(err)
	}
	begun := time.Now()
	answer, lost := c.send(ctx, q)
	row.Duration, row.State = time.Since(begun).Seconds(), delivered
	row.ResponseBody = c.clean(string(answer.Body), maxLoggedResponse)
	if answer.Status != 0 {
		row.ResponseStatus = &answer.Status
	}
	switch {
	case lost != nil:
		row.State, row.Error = failed, c.clean(lost.Error(), maxLoggedResponse)
		c.again = c.again || !isRefused(lost)
	case answer.Status >= 400:
		row.State, row.Error = failed, fmt.Sprintf("the service answered with HTTP status %d", answer.Status)
		c.again = c.again || answer.Status >= 500 || answer.Status == 408 || answer.Status == 429
	}
	// A request that was sent is recorded even if the server is about to stop.
	if err := EndDelivery(context.WithoutCancel(ctx), c.store, row); err != nil {
		return answer, c.breaks(err)
	}
	if row.State == failed {
		c.problem = cmp.Or(c.problem, row.Error)
		return answer, errNotDelivered
	}
	return answer, nil
}

// breaks notes a failure of this server, and returns it.
func (c *caller) breaks(err error) error {
	if c.broken == nil {
		c.broken = err
	}
	return err
}

// refuse records that no request could be made, which is final.
func (c *caller) refuse(ctx context.Context, reason error) error {
	row := c.row
	row.Digest = digest("no request")
	row, _, err := BeginDelivery(ctx, c.store, row)
	if err != nil {
		return err
	}
	row.State, row.Error = failed, c.clean(reason.Error(), maxLoggedResponse)
	c.problem = row.Error
	return EndDelivery(ctx, c.store, row)
}

// send sends a request.
func (c *caller) send(ctx context.Context, q send.Request) (outbound.Answer, error) {
	switch {
	case q.Mail != nil:
		return outbound.Answer{}, c.mail(ctx, *q.Mail)
	case q.TCP != "":
		return outbound.Answer{}, c.write(ctx, q)
	}
	// More than is recorded, so that a secret at the end of the record is read in full.
	q.MaxAnswer = max(q.MaxAnswer, maxLoggedResponse*3/2)
	q.Header = append([]outbound.Field{{Name: "User-Agent", Value: "GitLab/" + c.Version}}, q.Header...)
	if !c.policy.Admits(q.URL) {
		return outbound.Answer{}, refusal("the address is blocked: requests must not go there")
	}
	return c.Out.Send(ctx, outbound.Options{Policy: c.policy, Insecure: q.Insecure}, q.Request)
}

// mail enqueues a mail about the project.
func (c *caller) mail(ctx context.Context, m send.Mail) error {
	if !mail.Enabled(c.store) {
		return refusal("no mail is sent: this instance has no mail server (HEWD_SMTP_URL)")
	}
	return mail.SendTo(ctx, c.store, m.To, mail.Message{
		Kind: mail.Notice, Subject: m.Subject, Title: m.Title, URL: m.URL, Author: m.Author, Text: m.Text,
		About: c.about, Thread: m.Key,
	})
}

// write writes a body to a connection.
func (c *caller) write(ctx context.Context, q send.Request) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	conn, err := c.Out.DialContext(ctx, c.policy, "tcp", q.TCP)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return err
		}
	}
	_, err = conn.Write(q.Body)
	return err
}

const writeTimeout = 10 * time.Second

// describe returns the method and the address of a request for the record: the address without
// secrets, and of one that is secret itself the host alone.
func (c *caller) describe(q send.Request) (method, address string) {
	switch {
	case q.Mail != nil:
		return "MAIL", "mailto:" + strings.Join(q.Mail.To, ",")
	case q.TCP != "":
		return "TCP", q.TCP
	}
	method = cmp.Or(q.Method, "POST")
	u, err := url.Parse(q.URL)
	if err != nil {
		return method, ""
	}
	shown := *u
	shown.User = nil
	address = c.redact.Replace(shown.String())
	if c.redact.Replace(q.URL) != q.URL && !strings.HasPrefix(address, u.Scheme+"://"+u.Host+"/") {
		address = u.Scheme + "://" + u.Host + "/[REDACTED]"
	}
	return method, address
}

// clean returns a text for the record: without secrets, valid, and of limited length.
func (c *caller) clean(text string, most int) string {
	text = c.redact.Replace(text)
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// refusal is a reason of this server not to send a request, which does not change by itself.
type refusal string

func (r refusal) Error() string { return string(r) }
