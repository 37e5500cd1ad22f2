// Package mirror keeps the push mirrors of projects.
//
// Credentials in an address and private keys are sealed and never shown. It raises no events and
// listens to none.
package mirror
