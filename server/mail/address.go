package mail

import (
	"strings"

	"golang.org/x/net/idna"
)

// asciiAddress returns an address with its host name in ASCII (IDNA). It reports false if the name
// of the mailbox is not ASCII: such mail needs SMTPUTF8 at every server on the way.
func asciiAddress(address string) (string, bool) {
	at := strings.LastIndexByte(address, '@')
	mailbox := address[:max(at, 0)]
	if strings.ContainsFunc(mailbox, func(r rune) bool { return r > 126 }) {
		return "", false
	}
	host, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil {
		return address, !strings.ContainsFunc(address, func(r rune) bool { return r > 126 })
	}
	return mailbox + "@" + host, at >= 0
}
