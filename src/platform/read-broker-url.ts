// What one of TOCSIN_MQTT_BROKERS says: mqtts://user:password@broker.lab.example?secret=…&topics=zigbee2mqtt/%23

export interface BrokerAddress {
  /** Without user, password and options. */
  url: string;
  /** For the log: neither user nor password. */
  name: string;
  auth: { user: string; password: string } | null;
  /** Of the source whose readings these are. */
  secret: string;
  topics: string[];
  /** null: made of the secret, so that it is the same each time. */
  clientId: string | null;
  /** null: 5, or 4 where that is refused. */
  version: 4 | 5 | null;
  /** PEM files: the authority that signed the broker's certificate, and a certificate of our own with its key. */
  caFile: string | null;
  certFile: string | null;
  keyFile: string | null;
}

const OPTIONS = ['secret', 'topics', 'client_id', 'version', 'ca', 'cert', 'key'];
/** What there are readers for. */
const USUAL_TOPICS = [
  'tocsin/#',
  'zigbee2mqtt/#',
  '+/events/rpc',
  '+/online',
  'application/+/device/+/event/up',
  'v3/+/devices/+/up',
  'homeassistant/#',
];

/** A text is what is wrong with it; it repeats nothing of the URL, which carries secrets. */
export function readBrokerUrl(url: URL): BrokerAddress | string {
  const option = (name: string) => url.searchParams.get(name) || null;
  if (url.hostname === '') return 'names no host';
  if (url.pathname !== '' && url.pathname !== '/') return 'must not have a path';
  if ([...url.searchParams.keys()].some((key) => !OPTIONS.includes(key)))
    return `has an unknown option; there are ${OPTIONS.join(', ')}`;
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === null || password === null) return 'has a user or password that is not encoded like a URL';
  const secret = option('secret');
  if (secret === null) return 'needs the option secret, that of a source';
  const version = option('version');
  if (version !== null && version !== '4' && version !== '5') return 'has a version that is neither 4 nor 5';
  const [certFile, keyFile] = [option('cert'), option('key')];
  if ((certFile === null) !== (keyFile === null)) return 'must have both cert and key, or neither';
  const topics = option('topics')
    ?.split(',')
    .map((topic) => topic.trim())
    .filter((topic) => topic !== '');
  const port = url.port || (url.protocol === 'mqtts:' ? '8883' : '1883');
  const place = `${url.protocol}//${url.hostname}:${port}`;
  return {
    url: place,
    name: place,
    auth: user === '' ? null : { user, password },
    secret,
    topics: topics && topics.length > 0 ? topics : USUAL_TOPICS,
    clientId: option('client_id'),
    version: version === null ? null : (Number(version) as 4 | 5),
    caFile: option('ca'),
    certFile,
    keyFile,
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
