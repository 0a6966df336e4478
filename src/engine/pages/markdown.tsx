// What people wrote with a little Markdown, on a page. All of it is text to the page: nothing is handed on as HTML.
import type { ComponentChildren } from 'preact';
import { type Inline, parseMarkdown } from '../../domain/guidance/markdown.ts';

export const Markdown = ({ text }: { text: string }) => (
  <div class="markdown">
    {parseMarkdown(text).map((block, index) => {
      if (block.kind === 'paragraph')
        return (
          <p key={index}>
            {block.lines.map((line, at) => (
              <>
                {at > 0 && <br />}
                <Parts key={at} parts={line} />
              </>
            ))}
          </p>
        );
      const items = block.items.map((item, at) => (
        <li key={at}>
          <Parts parts={item} />
        </li>
      ));
      return block.kind === 'list' ? (
        <ul key={index}>{items}</ul>
      ) : (
        <ol key={index} start={block.first === 1 ? undefined : block.first}>
          {items}
        </ol>
      );
    })}
  </div>
);

const Parts = ({ parts }: { parts: readonly Inline[] }): ComponentChildren =>
  parts.map((part, index) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'bold') return <strong key={index}>{part.text}</strong>;
    return (
      <a key={index} href={part.href} rel="noreferrer">
        {part.text}
      </a>
    );
  });
