package api

import (
	"context"
	"io"
	"net/http"
	"strings"

	"hew/server/db"
	"hew/server/mail"
	"hew/server/rest"
)

// lists is the address in the List-Unsubscribe header of mail: people open it and press a button,
// mail programs send it a POST (RFC 8058). Opening it changes nothing, because programs that check
// mail follow links.
type lists struct{}

func (a lists) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/mail/unsubscribe/{ticket}", ticketHolder, a.ask),
		rest.Post("/mail/unsubscribe/{ticket}", ticketHolder, a.leave).Status(http.StatusOK),
	}
}

// leaveRoute returns the route that an address stands for.
func leaveRoute(path string) (string, bool) {
	ticket, ok := strings.CutPrefix(path, mail.LeavePath)
	return "/api/v4/mail/unsubscribe/" + ticket, ok && ticket != "" && !strings.Contains(ticket, "/")
}

// ticketHolder admits requests with a ticket of this server.
var ticketHolder = rest.Guard[*db.Store]{
	Need: "mail_ticket",
	Open: func(ctx context.Context, r *http.Request) (*db.Store, error) {
		st := db.From(ctx)
		return st, mail.CheckTicket(st, r.PathValue("ticket"))
	},
}

type ticket struct {
	Ticket string `param:"ticket"`
}

func (lists) ask(context.Context, *db.Store, ticket) (rest.Raw, error) {
	return htmlPage(`<form method="post"><p>Get no more of these mails?</p><button>Unsubscribe</button></form>`), nil
}

func (lists) leave(ctx context.Context, st *db.Store, in ticket) (rest.Raw, error) {
	return htmlPage(`<p>You get no more of these mails.</p>`), mail.Leave(ctx, st, in.Ticket)
}

// htmlPage is a page with a body.
type htmlPage string

// ServeHTTP writes the page, which runs nothing and loads nothing.
func (p htmlPage) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	_, _ = io.WriteString(w, `<!DOCTYPE html><html lang="en"><title>Mail</title>`+string(p)+"\n")
}
