// Package ci keeps runners, the tokens with which they register and authenticate, and CI/CD
// variables.
//
// It stores digests of tokens, and seals the values of variables. It raises no events and listens
// to none.
package ci
