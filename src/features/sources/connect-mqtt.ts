// Where a device speaks MQTT to: by which command, or what is to be set first.
import type { Language } from '../../domain/language/speak.ts';
import type { Connecting, Place } from './connecting.ts';

export function connectMqtt(place: Place, language: Language): Connecting {
  const listener = findListener(place);
  return listener ? connectTo(place, listener, language) : settingsForMqtt(place, language);
}

interface Listener {
  host: string;
  port: string;
  isSecure: boolean;
  /** Others than this machine do not reach it. */
  isAtHome: boolean;
}

/** With TLS, if there is one. */
function findListener({ telemetry, listeners }: Place): Listener | null {
  const page = bare(new URL(telemetry).hostname);
  const all = listeners.map((text): Listener => {
    const { protocol, hostname, port } = new URL(text);
    const isSecure = protocol === 'mqtts:';
    const bound = bare(hostname);
    const isAtHome = bound === '::1' || bound.startsWith('127.');
    // A certificate is made out to a name.
    const isOwnAddress = isAtHome || (!isSecure && !EVERYWHERE.includes(bound));
    return { host: isOwnAddress ? bound : page, port, isSecure, isAtHome };
  });
  return all.find(({ isSecure }) => isSecure) ?? all[0] ?? null;
}

const EVERYWHERE = ['0.0.0.0', '::'];
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const connectTo = (
  { secret }: Place,
  { host, port, isSecure, isAtHome }: Listener,
  { say }: Language,
): Connecting => ({
  words: [
    isSecure
      ? say('A device connects like this, over TLS, with any user name.')
      : say('A device connects like this, without TLS, with any user name.'),
    ...(isAtHome
      ? [say('Only this machine reaches {host}: TOCSIN_MQTT_HOST lets others in, 0.0.0.0 for all.', { host })]
      : []),
    say(
      'A broker that you have can be followed instead: whoever runs the program puts its address and this secret into TOCSIN_MQTT_BROKERS.',
    ),
  ].join(' '),
  lines: `mosquitto_pub -h ${host} -p ${port} ${isSecure ? '--capath /etc/ssl/certs ' : ''}-q 1 \\
  -u tocsin -P "${secret}" -t tocsin/0004a30b001c0530 -m '{"temperature":-71.2}'`,
});

const settingsForMqtt = ({ secret }: Place, { say }: Language): Connecting => ({
  words: say(
    'No program listens for MQTT yet. Whoever runs it sets one of these and starts it anew; then the command for a device stands here. The first is with TLS and needs TOCSIN_TLS_CERT and TOCSIN_TLS_KEY, the second is for a network that you trust, the third follows a broker that you have.',
  ),
  lines: `TOCSIN_MQTTS_PORT=8883
TOCSIN_MQTT_PORT=1883
TOCSIN_MQTT_BROKERS=mqtts://USER:PASSWORD@broker.lab.example?secret=${secret}`,
});
