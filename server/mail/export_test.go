package mail

// Deliver sends a message now.
var Deliver = deliver

// Bodies returns a message as text and as HTML.
func Bodies(m Message) (text, html string, err error) {
	return page{m.limit(), "git.example.com", "https://git.example.com" + LeavePath + "TICKET"}.bodies()
}
