// Package schema describes what hew can manage: kinds, their attributes, and
// the objects that configuration and the host hold of them.
//
// A kind is a table. Decoding, checking, comparing, planning, documenting and
// speaking to the host all walk that table, so a new kind is new rows and no
// new code. The package knows neither HCL files nor HTTP; configuration and
// provider meet here.
package schema
