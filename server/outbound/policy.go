package outbound

import (
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Policy says where requests may go. The zero value admits what is public.
type Policy struct {
	Local bool     // this machine and its networks, too
	Allow []string // and these: a host, an address or a block of addresses, each with or without a port
}

// braces are the variables of an address, {like_this}.
var braces = regexp.MustCompile(`\{[A-Za-z_][A-Za-z0-9_.-]*\}`)

// Ports are the schemes that addresses may have, with their usual ports.
type Ports map[string]string

// What requests go by, and what repositories are pushed and pulled by.
var (
	Web = Ports{"http": "80", "https": "443"}
	Git = Ports{"http": "80", "https": "443", "ssh": "22", "git": "9418"}
)

// Admits says whether an address is one that requests may be sent to, as far as that can be read off it: http or https,
// and nothing that is local by its very name. Variables stand for any text. Where names lead may change, so that is asked
// when a request is sent.
func (p Policy) Admits(address string) bool { return p.AdmitsBy(Web, address) }

// AdmitsBy is Admits for other schemes.
func (p Policy) AdmitsBy(ports Ports, address string) bool {
	if len(address) > 2048 || strings.TrimSpace(address) != address || strings.ContainsAny(address, "\r\n\t\x00") {
		return false
	}
	u, err := url.Parse(braces.ReplaceAllString(address, "x"))
	if err != nil || ports[u.Scheme] == "" || u.Hostname() == "" || u.Opaque != "" {
		return false
	}
	port := u.Port()
	if port == "" {
		port = ports[u.Scheme]
	} else if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return false
	}
	host := plain(u.Hostname())
	ip, err := netip.ParseAddr(host)
	switch {
	case err == nil:
		return p.reaches(host, ip, port)
	case numeric(host): // other spellings of IPv4 addresses, which resolvers take: 127.1, 0x7f000001
		return false
	}
	return p.Local || !localName(host) || p.allows(host, netip.Addr{}, port)
}

// reaches says whether a connection to ip, which host stands for, may be made.
func (p Policy) reaches(host string, ip netip.Addr, port string) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	return p.Local || public(ip) || p.allows(plain(host), ip, port)
}

// allows says whether the list of exceptions holds the host or the address.
func (p Policy) allows(host string, ip netip.Addr, port string) bool {
	for _, entry := range p.Allow {
		name, only := splitPort(strings.TrimSpace(entry))
		if only != "" && only != port {
			continue
		}
		if block, err := netip.ParsePrefix(name); err == nil {
			if ip.IsValid() && block.Contains(ip) {
				return true
			}
			continue
		}
		if addr, err := netip.ParseAddr(name); err == nil {
			if ip == addr.Unmap() {
				return true
			}
			continue
		}
		if name != "" && plain(name) == host {
			return true
		}
	}
	return false
}

// splitPort takes an entry of the list apart. The colons of a bare IPv6 address are no port; [::1]:8080 has one.
func splitPort(entry string) (name, port string) {
	if inner, rest, ok := strings.Cut(strings.TrimPrefix(entry, "["), "]"); ok && entry[0] == '[' {
		return inner, strings.TrimPrefix(rest, ":")
	}
	if strings.Count(entry, ":") == 1 {
		name, port, _ = strings.Cut(entry, ":")
		return name, port
	}
	return entry, ""
}

// plain is the one spelling of a host.
func plain(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

func localName(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local")
}

// numeric says whether the last label of a host is a number: no public name ends in one.
func numeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"))
}

// reserved are the blocks that netip has no name for and that lead nowhere in public, or to an IPv4 address in disguise.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // behind a carrier's NAT
	netip.MustParsePrefix("192.0.0.0/24"),    // protocols
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation, like the next two
	netip.MustParsePrefix("198.51.100.0/24"), //
	netip.MustParsePrefix("203.0.113.0/24"),  //
	netip.MustParsePrefix("192.88.99.0/24"),  // relays of 6to4
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, and the broadcast address
	netip.MustParsePrefix("::/96"),           // IPv4-compatible
	netip.MustParsePrefix("::ffff:0:0:0/96"), // IPv4-translated
	netip.MustParsePrefix("64:ff9b::/96"),    // NAT64
	netip.MustParsePrefix("64:ff9b:1::/48"),  // NAT64, local
	netip.MustParsePrefix("100::/64"),        // discarded
	netip.MustParsePrefix("2001::/23"),       // protocols, with Teredo among them
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("2002::/16"),       // 6to4
	netip.MustParsePrefix("fec0::/10"),       // site-local
}

func public(ip netip.Addr) bool {
	for _, block := range reserved {
		if block.Contains(ip) {
			return false
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate()
}
