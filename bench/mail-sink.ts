// A mail server that takes everything and keeps nothing, in a process of its own. `aloud`: it says whom each mail is for.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

const isAloud = process.argv[2] === 'aloud';
let taken = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    stream.resume().on('end', () => {
      taken += 1;
      if (isAloud) process.send?.({ to: session.envelope.rcptTo[0]?.address });
      done();
    });
  },
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ taken }));
