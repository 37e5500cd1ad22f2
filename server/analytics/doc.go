// Package analytics asks the engine of product analytics about the events of a project, and reads
// the funnels that a project defines in its repository (spec 3 §4.6, gaps §13.5).
//
// It stores nothing. An administrator sets the engine's address and key, cube_api_base_url and
// cube_api_key. An Engine sends each question with a token that is signed with the key and names
// the project, so that the engine answers from the data of that project alone.
//
// A query is checked before it is sent. It may have the keys that the engine documents and no
// others: a key that the engine ignored silently would give a wrong answer, and one that it obeyed
// could reach beyond what the specification offers. Whether a member exists, the engine knows.
package analytics
