// A mail server that takes everything and keeps nothing, in a process of its own.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

let taken = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _session, done) {
    stream.resume().on('end', () => {
      taken += 1;
      done();
    });
  },
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ taken }));
