// Package acptest plays the agent of the Agent Client Protocol from a script: for the tests of what talks to an agent, and
// for the demo.
//
// A script is deterministic. It never sleeps and never polls: it waits for a message of its peer or for a marker that the
// test sets, and a wait that can no longer come true (the peer said something else, hung up, or the test is gone) fails at
// once and says where in the script and why. It shares no code with package acp, so that a mistake in the codec does not
// agree with itself.
//
// A scenario is a txtar archive: prose, the file "agent" with the script, and files that the script or the test uses.
//
//	The agent reads a buffer and greets.
//	-- agent --
//	handshake
//	session s1
//	expect session/prompt
//	say Let me see.
//	request fs/read_text_file {"sessionId":"$session","path":"$cwd/a.txt"}
//	answer {"content":"re:hello"}
//	reply {"stopReason":"end_turn"}
//
// One step a line; indented lines continue the line before; # starts a comment line. In arguments $name and ${name} stand
// for a variable or a file of the archive, $$ for a dollar. $session, $cwd and $terminal are set by the messages that
// carry them. A label, as in request@r1 and answer@r1, tells several open messages apart. At the end of the script the
// agent stays until its peer hangs up.
//
// # What the peer must do
//
//	expect METHOD [PATTERN]    the next request or notification is this one
//	find METHOD [PATTERN]      it is among those that came, in whatever order
//	none METHOD                it has not come so far
//	answer [PATTERN]           the last request is answered with a result
//	refused [CODE]             it is answered with an error
//	eof                        the peer hangs up
//
// A pattern is JSON: objects must have the members that the pattern has, "*" is any value, "re:…" a regular expression,
// everything else is equal.
//
// # What the agent does
//
//	reply [RESULT]             answers the last expected request, {} if nothing is given
//	fail CODE MESSAGE          answers it with an error
//	request METHOD [PARAMS]    asks; ids count from 0
//	cancel                     takes the last request back ($/cancel_request)
//	notify METHOD [PARAMS]     tells
//	update KIND [MEMBERS]      session/update for $session
//	say TEXT, think TEXT       a chunk of the answer, of the reasoning
//	stub METHOD [RESULT]       from now on such requests are answered whenever they come
//	ignore METHOD              from now on such messages are dropped
//	send JSON                  one line, as it is after substitution
//	raw TEXT                   bytes without a line end; a Go string if quoted
//	write N                    N bytes of filler without a line end
//	repeat N STEP              the step N times, $i counts from 0
//	loop … end                 the steps between again and again, until the peer hangs up at the first of them
//	put PATH TEXT              writes a file behind everybody's back; remove PATH, holds PATH TEXT likewise
//	set NAME VALUE             sets a variable; set NAME @params.a.b takes it from the last message expected, @result.a from
//	                           the last answer; set NAME @env.NAME from the environment
//	stderr TEXT                a line of log
//	handshake [RESULT]         expect initialize, reply
//	session ID [RESULT]        expect session/new, reply with that session
//
// # When and how it ends
//
//	mark NAME                  tells the test that the script is here
//	wait NAME                  waits until the test sets the marker
//	pause DURATION             for people who watch; nothing unless [Options.Pace] is set
//	close                      hangs up its side
//	deaf                       stops reading
//	hang                       does nothing any more, also when the peer hangs up
//	ignore-signals             from now on TERM, INT and HUP do nothing
//	spawn tree                 starts a child, which starts a grandchild in a session of its own; both ignore TERM and live
//	                           until they are killed; $pids are theirs
//	exit N                     ends with that code
package acptest
