// Package store keeps sessions on disk, so that nothing said is lost when the agent, the bridge, the editor or the
// machine dies.
//
// A session is a folder with a log that only grows, a small file that says what the session is, one for the agent to keep
// what it likes in, and a lock. What was
// given to [Session.Append] before a [Session.Sync] that returned nil is there after any crash, whole and in order; what
// came later is there whole or not at all. The store leaves to others what an entry means.
//
// Four rules must stay true:
//
//   - text of the user's is never deleted: what cannot be read is set aside beside the log, and reported once;
//   - one process writes to a session, and the lock says which;
//   - a store that cannot write goes on in memory and says so, once, until it can;
//   - a log of a newer format is read and never written.
package store
