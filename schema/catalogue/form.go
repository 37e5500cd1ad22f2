package catalogue

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hew/schema/pattern"
)

// The forms of names that stand for something elsewhere: branches of git, hosts, pages. The table
// names them as rules; what other parts of the API hold to the same form asks here.

var branchForm = pattern.Lazy(`^[^\x00-\x20\x7f~^:?*\[\\]+$`)

// IsBranchName says whether git takes the name for a branch.
func IsBranchName(s string) bool {
	parts := strings.Split(s, "/")
	return branchForm().MatchString(s) && len(s) <= 255 && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, ".") &&
		!strings.Contains(s, "..") && !strings.Contains(s, "@{") && s != "HEAD" && s != "@" &&
		!slices.ContainsFunc(parts,
			func(p string) bool { return p == "" || p[0] == '.' || strings.HasSuffix(p, ".lock") })
}

// isURL makes the question whether a text is a URL with one of the schemes.
func isURL(schemes ...string) func(string) bool {
	return func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && slices.Contains(schemes, u.Scheme) && u.Hostname() != ""
	}
}

// isPage: a URL, or a path on the instance itself.
func isPage(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "" && u.Host == "" && strings.HasPrefix(s, "/") || isURL("http", "https")(s))
}

var hostLabel = pattern.Lazy(`^[\pL\pN_]([\pL\pN_-]*[\pL\pN_])?$`)

// isHost says whether a name can be one of a host. It need not be known to anybody, and may be in
// any script.
func isHost(s string) bool {
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	return len(s) <= 255 &&
		!slices.ContainsFunc(labels, func(l string) bool { return len(l) > 63 || !hostLabel().MatchString(l) })
}

// isDomain: the name of a host, with * for any part of it.
func isDomain(s string) bool { return isHost(strings.ReplaceAll(s, "*", "x")) }

// isPlace says whether a text names what a request may go to: the name of a host, an IP address or
// a network, each with a port where that alone is meant. The colons of a bare IPv6 address are no
// port; [::1]:8080 has one.
func isPlace(s string) bool {
	name, port, bracketed := s, "", false
	if inner, rest, ok := strings.Cut(strings.TrimPrefix(s, "["), "]"); ok && s[0] == '[' {
		name, port, bracketed = inner, rest, true
	} else if i := strings.IndexByte(s, ':'); i == strings.LastIndexByte(s, ':') && i >= 0 {
		name, port = s[:i], s[i:]
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(port, ":"), 10, 16); port != "" &&
		(port[0] != ':' || err != nil || n == 0) {
		return false
	}
	ip, err := netip.ParseAddr(name)
	if bracketed {
		net, errNet := netip.ParsePrefix(name)
		return err == nil && ip.Is6() && ip.Zone() == "" || errNet == nil && net.Addr().Is6()
	}
	if err == nil {
		return ip.Zone() == ""
	}
	if _, err := netip.ParsePrefix(name); err == nil {
		return true
	}
	// A name that ends in a number is no host's: it is an address that has been mistyped.
	bare := strings.TrimSuffix(name, ".")
	last := bare[strings.LastIndexByte(bare, '.')+1:]
	return isHost(name) && strings.Trim(last, "0123456789") != ""
}

// networks: IP addresses and ranges, separated by commas.
func networks(s string) bool {
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		if _, err := netip.ParsePrefix(item); err == nil {
			continue
		}
		if _, err := netip.ParseAddr(item); err != nil {
			return false
		}
	}
	return true
}

// eachLine makes a question about a line one about all lines of a text.
func eachLine(right func(string) bool) func(string) bool {
	return func(s string) bool {
		return !slices.ContainsFunc(strings.Split(strings.TrimRight(s, "\r\n"), "\n"), func(line string) bool {
			return !right(strings.TrimSuffix(line, "\r"))
		})
	}
}

// items makes a rule of a question about the elements of a list of texts.
func items(what string, right func(string) bool) func(any) string {
	return func(v any) string {
		list, _ := v.([]any)
		for _, item := range list {
			if s, _ := item.(string); !right(s) {
				return fmt.Sprintf("'%v' is not %s", item, what)
			}
		}
		return ""
	}
}

// ids: numbers of rows.
func ids(v any) string {
	list, _ := v.([]any)
	for _, item := range list {
		if n, ok := item.(int64); ok && (n < 1 || n > mostInteger) {
			return fmt.Sprintf("'%d' is not an id", n)
		}
	}
	return ""
}

// among makes a rule of the only names that an object may have, and what else is asked of its
// values.
func among(names []string, value func(name string, v any) string) func(any) string {
	return func(v any) string {
		object, _ := v.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if !slices.Contains(names, name) {
				return "can't include: " + name
			}
			if wrong := value(name, object[name]); wrong != "" {
				return wrong
			}
		}
		return ""
	}
}

// weight is that of a storage.
func weight(name string, v any) string {
	if n, ok := v.(int64); ok && (n < 0 || n > 100) {
		return fmt.Sprintf("value for '%s' must be between 0 and 100", name)
	}
	return ""
}
