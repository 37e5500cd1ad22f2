package mail

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// LeavePath is the path, followed by a ticket, of the address at which a recipient leaves a list.
const LeavePath = "/unsubscribes/" // a reserved name

// ticketPlace is where tickets are, for their seals.
const ticketPlace = "mail.ticket"

// newTicket returns a text that stands for an address and a list, and that only this server can
// make.
func newTicket(st *db.Store, address, list string) string {
	sealed := st.Seal.Seal(ticketPlace, 0, []byte(list+"\n"+strings.ToLower(address)))
	return base64.RawURLEncoding.EncodeToString(sealed)
}

// readTicket returns the address and the list that a ticket stands for, or a not-found fault.
func readTicket(st *db.Store, ticket string) (address, list string, err error) {
	sealed, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil {
		return "", "", fault.NotFound("")
	}
	plain, err := st.Seal.Open(ticketPlace, 0, sealed)
	list, address, ok := strings.Cut(string(plain), "\n")
	if err != nil || !ok {
		return "", "", fault.NotFound("")
	}
	return address, list, nil
}

// CheckTicket returns a not-found fault unless this server made the ticket.
func CheckTicket(st *db.Store, ticket string) error {
	_, _, err := readTicket(st, ticket)
	return err
}

// Leave removes the address of a ticket from the list of the ticket. It may be called again.
func Leave(ctx context.Context, st *db.Store, ticket string) error {
	address, list, err := readTicket(st, ticket)
	if err != nil {
		return err
	}
	return st.Exec(ctx, `insert into mail_optouts (address, list) values (@address, @list) on conflict do nothing`,
		pgx.NamedArgs{"address": address, "list": list})
}

// hasLeft reports whether an address has left a list.
func hasLeft(ctx context.Context, st *db.Store, address, list string) (bool, error) {
	return db.Value[bool](ctx, st, `
		select exists (select from mail_optouts where address = @address and list = @list)`,
		pgx.NamedArgs{"address": strings.ToLower(address), "list": list})
}

// newID returns a random text for the id of a message.
func newID() string { return rand.Text() }

// threadID returns the id of the message that a thread begins with, which is never sent.
func threadID(thread string) string {
	sum := sha256.Sum256([]byte(thread))
	return "thread-" + hex.EncodeToString(sum[:16])
}
