import { Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { renderInPieces } from './in-pieces.tsx';

const MANY = Array.from({ length: 30 }, (_, index) => `word ${index}`);

const List = ({ words }: { words: string[] }) => (
  <ul>
    {words.map((word) => (
      <li key={word}>{word}</li>
    ))}
  </ul>
);

test('pieces are where they would be if all were drawn at once, also lists within lists', async () => {
  const view = (
    <main>
      <List words={['<x-pieces></x-pieces>', '$&', ...MANY]} />
      <p>between</p>
      {MANY.map((word) => (
        <section key={word}>
          {word} <List words={['ä', ...MANY]} /> after
        </section>
      ))}
      <p>{MANY}</p>
      {h(
        Fragment,
        null,
        MANY.map((word) => <b key={word}>{word}</b>),
      )}
      <List words={['few']} />
      {null}
    </main>
  );
  const drawn = renderInPieces(view, english);
  expect(drawn).toBeInstanceOf(Promise);
  expect(String(await drawn)).toBe(renderToString(view));
});

test('what has no long list is drawn at once', () => {
  expect(renderInPieces(<List words={['all']} />, english)).toBe('<ul><li>all</li></ul>');
});

test('what cannot be drawn is an error', async () => {
  const Broken = (): never => {
    throw new Error('broken');
  };
  const view = (
    <p>
      {MANY.map((word) => (
        <Broken key={word} />
      ))}
    </p>
  );
  await expect(renderInPieces(view, english)).rejects.toThrow('broken');
});
