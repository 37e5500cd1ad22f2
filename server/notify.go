package server

import (
	"fmt"
	"net"
)

// notify tells the service manager about a change of state, as sd_notify(3) describes: one datagram
// to Config.NotifySocket. It does nothing without a socket. A failure is logged; the server goes
// on.
func (s *Server) notify(state string) {
	if s.config.NotifySocket == "" {
		return
	}
	if err := sendDatagram(s.config.NotifySocket, state); err != nil {
		s.config.Log.Error("notify the service manager", "error", err)
	}
}

// sendDatagram sends text to a unix socket. A name that begins with "@" is an abstract socket.
func sendDatagram(socket, text string) error {
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(text)); err != nil {
		return fmt.Errorf("%s: %w", socket, err)
	}
	return nil
}
