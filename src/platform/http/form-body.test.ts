import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMultipartForm, parseUrlencodedForm, UndecodableBody } from './form-body.ts';

const parse = (text: string | Buffer) => ({ ...parseUrlencodedForm(Buffer.from(text)) });

describe('an urlencoded form', () => {
  test.each([
    ['', {}],
    ['&&', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=x', { '': 'x' }],
    ['a=b=c', { a: 'b=c' }],
    ['comment=door+left%20open', { comment: 'door left open' }],
    ['comment=100%', { comment: '100%' }],
    ['comment=50%+done', { comment: '50% done' }],
    ['unit=%C2%B0C', { unit: '°C' }],
    ['unit=°C', { unit: '°C' }],
    ['a=%00', { a: '\0' }],
  ])('%s', (text, fields) => expect(parse(text)).toEqual(fields));

  test.each([
    ['an escape of half a character', 'a=%C2'],
    ['an escaped surrogate', 'a=%ED%A0%80'],
    ['raw bytes that are not UTF-8', Buffer.from([0x61, 0x3d, 0xff])],
  ])('%s is undecodable', (_, body) => expect(() => parse(body)).toThrow(UndecodableBody));

  test('a field named __proto__ is a field', () => {
    const form = parseUrlencodedForm(Buffer.from('__proto__=x&constructor=y'));
    expect(Object.keys(form)).toEqual(['__proto__', 'constructor']);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  test('what a browser encodes comes back to the letter', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.dictionary(text, text), (fields) => {
        const body = new URLSearchParams(Object.entries(fields)).toString();
        expect(Object.entries(parseUrlencodedForm(Buffer.from(body)))).toEqual(Object.entries({ ...fields }));
      }),
    );
  });

  test('any bytes give fields or a clear refusal, never another error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          parseUrlencodedForm(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(UndecodableBody);
        }
      }),
    );
  });
});

describe('a multipart form', () => {
  const send = async (fields: [string, string | Blob][]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    const request = new Response(form);
    const body = Buffer.from(await request.arrayBuffer());
    return { ...(await parseMultipartForm(body, request.headers.get('content-type') ?? '')) };
  };

  test('gives its text fields, the last value of each', async () => {
    expect(
      await send([
        ['a', '1'],
        ['a', '2'],
        ['unit', '°C'],
      ]),
    ).toEqual({ a: '2', unit: '°C' });
  });

  test('leaves files aside', async () => {
    expect(
      await send([
        ['a', '1'],
        ['file', new Blob(['x'])],
      ]),
    ).toEqual({ a: '1' });
  });

  test.each([
    ['without a boundary', 'multipart/form-data'],
    ['cut short', 'multipart/form-data; boundary=xx'],
  ])('%s it is undecodable', async (_, contentType) => {
    await expect(parseMultipartForm(Buffer.from('--xx\r\nContent-Dis'), contentType)).rejects.toThrow(
      UndecodableBody,
    );
  });
});
