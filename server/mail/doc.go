// Package mail sends mail to users and addresses.
//
// Other domains call [Send] and [SendTo] in the transaction of what they tell of. These enqueue a
// job for each recipient; the job makes the message, as text and as HTML, and hands it to the mail
// server. Without HEWD_SMTP_URL nothing is enqueued.
//
// Each message belongs to a list: the project, the group, or the account that it is about. Its
// List-Unsubscribe header leads to an address that removes the recipient from the list. Text of
// users appears only in the body and in headers that are encoded, never as a header of its own.
//
// The operator configures the mail server, which may well be in a private network. So connections
// to it do not go through package outbound, which refuses such addresses.
package mail
