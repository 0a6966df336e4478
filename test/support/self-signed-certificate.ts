// A certificate for localhost, made anew for each run, so that no private key lies in the repository.
import { generateKeyPairSync, sign } from 'node:crypto';

interface Certificate {
  key: string;
  cert: string;
}

const wrap = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Buffer[]) => wrap(0x30, ...parts);
const oid = (hex: string) => wrap(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number) => wrap(0x02, Buffer.from([value]));
const bits = (body: Buffer) => wrap(0x03, Buffer.from([0]), body);
const utcTime = (text: string) => wrap(0x17, Buffer.from(text, 'latin1'));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = '550403';
const SUBJECT_ALTERNATIVE_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

export function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(wrap(0x31, sequence(oid(COMMON_NAME), wrap(0x0c, Buffer.from('localhost')))));
  const names = sequence(wrap(0x82, Buffer.from('localhost')), wrap(0x87, Buffer.from([127, 0, 0, 1])));
  const isAuthority = sequence(wrap(0x01, Buffer.from([0xff])));
  const extension = (id: string, value: Buffer) => sequence(oid(id), wrap(0x04, value));
  const content = sequence(
    wrap(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    wrap(
      0xa3,
      sequence(extension(SUBJECT_ALTERNATIVE_NAME, names), extension(BASIC_CONSTRAINTS, isAuthority)),
    ),
  );
  const signed = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, privateKey)));
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
