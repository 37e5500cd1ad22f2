package catalogue_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
)

// TestBranchesToBeNotified: mail on push is about all branches by default, other notices about the
// default branch (gaps §15).
func TestBranchesToBeNotified(t *testing.T) {
	t.Parallel()
	for _, i := range catalogue.Integrations() {
		for _, p := range i.Parameters {
			if p.Name != "branches_to_be_notified" {
				continue
			}
			want := "default"
			if i.Slug == "emails-on-push" {
				want = "all"
			}
			require.Equal(t, want, fmt.Sprint(p.Default), i.Slug)
		}
	}
}

// TestAbuseEmailHasOneValue: the address for reports of abuse is one setting under two names.
func TestAbuseEmailHasOneValue(t *testing.T) {
	t.Parallel()
	for _, s := range catalogue.Settings() {
		if s.Key == "admin_notification_email" {
			require.Equal(t, "abuse_notification_email", s.Alias)
			return
		}
	}
	t.Fatal("no admin_notification_email")
}
