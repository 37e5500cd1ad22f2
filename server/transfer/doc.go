// Package transfer keeps the push mirrors of projects, and makes projects of archives.
//
// Credentials in an address and private keys are sealed and never shown. It raises no events and
// listens to none.
package transfer
