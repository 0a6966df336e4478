// Whom attempts are counted against: an address, or the whole network that one subscriber of IPv6 is given.

/** An IPv4 address as it is; of IPv6 the first 64 bits, within which anybody changes the address at will. */
export function bucketOf(address: string): string {
  const bare = (address.split('%', 1)[0] ?? '').toLowerCase();
  if (!bare.includes(':')) return bare;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = bare.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
