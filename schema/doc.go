// Package schema describes what hew can manage: kinds, their attributes, and
// the objects that configuration and the host hold of them.
//
// A kind is a table of attributes. Decoding, checking, comparing, planning,
// documenting and talking to the host all walk that table, so a new kind is new
// rows and no new code. The package knows neither HCL files nor HTTP:
// configuration and provider meet here.
//
// An attribute's fields are grouped by the question that they answer: what it
// refers to ([RefRule]), what of it is secret ([Mask]), when it is sent ([Sent]),
// how values compare ([Form]) and which are right ([Accepts]). The engine asks by
// method ([Attr.IsSecret], [Attr.Lasting], [Kind.Admits]).
package schema
