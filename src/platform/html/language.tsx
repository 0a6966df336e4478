// In which language a page is drawn: whoever draws it says so once, views ask for it.
import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { english } from '../../domain/language/english.ts';
import type { WithParts } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';

export const Spoken = createContext<Language>(english);

export const useLanguage = (): Language => useContext(Spoken);

/** A sentence with links and times in it: `sayWith(language, 'Open <a>the page</a>', { a: (inside) => <a href="/">{inside}</a> })` */
export const sayWith = <const Message extends string>(
  language: Language,
  message: Message,
  ...given: WithParts<Message, VNode>
): ComponentChildren => language.sayParts<Message, VNode>(message, ...given);
