package forge

import (
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// braces are the variables of an address, {like_this}.
var braces = regexp.MustCompile(`\{[A-Za-z_][A-Za-z0-9_-]*\}`)

// outbound says whether the server may be told to send requests to an address: http or https, and unless local allows it,
// nothing that is this machine or its network by its very name. Names are not looked up here: where they lead may change,
// so that is asked when a request is sent.
func outbound(address string, local bool) bool {
	if len(address) > 2048 || strings.TrimSpace(address) != address || strings.ContainsAny(address, "\r\n\t\x00") {
		return false
	}
	u, err := url.Parse(braces.ReplaceAllString(address, "x"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip, err := netip.ParseAddr(host)
	switch {
	case err == nil:
		return local || global(ip.Unmap())
	case numeric(host): // other spellings of IPv4 addresses, which resolvers take: 127.1, 0x7f000001
		return false
	}
	return local || host != "localhost" && !strings.HasSuffix(host, ".localhost") && !strings.HasSuffix(host, ".local")
}

// reservedNets are the address blocks that netip has no name for and that lead nowhere in public.
var reservedNets = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), // IPv4 in disguise
}

func global(ip netip.Addr) bool {
	for _, net := range reservedNets {
		if net.Contains(ip) {
			return false
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && ip.Zone() == ""
}

// numeric says whether the last label of a host is a number: no public name ends in one.
func numeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"))
}
