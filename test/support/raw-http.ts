import { connect } from 'node:net';

/** Sends bytes as they are and returns everything the server says until it hangs up. */
export const sendRaw = (url: string, text: string): Promise<string> => openRaw(url, text).untilHungUp;

export interface RawConnection {
  /** What the server said so far. */
  said(): string;
  isOpen(): boolean;
  untilHungUp: Promise<string>;
  close(): void;
}

/** Sends bytes as they are, and keeps the connection. */
export function openRaw(url: string, text: string): RawConnection {
  const { hostname, port } = new URL(url);
  let said = '';
  let isOpen = true;
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.setEncoding('latin1').on('data', (chunk) => {
    said += chunk;
  });
  const untilHungUp = new Promise<string>((resolve, reject) => {
    socket
      .on('end', () => resolve(said))
      .on('error', reject)
      // Closed at this end: nothing more will come.
      .on('close', () => resolve(said));
  }).finally(() => {
    isOpen = false;
    socket.destroy();
  });
  // Most tests do not wait for it.
  untilHungUp.catch(() => {});
  return { said: () => said, isOpen: () => isOpen, untilHungUp, close: () => void socket.destroy() };
}
