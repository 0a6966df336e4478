import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { InPieces, renderInPieces } from './in-pieces.tsx';

const List = ({ words }: { words: string[] }) => (
  <ul>
    <InPieces>
      {words.map((word) => (
        <li key={word}>{word}</li>
      ))}
    </InPieces>
  </ul>
);

test('pieces are where they would be if all were drawn at once', async () => {
  const view = (
    <main>
      <List words={['a', '<x-pieces></x-pieces>', '$&']} />
      <p>between</p>
      <InPieces>
        <List words={['b', 'c']} />
      </InPieces>
    </main>
  );
  expect(String(await renderInPieces(view))).toBe(renderToString(view));
});

test('a page without pieces is drawn at once', () => {
  expect(renderInPieces(<p>all</p>)).toBe('<p>all</p>');
});

test('what cannot be drawn is an error', async () => {
  const Broken = (): never => {
    throw new Error('broken');
  };
  await expect(
    Promise.resolve(
      renderInPieces(
        <InPieces>
          <Broken />
        </InPieces>,
      ),
    ),
  ).rejects.toThrow('broken');
});
