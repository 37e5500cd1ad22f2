// Package send makes the requests by which integrations tell other services of events: messages for
// chats, triggers for builds, comments on issues.
//
// Actions has a row for every integration. The function of a row turns an event into requests and
// passes them to a Call, which sends, records and repeats them: nothing here connects to a host.
// Names and texts of users are escaped for the format that they are put into. Secrets appear in
// headers, or in the address where the service asks for them there.
package send
