// Package lend shares the open buffers of one editor with another bridge of the same user and workspace: an editor whose
// chat speaks ACP and whose buffers speak LSP has two, and the one with the chat does not see what is unsaved.
//
// It is off unless both sides ask for it. Each lender listens on a unix socket of its own, which only its user can reach
// (0600 in a folder with 0700, and both ends look whose the other is), named after the workspace folder. One connection
// is one request and its answer, a JSON object on a line each:
//
//	{"read": "/w/a.txt"}                               → {"open": true, "unsaved": true, "text": "…"}
//	{"write": "/w/a.txt", "base": "…", "text": "…"}    → {"open": true} or {"open": true, "error": "…"}
//	{"languages": true}                                → {"open": false, "encoding": "utf-16"}, without one if there are none
//	{"method": "textDocument/hover", "params": {…}}    → {"open": false, "result": …} or {"open": false, "failure": "noServer"}
//
// A file that is not open is answered with {"open": false}: the disk is the file. What is written goes the way of every
// change in the lender: a verified edit of the buffer, which can be reviewed and undone there. Who asks whether a change
// may be made is the borrower.
//
// A folder may have several lenders, two editors or one that is just being restarted; the one with unsaved text counts. A
// lender that is gone costs nothing but what was unsaved in it. One that hangs is not waited for when a file is read, and
// its buffers are not changed behind it.
package lend
