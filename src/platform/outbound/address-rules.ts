// Where a request may go whose address somebody typed in. The program stands inside a network that people outside of it
// must not reach through it.
import { BlockList, isIP, isIPv4 } from 'node:net';

/** `never`: whatever the settings say. */
type Reach = 'public' | 'private' | 'never';

const PRIVATE_V4: [address: string, bits: number][] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
];
const NEVER_V4: [address: string, bits: number][] = [
  // Linux takes 0.0.0.0 for itself.
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Where clouds answer with the credentials of the machine, outside of the link-local range.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
];
const PRIVATE_V6: [address: string, bits: number][] = [
  ['::1', 128],
  ['fc00::', 7],
  ['fec0::', 10],
];
const NEVER_V6: [address: string, bits: number][] = [
  ['::', 128],
  // Another address hides in these: a local translator's, 6to4, Teredo.
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
];

function listRanges(v4: [string, number][], v6: [string, number][]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of v4) list.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of v6) list.addSubnet(address, bits, 'ipv6');
  return list;
}

const privateRanges = listRanges(PRIVATE_V4, PRIVATE_V6);
const neverRanges = listRanges(NEVER_V4, NEVER_V6);

/** What is no address at all is never reached either. */
export function findReach(address: string): Reach {
  // A zone (`fe80::1%eth0`) names a link of this machine.
  if (isIP(address) === 0 || address.includes('%')) return 'never';
  const plain = isIPv4(address) ? address : (findHiddenV4(address) ?? address);
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
  if (neverRanges.check(plain, family)) return 'never';
  return privateRanges.check(plain, family) ? 'private' : 'public';
}

/** IPv4-mapped, IPv4-compatible and translated (64:ff9b::/96) addresses lead to the IPv4 address in their last 32 bits. */
function findHiddenV4(address: string): string | null {
  const groups = readGroups(address);
  const prefix = groups.slice(0, 6).join(':');
  const [high = 0, low = 0] = groups.slice(6);
  const isCompatible = prefix === '0:0:0:0:0:0' && (high > 0 || low > 1);
  if (!isCompatible && prefix !== '0:0:0:0:0:65535' && prefix !== '100:65435:0:0:0:0') return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups; the URL parser writes every spelling in the one canonical way. */
function readGroups(address: string): number[] {
  const [start = '', end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(start), read(end ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
