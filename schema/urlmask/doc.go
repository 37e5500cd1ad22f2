// Package urlmask finds secrets in URLs and hides them. hew shows URLs of objects that nobody
// declared, in plans and in pulled configuration. These may hold tokens that hew was never told.
package urlmask
