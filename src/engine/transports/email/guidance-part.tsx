// What to do, in a mail: as text and as HTML.
import type { Guidance } from '../../../domain/guidance/guidance.ts';
import { type Inline, parseMarkdown, writePlain } from '../../../domain/guidance/markdown.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { Link, List, Paragraph } from '../../../platform/mail/mail-page.tsx';

export const guidanceLines = (guidance: Guidance | null, { say }: Language): string[] =>
  guidance?.whatToDo == null
    ? []
    : [say('What to do:'), ...writePlain(parseMarkdown(guidance.whatToDo)).split('\n'), ''];

export const WhatToDo = ({ guidance, language }: { guidance: Guidance | null; language: Language }) =>
  guidance?.whatToDo == null ? null : (
    <>
      <Paragraph>
        <strong>{language.say('What to do:')}</strong>
      </Paragraph>
      {parseMarkdown(guidance.whatToDo).map((block, index) =>
        block.kind === 'paragraph' ? (
          <Paragraph key={index}>
            {block.lines.map((line, at) => (
              <>
                {at > 0 && <br />}
                {writeParts(line)}
              </>
            ))}
          </Paragraph>
        ) : (
          <List
            key={index}
            first={block.kind === 'steps' ? block.first : null}
            items={block.items.map(writeParts)}
          />
        ),
      )}
    </>
  );

const writeParts = (parts: readonly Inline[]) =>
  parts.map((part, index) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'bold') return <strong key={index}>{part.text}</strong>;
    return (
      <Link key={index} href={part.href}>
        {part.text}
      </Link>
    );
  });
